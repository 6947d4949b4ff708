// Reads untrusted fields of objects that a processor sent. Must not: put a value that it read into an error.

import { maxExactMinor } from '../base/money.ts';

/** An object whose fields have not been checked yet. */
export type UntrustedFields = Readonly<Record<string, unknown>>;

/** An object's fields; none for anything else. */
export function fieldsOf(value: unknown): UntrustedFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as UntrustedFields)
    : {};
}

/** The readers of one processor. They throw the result of `unreadable`, called with the name of the field. */
export function createFieldReaders(unreadable: (name: string) => Error) {
  return {
    /** An object; errors call it by `name`. */
    readFields: (value: unknown, name: string): UntrustedFields => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(name);
      return value as UntrustedFields;
    },
    /** A text that is not empty. */
    readText: (fields: UntrustedFields, name: string): string => {
      const value = fields[name];
      if (typeof value !== 'string' || value === '') throw unreadable(name);
      return value;
    },
  };
}

/**
 * An amount in a currency that Paylink does not support: money that moved nevertheless, and that a person must
 * check. Converts decimal text to the smallest unit in which it is written: `12.34` is 1234, `500` is 500. Null
 * when it is not an amount, or the currency is not a code.
 */
export function parseProcessorAmount(currency: string, text: string | null): number | null {
  if (!/^[A-Z]{3}$/.test(currency) || text === null || !/^\d{1,15}(\.\d{1,3})?$/.test(text)) return null;
  const amountMinor = Number(text.replace('.', ''));
  return amountMinor <= maxExactMinor ? amountMinor : null;
}

// Parses Stripe's untrusted responses: a missing or malformed field throws, and the outcome is then unknown.
// Must not: put a value that it read into an error.

import { maxExactMinor } from '../../base/money.ts';
import { createFieldReaders, type UntrustedFields } from '../untrusted-fields.ts';

/** Our metadata on a Stripe object; null where it is missing. */
export type StripeMetadata = {
  companyId: string | null;
  connectionId: string | null;
  attemptId: string | null;
  refundId: string | null;
};

/** The keys of our entries in `metadata`. */
export const metadataKeys = {
  companyId: 'paylink_company',
  connectionId: 'paylink_connection',
  attemptId: 'paylink_attempt',
  refundId: 'paylink_refund',
} as const;

const unreadable = (name: string) => new Error(`stripe: the response has no valid ${name}`);

export const { readFields, readText } = createFieldReaders(unreadable);

/** Null for a field that is null, empty or missing. */
export function readOptionalText(fields: UntrustedFields, name: string): string | null {
  return (fields[name] ?? '') === '' ? null : readText(fields, name);
}

export function readFlag(fields: UntrustedFields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') throw unreadable(name);
  return value;
}

/** An amount in minor units, which Stripe uses for all supported currencies. */
export function readMinor(fields: UntrustedFields, name: string): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > maxExactMinor)
    throw unreadable(name);
  return value;
}

/** ISO 4217 in upper case; Stripe uses lower case. */
export function readCurrency(fields: UntrustedFields): string {
  const code = readText(fields, 'currency');
  if (!/^[a-z]{3}$/.test(code)) throw unreadable('currency');
  return code.toUpperCase();
}

export const readAmount = (fields: UntrustedFields) => ({
  amountMinor: readMinor(fields, 'amount'),
  currency: readCurrency(fields),
});

/** The ID of an object that is given by its ID or in full; null when there is none. */
export function readOptionalId(fields: UntrustedFields, name: string): string | null {
  const value = fields[name] ?? null;
  if (value === null) return null;
  return typeof value === 'string' ? readText(fields, name) : readText(readFields(value, name), 'id');
}

export function readMetadata(fields: UntrustedFields): StripeMetadata {
  const metadata = readFields(fields.metadata ?? {}, 'metadata');
  return {
    companyId: readOptionalText(metadata, metadataKeys.companyId),
    connectionId: readOptionalText(metadata, metadataKeys.connectionId),
    attemptId: readOptionalText(metadata, metadataKeys.attemptId),
    refundId: readOptionalText(metadata, metadataKeys.refundId),
  };
}

/** Page sizes, largest first. A smaller one is requested when a page exceeds the response limit. */
export const pageSizes = [100, 10, 1] as const;

export type StripeListPage = { items: UntrustedFields[]; hasMore: boolean };

export function readListPage(value: unknown): StripeListPage {
  const fields = readFields(value, 'list');
  if (fields.object !== 'list' || !Array.isArray(fields.data)) throw unreadable('list');
  const items = fields.data.map((item: unknown) => readFields(item, 'list entry'));
  return { items, hasMore: readFlag(fields, 'has_more') };
}

// Reads fields out of answers and notices of PayPal's, which may be anything. What is not of the form that PayPal
// documents throws. It must never put a value that it read into an error.

import { isCurrency, parseAmount } from '../../base/money.ts';
import { parseProcessorAmount } from '../parse-processor-amount.ts';
import { createFieldReaders, fieldsOf, type UntrustedFields } from '../untrusted-fields.ts';

export type PaypalMoney = { amountMinor: number; currency: string };

export const { readFields, readText } = createFieldReaders((name) => new Error(`PayPal sent no ${name}`));

/** A list of objects; an absent one is empty. */
export function readList(value: unknown, what: string): UntrustedFields[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`PayPal sent no list of ${what}`);
  return value.map((item) => readFields(item, what));
}

/** A text, or null when there is none. */
export function findText(fields: UntrustedFields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An id of PayPal's own, which goes into addresses of further calls. */
export function readId(fields: UntrustedFields): string {
  const id = readText(fields, 'id');
  if (!isPaypalId(id)) throw new Error('PayPal sent an id of another form');
  return id;
}

/** Whether a text has the form of an order's, a capture's or a refund's id. */
export function isPaypalId(text: string): boolean {
  return /^[A-Z0-9]{1,36}$/.test(text);
}

/** An amount as PayPal writes it: `{ currency_code: 'EUR', value: '10.00' }`. Throws for one that Paylink can't hold. */
export function readMoney(value: unknown, what = 'amount'): PaypalMoney {
  const fields = readFields(value, what);
  const currency = readText(fields, 'currency_code');
  if (!isCurrency(currency)) throw new Error(`PayPal sent an ${what} in a currency that is not taken`);
  const parsed = parseAmount(readText(fields, 'value'), currency);
  if ('fault' in parsed) throw new Error(`PayPal sent an ${what} that is ${parsed.fault}`);
  return { amountMinor: parsed.amountMinor, currency };
}

/** An amount that moved, of any currency: what is not of ours is for a person. Throws for what can't be read. */
export function readMoneyOfAnyCurrency(value: unknown, what = 'amount'): PaypalMoney {
  const fields = readFields(value, what);
  const currency = readText(fields, 'currency_code');
  if (isCurrency(currency)) return readMoney(value, what);
  const amountMinor = parseProcessorAmount(currency, readText(fields, 'value'));
  if (amountMinor === null) throw new Error(`PayPal sent an ${what} that can not be read`);
  return { amountMinor, currency };
}

/** What is claimed of an amount, which may be any: null where Paylink can't hold it. */
export function readClaimedMoney(value: unknown): { amountMinor: number | null; currency: string | null } {
  const fields = fieldsOf(value);
  const [currency, text] = [findText(fields, 'currency_code'), findText(fields, 'value')];
  const parsed = currency && text && isCurrency(currency) ? parseAmount(text, currency) : null;
  return { amountMinor: parsed && 'amountMinor' in parsed ? parsed.amountMinor : null, currency };
}

/**
 * The field of our request that a refusal is about: `details[].field`, a JSON pointer such as `/amount/value`. Null where
 * it names none, or something that is no pointer to a field of a body.
 */
export function findFaultyField(body: unknown): string | null {
  const fields = fieldsOf(body);
  const details = Array.isArray(fields.details) ? (fields.details as unknown[]) : [];
  const named = details.map((detail) => fieldsOf(detail).field);
  const isPointer = (field: unknown): field is string =>
    typeof field === 'string' && /^\/[a-z0-9_/]{1,100}$/.test(field);
  return named.find(isPointer) ?? null;
}

/** The reasons of a refusal: `details[].issue`, as PayPal's error form has them, and before them its `name`. */
export function readIssues(body: unknown): string[] {
  const fields = fieldsOf(body);
  const details = Array.isArray(fields.details) ? (fields.details as unknown[]) : [];
  const issues = details.map((detail) => fieldsOf(detail).issue);
  return [fields.name, ...issues].filter((issue) => typeof issue === 'string');
}

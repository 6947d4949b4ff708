// Reads fields from untrusted responses and webhooks of PayPal. Throws for anything that deviates from
// PayPal's documentation. Must not: put a value that it read into an error.

import { isCurrency, parseAmount } from '../../base/money.ts';
import {
  createFieldReaders,
  fieldsOf,
  parseProcessorAmount,
  type UntrustedFields,
} from '../untrusted-fields.ts';

export type PaypalMoney = { amountMinor: number; currency: string };

export const { readFields, readText } = createFieldReaders((name) => new Error(`PayPal sent no ${name}`));

/** A missing list is empty. */
export function readList(value: unknown, what: string): UntrustedFields[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`PayPal sent no list of ${what}`);
  return value.map((item) => readFields(item, what));
}

/** Null when there is none. */
export function findText(fields: UntrustedFields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A PayPal ID, which goes into the addresses of further calls. */
export function readId(fields: UntrustedFields): string {
  const id = readText(fields, 'id');
  if (!isPaypalId(id)) throw new Error('PayPal sent an ID in another format');
  return id;
}

/** Whether a text has the form of an ID of an order, a capture or a refund. */
export function isPaypalId(text: string): boolean {
  return /^[A-Z0-9]{1,36}$/.test(text);
}

/** An amount in PayPal's form: `{ currency_code: 'EUR', value: '10.00' }`. Throws for unsupported ones. */
export function readMoney(value: unknown, what = 'amount'): PaypalMoney {
  const fields = readFields(value, what);
  const currency = readText(fields, 'currency_code');
  if (!isCurrency(currency)) throw new Error(`PayPal sent an ${what} in an unsupported currency`);
  const parsed = parseAmount(readText(fields, 'value'), currency);
  if ('fault' in parsed) throw new Error(`PayPal sent an ${what} that is ${parsed.fault}`);
  return { amountMinor: parsed.amountMinor, currency };
}

/** A moved amount in any currency; a person handles unsupported ones. Throws when it is unreadable. */
export function readMoneyOfAnyCurrency(value: unknown, what = 'amount'): PaypalMoney {
  const fields = readFields(value, what);
  const currency = readText(fields, 'currency_code');
  if (isCurrency(currency)) return readMoney(value, what);
  const amountMinor = parseProcessorAmount(currency, readText(fields, 'value'));
  if (amountMinor === null) throw new Error(`PayPal sent an unreadable ${what}`);
  return { amountMinor, currency };
}

/** An unverified amount, of any form: null if unsupported. */
export function readClaimedMoney(value: unknown): { amountMinor: number | null; currency: string | null } {
  const fields = fieldsOf(value);
  const [currency, text] = [findText(fields, 'currency_code'), findText(fields, 'value')];
  const parsed = currency && text && isCurrency(currency) ? parseAmount(text, currency) : null;
  return { amountMinor: parsed && 'amountMinor' in parsed ? parsed.amountMinor : null, currency };
}

/** From `details[].field`, a JSON pointer such as `/amount/value`; null if it points to no field of a body. */
export function findFaultyField(body: unknown): string | null {
  const isPointer = (field: unknown): field is string =>
    typeof field === 'string' && /^\/[a-z0-9_/]{1,100}$/.test(field);
  return detailsOf(body, 'field').find(isPointer) ?? null;
}

function detailsOf(body: unknown, name: 'field' | 'issue'): unknown[] {
  const { details } = fieldsOf(body);
  return Array.isArray(details) ? details.map((detail) => fieldsOf(detail)[name]) : [];
}

/** The reasons of an error: its `name`, then `details[].issue`. */
export function readIssues(body: unknown): string[] {
  const reasons = [fieldsOf(body).name, ...detailsOf(body, 'issue')];
  return reasons.filter((reason) => typeof reason === 'string');
}

/** Truncates a text to PayPal's limit, never within a character; undefined when it becomes empty. */
export function truncate(text: string | null, maxLength: number): string | undefined {
  let truncated = '';
  for (const character of (text ?? '').trim()) {
    if (truncated.length + character.length > maxLength) break;
    truncated += character;
  }
  return truncated || undefined;
}

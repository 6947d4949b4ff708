// Parses the single values of a camt file: amounts, dates, indicators, texts. A value that the standard does not allow
// makes the file invalid. Must not correct a value.

import { normaliseIban, parseIban } from '../base/iban.ts';
import { isCurrency, parseStatementAmount } from '../base/money.ts';
import { refuseFile, type StatementErrorCode, type StatementLine } from './statement.ts';

/** An element that contains a text, as found. */
export type Leaf = { name: string; text: string; currency: string | null; line: number };

export type Money = {
  amountMinor: number | null;
  amountText: string;
  currency: string;
  /** The amount in units of 0.00001, the smallest that the standard has: comparable in every currency. */
  fine: bigint;
};

/** The standard's limits for an amount: digits after the point, and all digits. */
const fineDigits = 5;
const maxDigits = 18;

function fault(leaf: Leaf, code: StatementErrorCode, detail: string): never {
  return refuseFile(code, detail, leaf.line);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** `007.50` as `7.50`; null if the text is no decimal. The schema allows a plus sign, `.5` and `5.`. */
function readDigits(text: string): { whole: string; fraction: string } | null {
  const [, whole = '', fraction = ''] = /^\+?(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole + fraction === '') return null;
  return { whole: whole.replace(/^0+(?=\d)/, '') || '0', fraction };
}

function readCurrency(leaf: Leaf): string {
  if (leaf.currency === null)
    return fault(leaf, 'missing_currency', `The amount in ${leaf.name} has no currency (Ccy).`);
  if (!/^[A-Z]{3}$/.test(leaf.currency))
    return fault(leaf, 'bad_value', `${quote(leaf.currency)} is not a currency code.`);
  return leaf.currency;
}

/** An amount with its currency. A currency that Paylink does not know gives no minor units. */
export function readMoney(leaf: Leaf): Money {
  const currency = readCurrency(leaf);
  if (leaf.text.startsWith('-'))
    fault(
      leaf,
      'negative_amount',
      `The amount ${quote(leaf.text)} is negative. In camt, CdtDbtInd gives the direction instead.`,
    );
  const digits = readDigits(leaf.text);
  if (!digits) return fault(leaf, 'bad_amount', `${quote(leaf.text)} in ${leaf.name} is not an amount.`);
  const { whole, fraction } = digits;
  if (fraction.length > fineDigits || whole.length + fraction.length > maxDigits)
    fault(leaf, 'bad_amount', `The amount ${quote(leaf.text)} has more digits than the standard allows.`);
  const amountText = fraction === '' ? whole : `${whole}.${fraction}`;
  const fine = BigInt(whole + fraction.padEnd(fineDigits, '0'));
  if (!isCurrency(currency)) return { amountMinor: null, amountText, currency, fine };
  const parsed = parseStatementAmount(amountText, currency);
  if ('fault' in parsed)
    return fault(
      leaf,
      'bad_amount',
      `The amount ${quote(leaf.text)} is not valid in ${currency}: ${parsed.fault.replaceAll('_', ' ')}.`,
    );
  return { amountMinor: parsed.amountMinor, amountText, currency, fine };
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const zone = '(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)?';
const dayForm = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})${zone}$`);
const momentForm = new RegExp(
  `^(\\d{4})-(\\d{2})-(\\d{2})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?${zone}$`,
);

/** The day of a date, or of a date-time in the bank's own zone: `2026-03-31`. */
export function readDay(leaf: Leaf): string {
  const [, year, month, day] = dayForm.exec(leaf.text) ?? momentForm.exec(leaf.text) ?? [];
  if (year === undefined || !isDay(Number(year), Number(month), Number(day)))
    return fault(leaf, 'bad_date', `${quote(leaf.text)} in ${leaf.name} is not a date.`);
  return `${year}-${month}-${day}`;
}

export function readMoment(leaf: Leaf): string {
  if (!momentForm.test(leaf.text))
    fault(leaf, 'bad_date', `${quote(leaf.text)} in ${leaf.name} is not a date with a time.`);
  readDay(leaf);
  return leaf.text;
}

function readCode<T>(leaf: Leaf, table: Readonly<Record<string, T>>): T {
  const value = Object.hasOwn(table, leaf.text) ? table[leaf.text] : undefined;
  if (value === undefined)
    return fault(leaf, 'bad_value', `${quote(leaf.text)} is not a value of ${leaf.name}.`);
  return value;
}

export function readDirection(leaf: Leaf): StatementLine['direction'] {
  return readCode(leaf, { CRDT: 'credit', DBIT: 'debit' } as const);
}

export function readIsReversal(leaf: Leaf): boolean {
  return readCode(leaf, { true: true, '1': true, false: false, '0': false });
}

/** FUTR is the code of newer versions for what is due on a later day. */
export function readStatus(leaf: Leaf): StatementLine['status'] {
  return readCode(leaf, { BOOK: 'booked', PDNG: 'pending', FUTR: 'pending', INFO: 'info' } as const);
}

export function readCount(leaf: Leaf): number {
  if (!/^\d{1,15}$/.test(leaf.text))
    fault(leaf, 'bad_value', `${quote(leaf.text)} in ${leaf.name} is not a number of transactions.`);
  return Number(leaf.text);
}

/** Copies a text: a substring would keep the whole text in memory that it was cut from. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

/** Null for an empty text. */
export function readText({ text }: Leaf): string | null {
  return text === '' ? null : ownCopy(text);
}

/** A reference; null for the texts by which banks say that there is none. */
export function readReferenceText(leaf: Leaf): string | null {
  return /^(NOTPROVIDED|NONREF)$/i.test(leaf.text) ? null : readText(leaf);
}

/** An account number without spaces. It is not checked: the bank knows whether it is valid. */
export function readAccount({ text }: Leaf): string | null {
  return text === '' ? null : ownCopy(normaliseIban(text));
}

/** The account number from the element for other identifiers, where some banks put an IBAN; null if it is no IBAN. */
export function readOtherAccount({ text }: Leaf): string | null {
  const read = parseIban(text);
  return 'iban' in read ? ownCopy(read.iban) : null;
}

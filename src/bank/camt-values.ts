// The single values of a camt file: amounts, dates, indicators, texts. What the standard does not allow is
// a fault of the file. It must never make a value better than the bank wrote it.

import { normaliseIban, parseIban } from '../base/iban.ts';
import { isCurrency, parseStatementAmount } from '../base/money.ts';
import { StatementError, type StatementErrorCode, type StatementLine } from './statement.ts';

/** An element that holds a text, as it was found. */
export type Leaf = { name: string; text: string; currency: string | null; line: number };

export type Money = {
  amountMinor: number | null;
  amountText: string;
  currency: string;
  /** The amount in hundred-thousandths, the finest that the standard has: comparable in every currency. */
  fine: bigint;
};

/** Digits after the point and in all that the standard gives an amount. */
const fineDigits = 5;
const maxDigits = 18;

function fault(leaf: Leaf, code: StatementErrorCode, detail: string): never {
  throw new StatementError(code, detail, leaf.line);
}

/** What a value looks like in a sentence: short, on one line. */
function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

const askBank = 'The bank has to mend the file: nothing of it was taken.';

/** The digits of a decimal, `007.50` as `7.50`; null for what is none. The schema allows a plus sign, `.5` and `5.`. */
function readDigits(text: string): { whole: string; fraction: string } | null {
  const [, whole = '', fraction = ''] = /^\+?(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole + fraction === '') return null;
  return { whole: whole.replace(/^0+(?=\d)/, '') || '0', fraction };
}

function readCurrency(leaf: Leaf): string {
  if (leaf.currency === null)
    return fault(leaf, 'missing_currency', `The amount in ${leaf.name} has no currency (Ccy). ${askBank}`);
  if (!/^[A-Z]{3}$/.test(leaf.currency))
    return fault(leaf, 'bad_value', `${quote(leaf.currency)} is no code of a currency. ${askBank}`);
  return leaf.currency;
}

/** An amount with its currency. One in a currency that Paylink doesn't know has no minor units. */
export function readMoney(leaf: Leaf): Money {
  const currency = readCurrency(leaf);
  if (leaf.text.startsWith('-'))
    fault(
      leaf,
      'negative_amount',
      `The amount ${quote(leaf.text)} is negative: camt says by CdtDbtInd which way money went. ${askBank}`,
    );
  const digits = readDigits(leaf.text);
  if (!digits)
    return fault(leaf, 'bad_amount', `${quote(leaf.text)} in ${leaf.name} is no amount. ${askBank}`);
  const { whole, fraction } = digits;
  if (fraction.length > fineDigits || whole.length + fraction.length > maxDigits)
    fault(
      leaf,
      'bad_amount',
      `The amount ${quote(leaf.text)} has more digits than the standard allows. ${askBank}`,
    );
  const amountText = fraction === '' ? whole : `${whole}.${fraction}`;
  const fine = BigInt(whole + fraction.padEnd(fineDigits, '0'));
  if (!isCurrency(currency)) return { amountMinor: null, amountText, currency, fine };
  const parsed = parseStatementAmount(amountText, currency);
  if ('fault' in parsed)
    return fault(
      leaf,
      'bad_amount',
      `The amount ${quote(leaf.text)} can't be one in ${currency}: ${parsed.fault.replaceAll('_', ' ')}. ${askBank}`,
    );
  return { amountMinor: parsed.amountMinor, amountText, currency, fine };
}

/** Whether a calendar has this day. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const zone = '(?:Z|[+-](?:0\\d|1[0-4]):[0-5]\\d)?';
const dayForm = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})${zone}$`);
const momentForm = new RegExp(
  `^(\\d{4})-(\\d{2})-(\\d{2})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?${zone}$`,
);

/** The day of a date, or of a moment as the bank's own clock showed it: `2026-03-31`. */
export function readDay(leaf: Leaf): string {
  const [, year, month, day] = dayForm.exec(leaf.text) ?? momentForm.exec(leaf.text) ?? [];
  if (year === undefined || !isDay(Number(year), Number(month), Number(day)))
    return fault(leaf, 'bad_date', `${quote(leaf.text)} in ${leaf.name} is no date. ${askBank}`);
  return `${year}-${month}-${day}`;
}

/** A moment, as the bank wrote it. */
export function readMoment(leaf: Leaf): string {
  if (!momentForm.test(leaf.text))
    fault(leaf, 'bad_date', `${quote(leaf.text)} in ${leaf.name} is no date with a time. ${askBank}`);
  readDay(leaf);
  return leaf.text;
}

/** A value out of a table of those that the standard has. */
function readCode<T>(leaf: Leaf, table: Readonly<Record<string, T>>): T {
  const value = Object.hasOwn(table, leaf.text) ? table[leaf.text] : undefined;
  if (value === undefined)
    return fault(leaf, 'bad_value', `${quote(leaf.text)} is no value of ${leaf.name}. ${askBank}`);
  return value;
}

export function readDirection(leaf: Leaf): StatementLine['direction'] {
  return readCode(leaf, { CRDT: 'credit', DBIT: 'debit' } as const);
}

export function readIsReversal(leaf: Leaf): boolean {
  return readCode(leaf, { true: true, '1': true, false: false, '0': false });
}

/** FUTR is the newer versions' word for what is due on a later day. */
export function readStatus(leaf: Leaf): StatementLine['status'] {
  return readCode(leaf, { BOOK: 'booked', PDNG: 'pending', FUTR: 'pending', INFO: 'info' } as const);
}

/** How many transactions an entry books. */
export function readCount(leaf: Leaf): number {
  if (!/^\d{1,15}$/.test(leaf.text))
    fault(leaf, 'bad_value', `${quote(leaf.text)} in ${leaf.name} is no number of transactions. ${askBank}`);
  return Number(leaf.text);
}

/** A copy that stands by itself: a piece of a string holds on to the whole text that it was cut from. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

/** A text; null for an empty one. */
export function readText({ text }: Leaf): string | null {
  return text === '' ? null : ownCopy(text);
}

/** A reference; null for the words by which banks say that there is none. */
export function readReferenceText(leaf: Leaf): string | null {
  return /^(NOTPROVIDED|NONREF)$/i.test(leaf.text) ? null : readText(leaf);
}

/** An account number without spaces; whether it is a good one is for the bank to know. */
export function readAccount({ text }: Leaf): string | null {
  return text === '' ? null : ownCopy(normaliseIban(text));
}

/** The account number of an element for numbers of other kinds, where some banks put an IBAN; null for what is none. */
export function readOtherAccount({ text }: Leaf): string | null {
  const read = parseIban(text);
  return 'iban' in read ? ownCopy(read.iban) : null;
}

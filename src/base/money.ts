// Money is a safe integer of minor units with an ISO 4217 code. This file is the only place that
// turns decimal text into minor units and back. It must never let a binary fraction touch an amount.

/**
 * Digits after the point, by ISO 4217. Our own table, because `Intl` reports the digits people
 * print (CLDR), which differ from the standard's for some currencies.
 */
const exponents = { USD: 2, EUR: 2 } as const;

export type Currency = keyof typeof exponents;

export const currencies = Object.keys(exponents) as Currency[];

/** The largest amount of one payment: 10,000,000.00 in major units. */
export const maxAmountMajor = 10_000_000;

/**
 * The largest number of minor units that `toMajorNumber` takes: 15 digits, which a double holds exactly (IEEE 754)
 * wherever the point stands. Amounts that others report are refused above it; for sums there is `toMajorSum`.
 */
export const maxExactMinor = 999_999_999_999_999;

/** The number of digits after the point of a currency that we take. */
export function exponentOf(currency: Currency): number {
  return exponents[currency];
}

/** Whether a text is the code of a currency that we take (upper case, ISO 4217). */
export function isCurrency(code: string): code is Currency {
  return Object.hasOwn(exponents, code);
}

export type AmountError = 'not_a_number' | 'not_positive' | 'too_precise' | 'too_large';

/**
 * The value is `digits` · 10^`exponent`. The digits neither begin nor end with a zero; zero itself has none,
 * is not negative and has the exponent 0, so that equal numbers have equal parts.
 */
type Decimal = { negative: boolean; digits: string; exponent: number };

const zero: Decimal = { negative: false, digits: '', exponent: 0 };
const zeroCode = 0x30;

/** An exponent with more digits than this, leading zeros aside, is no number that anything here can mean. */
const longestExponent = 9;

/** Where the zeros at the end of a text of digits begin. A loop, because `/0+$/` takes quadratic time. */
function endWithoutZeros(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === zeroCode) end -= 1;
  return end;
}

/**
 * Reads a JSON number's text (`19.99`, `1e2`, `-0.50`) exactly, in time that grows with its length alone.
 * Returns null for other text, and for exponents so wild that no amount could have them.
 */
function readDecimal(text: string): Decimal | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)(\d+))?$/.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponentSign, writtenExponent = '0'] = match;
  const all = whole + fraction;
  const end = endWithoutZeros(all);
  const digits = all.slice(0, end).replace(/^0+/, '');
  if (digits === '') return zero;
  const power = writtenExponent.replace(/^0+/, '');
  if (power.length > longestExponent) return null;
  const exponent = (exponentSign === '-' ? -1 : 1) * Number(power) - fraction.length + (all.length - end);
  return { negative: sign === '-', digits, exponent };
}

/** Whether two decimal texts name the same number: `19.990` and `19.99` do. */
export function isSameDecimal(a: string, b: string): boolean {
  const left = readDecimal(a);
  const right = readDecimal(b);
  return (
    left !== null &&
    right !== null &&
    left.negative === right.negative &&
    left.digits === right.digits &&
    left.exponent === right.exponent
  );
}

/** A whole number of minor units with more digits than this is too large, whatever is asked. */
const longestMinor = String(Number.MAX_SAFE_INTEGER).length;

/** The value in minor units; a fault when the currency has fewer digits after the point, or it is no safe integer. */
function minorUnits(decimal: Decimal, currency: Currency): number | 'too_precise' | 'too_large' {
  if (decimal.digits === '') return 0;
  const zeros = decimal.exponent + exponentOf(currency);
  if (zeros < 0) return 'too_precise';
  if (decimal.digits.length + zeros > longestMinor) return 'too_large';
  const minor = BigInt(decimal.digits + '0'.repeat(zeros));
  return minor > BigInt(Number.MAX_SAFE_INTEGER) ? 'too_large' : Number(minor);
}

/**
 * Turns the decimal text of an amount in major units into minor units, exactly.
 * `parseAmount('19.99', 'EUR')` is `{ amountMinor: 1999 }`; more digits than the currency has,
 * zero, a negative or an over-large amount is a fault, never rounded.
 */
export function parseAmount(
  text: string,
  currency: Currency,
): { amountMinor: number } | { fault: AmountError } {
  const decimal = readDecimal(text);
  if (!decimal) return { fault: 'not_a_number' };
  if (decimal.negative || decimal.digits === '') return { fault: 'not_positive' };
  const amountMinor = minorUnits(decimal, currency);
  if (typeof amountMinor === 'string') return { fault: amountMinor };
  return amountMinor > maxAmountMajor * 10 ** exponentOf(currency) ? { fault: 'too_large' } : { amountMinor };
}

/**
 * The same for an amount in somebody else's books, where zero is allowed and there is no largest payment:
 * only what has more than 15 digits in minor units is too large.
 */
export function parseStatementAmount(
  text: string,
  currency: Currency,
): { amountMinor: number } | { fault: AmountError } {
  const decimal = readDecimal(text);
  if (!decimal) return { fault: 'not_a_number' };
  if (decimal.negative) return { fault: 'not_positive' };
  const amountMinor = minorUnits(decimal, currency);
  if (typeof amountMinor === 'string') return { fault: amountMinor };
  return amountMinor > maxExactMinor ? { fault: 'too_large' } : { amountMinor };
}

/** Minor units as the decimal text of major units with all digits: `1999, EUR` is `19.99`. */
export function toDecimalText(amountMinor: number, currency: Currency): string {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError('an amount is a safe integer of minor units');
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, '0');
  const sign = amountMinor < 0 ? '-' : '';
  const point = digits.length - exponent;
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * Minor units as the JSON number of the API. The nearest double of a decimal with at most 15
 * digits prints as that same decimal, so what a client reads is exact. Throws RangeError for more digits.
 */
export function toMajorNumber(amountMinor: number, currency: Currency): number {
  if (Math.abs(amountMinor) > maxExactMinor)
    throw new RangeError('an amount in the API has at most 15 digits');
  return Number(toDecimalText(amountMinor, currency));
}

/**
 * A sum of amounts as the JSON number of the API: exact up to 15 digits, and above them the number nearest to it that a
 * double holds. A sum has no largest one, and must never be a reason to refuse an answer.
 */
export function toMajorSum(sumMinor: bigint, currency: Currency): number {
  return Number(`${sumMinor}e-${exponentOf(currency)}`);
}

/** `toMajorNumber` for a currency that Paylink may not take: its digits are those of ISO 4217, as far as Intl knows them. */
export function toMajorNumberOfAnyCurrency(amountMinor: number, currency: string): number {
  if (isCurrency(currency)) return toMajorNumber(amountMinor, currency);
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return Number(`${amountMinor}e-${format.resolvedOptions().maximumFractionDigits ?? 2}`);
}

// Money is a safe integer of minor units with an ISO 4217 code. Only this file converts amounts in supported
// currencies between decimal text and minor units. Must not: let a binary fraction touch an amount.

/** By ISO 4217. `Intl` reports the digits that people print (CLDR), which differ for some currencies. */
const exponents = { USD: 2, EUR: 2 } as const;

export type Currency = keyof typeof exponents;

export const currencies = Object.keys(exponents) as Currency[];

/** The largest amount of one payment: 10,000,000.00 in major units. */
export const maxAmountMajor = 10_000_000;

/** The most minor units of `toMajorNumber`: 15 digits, exact as a double (IEEE 754). For sums use `toMajorSum`. */
export const maxExactMinor = 999_999_999_999_999;

export function exponentOf(currency: Currency): number {
  return exponents[currency];
}

/** Whether a text is the code of a supported currency (upper case, ISO 4217). */
export function isCurrency(code: string): code is Currency {
  return Object.hasOwn(exponents, code);
}

export type AmountError = 'not_a_number' | 'not_positive' | 'too_precise' | 'too_large';

/** `digits` · 10^`exponent`. No zeros at the ends, and a single form of zero: equal numbers have equal parts. */
type Decimal = { negative: boolean; digits: string; exponent: number };

const zero: Decimal = { negative: false, digits: '', exponent: 0 };
const zeroCode = 0x30;

/** A longer exponent (without leading zeros) cannot belong to an amount. */
const longestExponent = 9;

/** The index where the trailing zeros begin. A loop, because `/0+$/` takes quadratic time. */
function endWithoutZeros(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === zeroCode) end -= 1;
  return end;
}

/** Reads a JSON number (`19.99`, `1e2`) exactly, in linear time. Null for others, and for impossible exponents. */
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

/** Whether two decimal texts have the same value, as `19.990` and `19.99` have. */
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

/** A whole number of minor units with more digits than this is always too large. */
const longestMinor = String(Number.MAX_SAFE_INTEGER).length;

/** The magnitude as an integer of 10^-`decimals`. A fault when it has more digits, or is not a safe integer. */
function scaledMagnitude(decimal: Decimal, decimals: number): number | 'too_precise' | 'too_large' {
  if (decimal.digits === '') return 0;
  const zeros = decimal.exponent + decimals;
  if (zeros < 0) return 'too_precise';
  if (decimal.digits.length + zeros > longestMinor) return 'too_large';
  const scaled = BigInt(decimal.digits + '0'.repeat(zeros));
  return scaled > BigInt(Number.MAX_SAFE_INTEGER) ? 'too_large' : Number(scaled);
}

/** Without the sign. A fault when the currency has fewer digits, or the value is not a safe integer. */
function minorUnits(decimal: Decimal, currency: Currency): number | 'too_precise' | 'too_large' {
  return scaledMagnitude(decimal, exponentOf(currency));
}

/** Reads a decimal as an integer of 10^-`decimals`: `'-19.9', 2` is `{ scaled: -1990 }`. Nothing is rounded. */
export function parseScaled(
  text: string,
  decimals: number,
): { scaled: number } | { fault: 'not_a_number' | 'too_precise' | 'too_large' } {
  const decimal = readDecimal(text);
  if (!decimal) return { fault: 'not_a_number' };
  const scaled = scaledMagnitude(decimal, decimals);
  if (typeof scaled === 'string') return { fault: scaled };
  return { scaled: decimal.negative ? -scaled : scaled };
}

/** `'19.99', 'EUR'` is `{ amountMinor: 1999 }`. Nothing is rounded. Zero, negatives and too large ones are faults. */
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

/** The same for amounts that others report: zero is allowed, and only more than 15 digits are too large. */
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

/** Minor units as decimal text in major units, with all digits: `1999, EUR` is `19.99`. */
export function toDecimalText(amountMinor: number, currency: Currency): string {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError('an amount is a safe integer of minor units');
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, '0');
  const sign = amountMinor < 0 ? '-' : '';
  const point = digits.length - exponent;
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The nearest double of at most 15 digits prints as the same decimal. Throws RangeError for more. */
export function toMajorNumber(amountMinor: number, currency: Currency): number {
  if (Math.abs(amountMinor) > maxExactMinor)
    throw new RangeError('an amount in the API has at most 15 digits');
  return Number(toDecimalText(amountMinor, currency));
}

/** Exact up to 15 digits, above them the nearest double. A sum is unbounded. Must not: make a response fail. */
export function toMajorSum(sumMinor: bigint, currency: Currency): number {
  return Number(`${sumMinor}e-${exponentOf(currency)}`);
}

/** Also for unsupported currencies, with the digits of ISO 4217, as far as Intl knows them. */
export function toMajorNumberOfAnyCurrency(amountMinor: number, currency: string): number {
  if (isCurrency(currency)) return toMajorNumber(amountMinor, currency);
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return Number(`${amountMinor}e-${format.resolvedOptions().maximumFractionDigits ?? 2}`);
}

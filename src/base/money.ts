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

/** The number of digits after the point of a currency that we take. */
export function exponentOf(currency: Currency): number {
  return exponents[currency];
}

/** Whether a text is the code of a currency that we take (upper case, ISO 4217). */
export function isCurrency(code: string): code is Currency {
  return Object.hasOwn(exponents, code);
}

export type AmountFault = 'not_a_number' | 'not_positive' | 'too_precise' | 'too_large';

type Decimal = { negative: boolean; digits: bigint; scale: number };

/**
 * Reads a JSON number's text (`19.99`, `1e2`, `-0.50`) exactly: value = digits · 10^-scale.
 * Returns null for other text, and for exponents so wild that no amount could have them.
 */
function readDecimal(text: string): Decimal | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  let digits = BigInt(whole + fraction);
  let scale = fraction.length - Number(exponent);
  while (scale > 0 && digits !== 0n && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  if (digits === 0n) scale = 0;
  if (scale < 0) {
    digits *= 10n ** BigInt(-scale);
    scale = 0;
  }
  return { negative: sign === '-' && digits !== 0n, digits, scale };
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
    left.scale === right.scale
  );
}

/** The value in minor units, or null when the currency has fewer digits after the point. */
function minorUnits(decimal: Decimal, exponent: number): bigint | null {
  return decimal.scale > exponent ? null : decimal.digits * 10n ** BigInt(exponent - decimal.scale);
}

/**
 * Turns the decimal text of an amount in major units into minor units, exactly.
 * `parseAmount('19.99', 'EUR')` is `{ amountMinor: 1999 }`; more digits than the currency has,
 * zero, a negative or an over-large amount is a fault, never rounded.
 */
export function parseAmount(
  text: string,
  currency: Currency,
): { amountMinor: number } | { fault: AmountFault } {
  const decimal = readDecimal(text);
  if (!decimal) return { fault: 'not_a_number' };
  if (decimal.negative || decimal.digits === 0n) return { fault: 'not_positive' };
  const exponent = exponentOf(currency);
  const minor = minorUnits(decimal, exponent);
  if (minor === null) return { fault: 'too_precise' };
  if (minor > BigInt(maxAmountMajor) * 10n ** BigInt(exponent)) return { fault: 'too_large' };
  return { amountMinor: Number(minor) };
}

/**
 * The same for an amount in somebody else's books, where zero is allowed and there is no largest payment:
 * only what is no safe integer of minor units is too large.
 */
export function parseBookedAmount(
  text: string,
  currency: Currency,
): { amountMinor: number } | { fault: AmountFault } {
  const decimal = readDecimal(text);
  if (!decimal) return { fault: 'not_a_number' };
  if (decimal.negative) return { fault: 'not_positive' };
  const minor = minorUnits(decimal, exponentOf(currency));
  if (minor === null) return { fault: 'too_precise' };
  if (minor > BigInt(Number.MAX_SAFE_INTEGER)) return { fault: 'too_large' };
  return { amountMinor: Number(minor) };
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
 * digits prints as that same decimal, so what a client reads is exact.
 */
export function toMajorNumber(amountMinor: number, currency: Currency): number {
  return Number(toDecimalText(amountMinor, currency));
}

// Exact amounts: Paylink takes major units with two decimals, Medusa has decimals of any length, Vendure has integer
// minor units. Must not: multiply or add floats.

/** A decimal number: `units` divided by ten to the power of `scale`. */
export type Decimal = { units: bigint; scale: number };

export const zero: Decimal = { units: 0n, scale: 0 };

/** What Paylink accepts with two decimals. */
const currencies = ['EUR', 'USD'];

/** The currency in the form of ISO 4217; null if Paylink does not take it. */
export function readCurrency(code: string): 'EUR' | 'USD' | null {
  const upper = code.toUpperCase();
  return currencies.includes(upper) ? (upper as 'EUR' | 'USD') : null;
}

/** Reads a decimal number, with or without an exponent; null for any other text. */
export function parseDecimal(text: string): Decimal | null {
  const match = /^(-?)(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

/** The units at a scale that is not smaller than the number's own. */
const unitsAt = ({ units, scale }: Decimal, wanted: number) => units * 10n ** BigInt(wanted - scale);

export function formatDecimal({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 && fraction ? `.${fraction}` : ''}`;
}

/** Rounds to cents; half a cent is rounded away from zero, as Medusa and Vendure do. */
export function roundToMinor({ units, scale }: Decimal): bigint {
  if (scale <= 2) return unitsAt({ units, scale }, 2);
  const divisor = 10n ** BigInt(scale - 2);
  const half = units < 0n ? -divisor / 2n : divisor / 2n;
  return (units + half) / divisor;
}

/** The amount as the API takes it: the nearest double to a number with two decimals is written with these digits. */
export function toMajor(minor: bigint | number): number {
  return Number(formatDecimal({ units: BigInt(minor), scale: 2 }));
}

/** The cents of an amount of the API. */
export function toMinor(major: number): bigint {
  const decimal = parseDecimal(String(major));
  if (decimal === null) throw new TypeError(`${major} is not an amount`);
  return roundToMinor(decimal);
}

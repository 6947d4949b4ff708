// The items of a payment: what it is for, line by line, and the tax in them. Pure. Tax is shown, never added: an item's
// amount is gross.

/** One line of an order. */
export type PaymentItem = {
  name: string;
  quantity: number;
  /** Gross, in minor units; negative for a discount. */
  unitAmountMinor: number;
  /** In hundredths of a percent: 1900 is 19 %. Null if the merchant gave none. */
  taxRate: number | null;
};

/** The tax of all items with one rate. */
export type ItemTax = {
  /** In hundredths of a percent. */
  rate: number;
  /** The sum of these items, tax included, in minor units. */
  grossMinor: number;
  taxMinor: number;
};

export const maxItems = 100;
export const maxItemQuantity = 9_999;
/** In characters. */
export const maxItemName = 200;

/** 100 % in the unit of a tax rate. */
const wholeRate = 10_000;

/** Quantity × unit amount, in minor units. */
export function lineTotal({ quantity, unitAmountMinor }: PaymentItem): number {
  return quantity * unitAmountMinor;
}

/** Rounds a fraction to the nearest integer, and a half away from zero. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/** The tax contained in a gross amount, in minor units. A half is rounded up, for a negative amount down. */
export function taxIn(grossMinor: number, rate: number): number {
  // The product may exceed the safe integers.
  return Number(divideRounded(BigInt(grossMinor) * BigInt(rate), BigInt(wholeRate + rate)));
}

/** The tax of the items, one entry for each rate, highest first. It is computed of the sum, and so rounded once. */
export function taxesOf(items: readonly PaymentItem[]): ItemTax[] {
  const grossByRate = new Map<number, number>();
  for (const item of items)
    if (item.taxRate !== null)
      grossByRate.set(item.taxRate, (grossByRate.get(item.taxRate) ?? 0) + lineTotal(item));
  return [...grossByRate]
    .sort(([one], [other]) => other - one)
    .map(([rate, grossMinor]) => ({ rate, grossMinor, taxMinor: taxIn(grossMinor, rate) }));
}

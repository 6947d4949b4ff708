// Amounts in currencies that Paylink doesn't take: money that moved all the same, and that a person has to look at.

import { maxExactMinor } from '../base/money.ts';

/**
 * The decimal text of an amount in the smallest unit that it is written in: `12.34` is 1234, `500` is 500. Null for what
 * is no amount, or no code of a currency.
 */
export function parseProcessorAmount(currency: string, text: string | null): number | null {
  if (!/^[A-Z]{3}$/.test(currency) || text === null || !/^\d{1,15}(\.\d{1,3})?$/.test(text)) return null;
  const amountMinor = Number(text.replace('.', ''));
  return amountMinor <= maxExactMinor ? amountMinor : null;
}

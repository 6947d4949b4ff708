// Amounts in currencies that Paylink does not support: money that moved nevertheless, and that a person must
// check.

import { maxExactMinor } from '../base/money.ts';

/**
 * Converts decimal text to the smallest unit in which it is written: `12.34` is 1234, `500` is 500. Null when
 * it is not an amount, or the currency is not a code.
 */
export function parseProcessorAmount(currency: string, text: string | null): number | null {
  if (!/^[A-Z]{3}$/.test(currency) || text === null || !/^\d{1,15}(\.\d{1,3})?$/.test(text)) return null;
  const amountMinor = Number(text.replace('.', ''));
  return amountMinor <= maxExactMinor ? amountMinor : null;
}

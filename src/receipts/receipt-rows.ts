// The rows of a receipt that have an amount at their end: items, total, taxes, refunds. Plain text, the same for the
// page, the PDF and emails. Must not contain markup.

import { formatAmount } from '../base/format-amount.ts';
import { formatTaxRate } from '../base/format-tax-rate.ts';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { type Locale, memoizeByLocale } from '../base/locale.ts';
import { plainText } from '../http/html.ts';
import { interpolateText } from '../http/interpolate.ts';
import { lineTotal, type PaymentItem, taxesOf } from '../payments/items.ts';
import type { PaidRefund } from '../payments/receipt-store.ts';
import type { Payment } from '../payments/store.ts';
import { receiptTexts } from '../texts/texts.ts';

/** A label with an amount. `note` explains the label; null without one. */
export type ReceiptRow = { label: string; note: string | null; amount: string };

/** More refunds than these are shown as their sum. */
export const maxListedRefunds = 12;

const countFormat = memoizeByLocale((locale) => new Intl.NumberFormat(locale));

/** `2 × €9.50 · 19%`; of one item only the rate. */
function noteOfItem({ quantity, unitAmountMinor, taxRate }: PaymentItem, currency: string, locale: Locale) {
  const price = formatAmount(unitAmountMinor, currency, locale);
  const parts = [
    quantity === 1 ? null : `${countFormat(locale).format(quantity)} × ${price}`,
    taxRate === null ? null : formatTaxRate(taxRate, locale),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' · ');
}

type Priced = Pick<Payment, 'items' | 'amountMinor' | 'currency'>;

/** One row for each item. */
export function rowsOfItems(
  { items, currency }: Pick<Priced, 'items' | 'currency'>,
  locale: Locale,
): ReceiptRow[] {
  return items.map((item) => ({
    label: plainText(item.name),
    note: noteOfItem(item, currency, locale),
    amount: formatAmount(lineTotal(item), currency, locale),
  }));
}

/** The total, and the taxes that it includes. */
export function rowsOfTotal({ items, amountMinor, currency }: Priced, locale: Locale): ReceiptRow[] {
  const text = receiptTexts(locale);
  const taxes = taxesOf(items).map(({ rate, taxMinor }) => ({
    label: interpolateText(locale, text.tax, { rate: formatTaxRate(rate, locale) }),
    note: null,
    amount: formatAmount(taxMinor, currency, locale),
  }));
  const total = formatAmount(amountMinor, currency, locale);
  return [{ label: text.labels.total, note: null, amount: total }, ...taxes];
}

/** The refunds with their dates, and what is left of the payment; their sum if there are many. */
export function rowsOfRefunds(
  { amountMinor, refundedMinor, currency }: Pick<Payment, 'amountMinor' | 'refundedMinor' | 'currency'>,
  refunds: readonly PaidRefund[],
  locale: Locale,
): ReceiptRow[] {
  if (refunds.length === 0) return [];
  const { refunded, remaining } = receiptTexts(locale).labels;
  const isListed = refunds.length <= maxListedRefunds;
  // The payment was read before its refunds: what is listed must add up.
  const sumMinor = isListed ? refunds.reduce((sum, refund) => sum + refund.amountMinor, 0) : refundedMinor;
  const rows = isListed
    ? refunds.map((refund) => ({
        label: refunded,
        note: formatTimestamp(refund.refundedAt, locale),
        amount: formatAmount(-refund.amountMinor, currency, locale),
      }))
    : [{ label: refunded, note: null, amount: formatAmount(-sumMinor, currency, locale) }];
  const left = formatAmount(amountMinor - sumMinor, currency, locale);
  return [...rows, { label: remaining, note: null, amount: left }];
}

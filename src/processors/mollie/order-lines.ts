// The items of an attempt as the order lines of a Mollie payment. Some methods, such as Klarna, need them. Mollie refuses a
// payment whose lines do not add up to its amount, or whose VAT it computes differently; so they have no VAT.

import { type Currency, toDecimalText } from '../../base/money.ts';
import type { AttemptItem, AttemptRequest } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';

/** In characters. Mollie states no limit for a payment's lines; this is the one of its sales invoices. */
const maxDescription = 100;

function orderLine({ name, quantity, unitAmountMinor }: AttemptItem, currency: Currency): UntrustedFields {
  const amountOf = (amountMinor: number) => ({ currency, value: toDecimalText(amountMinor, currency) });
  return {
    // Only a discount may be negative, and it must be.
    type: unitAmountMinor < 0 ? 'discount' : 'physical',
    description: [...name.trim()].slice(0, maxDescription).join(''),
    quantity,
    unitPrice: amountOf(unitAmountMinor),
    totalAmount: amountOf(quantity * unitAmountMinor),
  };
}

/** The member `lines` of a new payment; none for an attempt without items. */
export function orderLinesOf({ items, currency }: Pick<AttemptRequest, 'items' | 'currency'>): {
  lines?: UntrustedFields[];
} {
  return items.length === 0 ? {} : { lines: items.map((item) => orderLine(item, currency)) };
}

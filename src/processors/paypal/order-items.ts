// The items of an attempt as those of a PayPal order. PayPal takes no negative item, so discounts are subtracted as one
// amount. It refuses an order whose items and discount do not add up to its amount.

import { type Currency, toDecimalText } from '../../base/money.ts';
import type { AttemptItem, AttemptRequest } from '../processor.ts';
import { truncate } from './fields.ts';

/** PayPal's limit in characters. */
const maxName = 127;

const sumOf = (items: readonly AttemptItem[]) =>
  items.reduce((sum, { quantity, unitAmountMinor }) => sum + quantity * unitAmountMinor, 0);

const moneyOf = (amountMinor: number, currency: Currency) => ({
  currency_code: currency,
  value: toDecimalText(amountMinor, currency),
});

/** The amount of an order and, if the attempt has items, its items. */
export function orderAmount({
  amountMinor,
  currency,
  items,
}: Pick<AttemptRequest, 'amountMinor' | 'currency' | 'items'>): object {
  const amount = moneyOf(amountMinor, currency);
  if (items.length === 0) return { amount };
  const goods = items.filter(({ unitAmountMinor }) => unitAmountMinor >= 0);
  const discountMinor = -sumOf(items.filter(({ unitAmountMinor }) => unitAmountMinor < 0));
  const breakdown = {
    item_total: moneyOf(sumOf(goods), currency),
    ...(discountMinor === 0 ? {} : { discount: moneyOf(discountMinor, currency) }),
  };
  return {
    amount: { ...amount, breakdown },
    items: goods.map(({ name, quantity, unitAmountMinor }) => ({
      name: truncate(name, maxName),
      quantity: String(quantity),
      unit_amount: moneyOf(unitAmountMinor, currency),
    })),
  };
}

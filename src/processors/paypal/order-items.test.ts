import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderAmount } from './order-items.ts';

const euros = (value: string) => ({ currency_code: 'EUR', value });
const amountOf = (items: { name: string; quantity: number; unitAmountMinor: number }[]) =>
  orderAmount({ amountMinor: 1_999, currency: 'EUR', items });

test('items and their total are in the order, and discounts are subtracted as one amount', () => {
  const order = amountOf([
    { name: 'Ticket', quantity: 2, unitAmountMinor: 1_250 },
    { name: 'Discount', quantity: 3, unitAmountMinor: -100 },
    { name: 'Voucher', quantity: 1, unitAmountMinor: -201 },
  ]);
  assert.deepEqual(order, {
    amount: {
      ...euros('19.99'),
      breakdown: { item_total: euros('25.00'), discount: euros('5.01') },
    },
    items: [{ name: 'Ticket', quantity: '2', unit_amount: euros('12.50') }],
  });
});

test('without a discount there is none in the breakdown, and a long name is shortened between characters', () => {
  assert.deepEqual(amountOf([{ name: ` ${'🎟'.repeat(100)}`, quantity: 1, unitAmountMinor: 1_999 }]), {
    amount: { ...euros('19.99'), breakdown: { item_total: euros('19.99') } },
    items: [{ name: '🎟'.repeat(63), quantity: '1', unit_amount: euros('19.99') }],
  });
});

test('an order without items has its amount only', () => {
  assert.deepEqual(amountOf([]), { amount: euros('19.99') });
});

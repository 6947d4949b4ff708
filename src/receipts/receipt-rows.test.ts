// The rows with amounts add up: items to the total, and the total less refunds to what is left.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PaymentItem } from '../payments/items.ts';
import { maxListedRefunds, rowsOfItems, rowsOfRefunds, rowsOfTotal } from './receipt-rows.ts';

const item = (more: Partial<PaymentItem>): PaymentItem => ({
  ...{ name: 'Blue mug', quantity: 1, unitAmountMinor: 950, taxRate: null },
  ...more,
});
const refundedAt = new Date('2026-11-21T10:00:00Z');
const refundOf = (amountMinor: number) => ({ amountMinor, currency: 'EUR', refundedAt }) as const;
const paid = { amountMinor: 1_999, refundedMinor: 0, currency: 'EUR' } as const;

test('an item shows what it costs in all, and each and its tax rate only where that adds something', () => {
  const items = [
    item({ quantity: 2, taxRate: 1_900 }),
    item({ quantity: 1_200 }),
    item({ taxRate: 770 }),
    item({ name: 'Voucher\nof \u202Eyesterday', unitAmountMinor: -500 }),
  ];
  assert.deepEqual(rowsOfItems({ items, currency: 'EUR' }, 'en'), [
    { label: 'Blue mug', note: '2 × €9.50 · 19%', amount: '€19.00' },
    { label: 'Blue mug', note: '1,200 × €9.50', amount: '€11,400.00' },
    { label: 'Blue mug', note: '7.7%', amount: '€9.50' },
    { label: 'Voucher of yesterday', note: null, amount: '-€5.00' },
  ]);
});

test('the total comes first, and then the tax of each rate that it includes', () => {
  const items = [item({ quantity: 2, taxRate: 700 }), item({ unitAmountMinor: 99, taxRate: 1_900 })];
  const rows = rowsOfTotal({ items, amountMinor: 1_999, currency: 'EUR' }, 'en');
  assert.deepEqual(
    rows.map(({ label, amount }) => `${label} ${amount}`),
    ['Total €19.99', 'Includes 19% tax €0.16', 'Includes 7% tax €1.24'],
  );
  assert.equal(rowsOfTotal({ ...paid, items: [] }, 'en').length, 1);
});

test('each refund has its time, and the rest of the payment follows', () => {
  const rows = rowsOfRefunds({ ...paid, refundedMinor: 750 }, [refundOf(500), refundOf(250)], 'en');
  const note = 'November 21, 2026 at 10:00 UTC';
  assert.deepEqual(rows, [
    { label: 'Refunded', note, amount: '-€5.00' },
    { label: 'Refunded', note, amount: '-€2.50' },
    { label: 'Paid after refunds', note: null, amount: '€12.49' },
  ]);
  assert.deepEqual(rowsOfRefunds(paid, [], 'en'), []);
});

test('a refund that arrives between the two reads is subtracted from what is left', () => {
  const rows = rowsOfRefunds(paid, [refundOf(1_999)], 'en');
  assert.equal(rows.at(-1)?.amount, '€0.00');
});

test('more refunds than are listed are one row with their sum', () => {
  const refunds = Array.from({ length: maxListedRefunds + 1 }, () => refundOf(100));
  assert.deepEqual(rowsOfRefunds({ ...paid, refundedMinor: 1_500 }, refunds, 'en'), [
    { label: 'Refunded', note: null, amount: '-€15.00' },
    { label: 'Paid after refunds', note: null, amount: '€4.99' },
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderLinesOf } from './order-lines.ts';

const euros = (value: string) => ({ currency: 'EUR', value });

test('items become order lines whose totals add up to the amount, and a discount is one by its type', () => {
  const items = [
    { name: 'Ticket', quantity: 2, unitAmountMinor: 1_250 },
    { name: 'Discount', quantity: 3, unitAmountMinor: -167 },
    { name: 'Gift', quantity: 1, unitAmountMinor: 0 },
  ];
  assert.deepEqual(orderLinesOf({ items, currency: 'EUR' }).lines, [
    {
      type: 'physical',
      description: 'Ticket',
      quantity: 2,
      unitPrice: euros('12.50'),
      totalAmount: euros('25.00'),
    },
    {
      type: 'discount',
      description: 'Discount',
      quantity: 3,
      unitPrice: euros('-1.67'),
      totalAmount: euros('-5.01'),
    },
    {
      type: 'physical',
      description: 'Gift',
      quantity: 1,
      unitPrice: euros('0.00'),
      totalAmount: euros('0.00'),
    },
  ]);
});

test('a long name is shortened between characters, and without items there are no lines', () => {
  const items = [{ name: '🎟'.repeat(200), quantity: 1, unitAmountMinor: 1_999 }];
  const [line] = orderLinesOf({ items, currency: 'EUR' }).lines ?? [];
  assert.equal(line?.description, '🎟'.repeat(100));
  assert.deepEqual(orderLinesOf({ items: [], currency: 'EUR' }), {});
});

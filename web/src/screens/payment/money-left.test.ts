// The remaining amount of a payment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftToRefund } from './money-left.ts';

test('what was given back and what is being given back is left no more, what was refused is', () => {
  const refund = (amount: number, status: 'succeeded' | 'unknown' | 'processing' | 'failed') =>
    ({ amount, status, kind: 'merchant' }) as const;
  const refunds = [refund(0.1, 'succeeded'), refund(0.2, 'unknown'), refund(0.3, 'processing')];
  const payment = { amount: 19.99, refundedAmount: 0.1 };
  assert.equal(leftToRefund(payment, [...refunds, refund(7, 'failed')]), 19.39);
});

test('money that nobody owed takes nothing from what is left', () => {
  const surplus = { amount: 5, status: 'processing', kind: 'surplus' } as const;
  assert.equal(leftToRefund({ amount: 5, refundedAmount: 0 }, [surplus]), 5);
});

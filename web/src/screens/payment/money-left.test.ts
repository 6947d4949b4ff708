// The remaining amount of a payment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftToRefund } from './money-left.ts';

test('succeeded and pending refunds reduce what is left, failed ones do not', () => {
  const refund = (amount: number, status: 'succeeded' | 'unknown' | 'processing' | 'failed') =>
    ({ amount, status, kind: 'merchant' }) as const;
  const refunds = [refund(0.1, 'succeeded'), refund(0.2, 'unknown'), refund(0.3, 'processing')];
  const payment = { amount: 19.99, refundedAmount: 0.1 };
  assert.equal(leftToRefund(payment, [...refunds, refund(7, 'failed')]), 19.39);
});

test('refunds of overpayments do not reduce what is left', () => {
  const overpayment = { amount: 5, status: 'processing', kind: 'surplus' } as const;
  assert.equal(leftToRefund({ amount: 5, refundedAmount: 0 }, [overpayment]), 5);
});

// What the history of a payment shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOutcomeUnknown, leftToRefund, numberAttempts } from './history.ts';

const event = (type: string, attemptId: string | null = null) => ({ type, attemptId });

test('an outcome is unknown from the lost response until it is resolved, also after it was escalated', () => {
  const lost = [event('payment.processing'), event('attempt.unknown', 'att_1')];
  assert.equal(isOutcomeUnknown([]), false);
  assert.equal(isOutcomeUnknown(lost), true);
  assert.equal(isOutcomeUnknown([...lost, event('attempt.escalated', 'att_1'), event('mail.failed')]), true);
  assert.equal(isOutcomeUnknown([...lost, event('attempt.resolved', 'att_1')]), false);
});

test('attempts are numbered in the order in which they began', () => {
  const events = [event('a', 'att_2'), event('b'), event('c', 'att_1'), event('d', 'att_2')];
  assert.deepEqual(
    [...numberAttempts(events)],
    [
      ['att_2', 1],
      ['att_1', 2],
    ],
  );
});

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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndCode } from '../payments/end-codes.ts';
import { countDeclinedAttempts, mayRetry } from './retry-policy.ts';

const hard: EndCode[] = ['generic_decline', 'insufficient_funds', 'lost_or_stolen', 'suspected_fraud'];
const fixable: EndCode[] = [
  'source_declined',
  'incorrect_csc',
  'expired_card',
  'processing_error',
  'authentication_failed',
  'authentication_abandoned',
];

test('by default a hard decline fails the payment, and a fixable one does not', () => {
  for (const code of hard) assert.equal(mayRetry('fixable', code, 1), false, code);
  for (const code of fixable) assert.equal(mayRetry('fixable', code, 2), true, code);
});

test('the third attempt is the last, whatever the policy', () => {
  for (const code of [...hard, ...fixable]) assert.equal(mayRetry('all', code, 3), false, code);
});

test('a company can allow no retries, or all', () => {
  for (const code of [...hard, ...fixable]) {
    assert.equal(mayRetry('none', code, 1), false, code);
    assert.equal(mayRetry('all', code, 1), true, code);
  }
});

test('only declined attempts are counted', () => {
  const attempts = [
    { state: 'declined', declineCode: 'incorrect_csc' },
    { state: 'cancelled', declineCode: 'authentication_abandoned' },
    { state: 'cancelled', declineCode: 'never_started' },
    { state: 'succeeded', declineCode: null },
    { state: 'unknown', declineCode: null },
  ];
  assert.equal(countDeclinedAttempts(attempts), 2);
});

test('an attempt that never reached the processor does not count', () => {
  assert.equal(mayRetry('none', 'never_started', 3), true);
});

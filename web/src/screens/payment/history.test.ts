// What the history of a payment shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOutcomeUnknown, numberAttempts } from './history.ts';

const told = (type: string, attemptId: string | null = null) => ({ type, attemptId });

test('an outcome is unknown from the lost answer until it is resolved, however long ago it was escalated', () => {
  const lost = [told('payment.processing'), told('attempt.unknown', 'att_1')];
  assert.equal(isOutcomeUnknown([]), false);
  assert.equal(isOutcomeUnknown(lost), true);
  assert.equal(isOutcomeUnknown([...lost, told('attempt.escalated', 'att_1'), told('mail.failed')]), true);
  assert.equal(isOutcomeUnknown([...lost, told('attempt.resolved', 'att_1')]), false);
});

test('attempts are numbered in the order in which they began', () => {
  const events = [told('a', 'att_2'), told('b'), told('c', 'att_1'), told('d', 'att_2')];
  assert.deepEqual(
    [...numberAttempts(events)],
    [
      ['att_2', 1],
      ['att_1', 2],
    ],
  );
});

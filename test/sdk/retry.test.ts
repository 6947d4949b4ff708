import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PaylinkApiError, PaylinkConnectionError, PaylinkTimeoutError } from '../../sdk/src/errors.ts';
import { isRetryable, readRetryAfter, waitBeforeRetryMs } from '../../sdk/src/retry.ts';

const refusal = (status: number, retryAfterSeconds: number | null = null, code = 'some_code') =>
  new PaylinkApiError({ status, code, message: 'No.', errors: [], requestId: null, retryAfterSeconds });

test('a call that may have been carried out is repeated only if the service would recognise it', () => {
  const unclear = [new PaylinkTimeoutError('late'), new PaylinkConnectionError('gone'), refusal(500)];
  for (const error of [...unclear, refusal(408), refusal(502), refusal(504)]) {
    assert.equal(isRetryable(error, true), true, error.message);
    assert.equal(isRetryable(error, false), false, error.message);
  }
});

test('a call that was not carried out is always repeated, and a refusal never', () => {
  for (const isSafe of [true, false]) {
    for (const error of [refusal(429), refusal(503), refusal(409, null, 'idempotency_in_progress')])
      assert.equal(isRetryable(error, isSafe), true);
    for (const error of [refusal(400), refusal(401), refusal(409), refusal(422), new Error('a bug')])
      assert.equal(isRetryable(error, isSafe), false);
  }
});

test('a wait is never shorter than the service requests, and at most 8 seconds longer', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      random,
      fc.option(fc.nat(600)),
      (attempts, chance, asked) => {
        const waitMs = waitBeforeRetryMs(refusal(503, asked), attempts, chance) - (asked ?? 0) * 1_000;
        assert.ok(waitMs >= 0 && waitMs <= Math.min(8_000, 250 * 2 ** (attempts - 1)));
      },
    ),
  );
});

test('waits use the full range below their limit, which doubles with every attempt', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7].map((attempts) => waitBeforeRetryMs(new Error('x'), attempts, 1));
  assert.deepEqual(longest, [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  assert.equal(waitBeforeRetryMs(new Error('x'), 7, 0), 0);
});

test('Retry-After is read as seconds or as a date, and any other value is ignored', () => {
  const nowMs = Date.parse('2026-11-20T12:00:00Z');
  const read = (header: string | null) => readRetryAfter(header, nowMs);
  assert.deepEqual(
    [read('120'), read('0'), read('Fri, 20 Nov 2026 12:00:30 GMT'), read('Fri, 20 Nov 2026 11:00:00 GMT')],
    [120, 0, 30, 0],
  );
  assert.deepEqual([read(null), read('soon')], [null, null]);
});

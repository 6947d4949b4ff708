import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/harness/manual-clock.ts';
import { createExpiringSet } from './expiring-set.ts';
import { createTokenBuckets } from './token-buckets.ts';

const start = new Date('2026-11-23T00:00:00Z');

test('a bucket allows its quota at once, then one per interval', () => {
  const clock = manualClock(start);
  const buckets = createTokenBuckets(clock, { quota: 60, windowMs: 60_000, most: 10 });
  const takeMany = (count: number) =>
    Array.from({ length: count }, () => buckets.take('a')).filter(Boolean).length;
  assert.equal(takeMany(200), 60);
  clock.advanceMs(5_000);
  assert.equal(takeMany(200), 5);
  assert.equal(buckets.take('b'), true, 'another key has its own');
  clock.advanceMs(24 * 3_600_000);
  assert.equal(takeMany(200), 60);
  buckets.putBack('a');
  assert.equal(takeMany(2), 1);
});

test('the least recently used key is evicted, so invented keys cannot fill the memory', () => {
  const clock = manualClock(start);
  const buckets = createTokenBuckets(clock, { quota: 1, windowMs: 60_000, most: 2 });
  const recent = createExpiringSet(clock, { lifeMs: 1_000, most: 2 });
  assert.deepEqual(['a', 'b', 'a', 'c', 'b'].map(buckets.take), [true, true, false, true, true]);
  for (const key of ['a', 'b', 'c']) recent.add(key);
  assert.deepEqual(['a', 'b', 'c'].map(recent.has), [false, true, true]);
  clock.advanceMs(999);
  assert.equal(recent.leftMs('c'), 1);
  clock.advanceMs(1);
  assert.equal(recent.has('c'), false);
});

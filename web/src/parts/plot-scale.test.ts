// The upper end of an axis.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundTop } from './plot-scale.ts';

test('an axis ends at a round number, not below the largest value and not far above it', () => {
  const wanted = [0, 0.01, 0.4, 1, 1.01, 19.99, 24, 26, 99.5, 100, 101, 10_000_000, 12_345_678];
  assert.deepEqual(
    wanted.map(roundTop),
    [1, 0.01, 0.5, 1, 2, 20, 25, 50, 100, 100, 200, 10_000_000, 20_000_000],
  );
});

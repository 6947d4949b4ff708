// The long form of the simulation, for `npm run test:faults`: a million steps, or as many as five minutes
// hold. It must never end without having said how many there were.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { openMemoryDatabase } from './memory-database.ts';
import { describeFailure } from './shorten.ts';
import { playSteps, stepsOf } from './walk.ts';

const wantedSteps = 1_000_000;
const limitMs = 5 * 60_000;

/** Every tenth walk is a long one, in which more has piled up. */
function lengthOf(walk: number): number {
  return walk % 10 === 9 ? 10_000 : 2_000;
}

test('a million steps, or five minutes of them, leave no fault behind', async (t) => {
  const memory = await openMemoryDatabase();
  try {
    const first = randomInt(2 ** 30);
    const sums = { walks: 0, steps: 0, charges: 0 };
    const startedAt = performance.now();
    while (sums.steps < wantedSteps && performance.now() - startedAt < limitMs) {
      const seed = first + sums.walks;
      const walk = { seed, steps: stepsOf(seed, lengthOf(sums.walks)) };
      const { steps, charges, faults } = await playSteps(memory, walk);
      if (faults.length > 0) assert.fail(await describeFailure(memory, walk));
      sums.walks += 1;
      sums.steps += steps;
      sums.charges += charges;
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    t.diagnostic(JSON.stringify({ seed: first, ...sums, seconds }));
    assert.ok(sums.charges > 0, 'money moved');
  } finally {
    await memory.close();
  }
});

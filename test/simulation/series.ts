// A series of walks, one seed after the other, until there are enough or one fails. It must never go on
// after a failure: the first one is described in full.

import assert from 'node:assert/strict';
import type { MemoryDatabase } from './memory-database.ts';
import { describeFailure } from './shorten.ts';
import { runSteps, stepsOf } from './walk.ts';

export type SeriesTotals = { seed: number; walks: number; steps: number; charges: number };

/**
 * Plays walks from seed `first` on. `lengthOf` gives the steps of the walk with a number; `isEnough` is
 * asked after each walk, while the database is still as the walk left it. Throws what a failure needs.
 */
export async function runSeries(
  memory: MemoryDatabase,
  series: {
    first: number;
    lengthOf: (walk: number) => number;
    isEnough: (sums: SeriesTotals) => boolean | Promise<boolean>;
  },
): Promise<SeriesTotals & { perSecond: number }> {
  const sums: SeriesTotals = { seed: series.first, walks: 0, steps: 0, charges: 0 };
  const startedAt = performance.now();
  do {
    const seed = series.first + sums.walks;
    const walk = { seed, steps: stepsOf(seed, series.lengthOf(sums.walks)) };
    const { steps, charges, faults } = await runSteps(memory, walk);
    if (faults.length > 0) assert.fail(await describeFailure(memory, walk));
    sums.walks += 1;
    sums.steps += steps;
    sums.charges += charges;
  } while (!(await series.isEnough(sums)));
  assert.ok(sums.charges > 0, 'money moved');
  return { ...sums, perSecond: Math.round((sums.steps / (performance.now() - startedAt)) * 1000) };
}

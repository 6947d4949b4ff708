// Runs walks with consecutive seeds until there are enough or one fails.

import assert from 'node:assert/strict';
import type { MemoryDatabase } from './memory-database.ts';
import { describeFailure } from './shorten.ts';
import { runSteps, stepsOf } from './walk.ts';

export type SeriesTotals = { seed: number; walks: number; steps: number; charges: number };

/**
 * Runs walks from seed `first` on. `isEnough` is called after each walk, before the database is emptied. Throws a full
 * description of the first failure.
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
  assert.ok(sums.charges > 0, 'cards were charged');
  return { ...sums, perSecond: Math.round((sums.steps / (performance.now() - startedAt)) * 1000) };
}

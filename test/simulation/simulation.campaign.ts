// A million steps of the simulation, or as many as fit into five minutes. simulation.long.ts is the short form.

import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { openMemoryDatabase } from './memory-database.ts';
import { runSeries } from './series.ts';

const wantedSteps = 1_000_000;
const limitMs = 5 * 60_000;

/** Every tenth walk is long, so that more links and jobs accumulate. */
function lengthOf(walk: number): number {
  return walk % 10 === 9 ? 10_000 : 2_000;
}

test('a million steps, or five minutes of them, cause no fault', async (t) => {
  const memory = await openMemoryDatabase();
  try {
    const startedAt = performance.now();
    const sums = await runSeries(memory, {
      first: randomInt(2 ** 30),
      lengthOf,
      isEnough: ({ steps }) => steps >= wantedSteps || performance.now() - startedAt > limitMs,
    });
    t.diagnostic(JSON.stringify(sums));
  } finally {
    await memory.close();
  }
});

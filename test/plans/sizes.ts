// The frequent statements at several table sizes, on connections whose plans were made for smaller tables.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { drive } from './drive.ts';
import { grow } from './grow.ts';
import { findGreedy, type Reading, readWhile } from './readings.ts';
import { forget } from './restored.ts';
import { openStand, type Stand, untilInStep } from './stand.ts';

/** With fewer statements, most use cases did not run. */
const fewestStatements = 80;

function report(t: TestContext, state: string, readings: readonly Reading[]): void {
  for (const { text, perRow, rows } of readings.slice(0, 5))
    t.diagnostic(
      `${state}: ${perRow.toFixed(1)} pages a row, ${rows} rows: ${text.replaceAll(/\s+/g, ' ').slice(0, 100)}`,
    );
}

async function check(t: TestContext, stand: Stand, state: string): Promise<void> {
  const readings = await readWhile(stand, async () => await drive(stand));
  report(t, state, readings);
  assert.ok(readings.length >= fewestStatements, `${readings.length} statements were seen`);
  assert.deepEqual(findGreedy(readings), [], state);
}

/** The same after a restore, with the service's own analysis. */
export async function checkRestored(t: TestContext, stand: Stand): Promise<void> {
  await forget(stand.admin, stand.untold);
  const from = performance.now();
  await untilInStep(stand);
  t.diagnostic(`restored: analysed by the service after ${Math.round((performance.now() - from) / 1000)} s`);
  await check(t, stand, 'restored, analysed by the service');
}

/** `isAnalyzedEmpty`: the tables were analysed only while empty. `atLast` runs at the last size. */
export async function checkSizes(
  t: TestContext,
  options: { sizes: readonly number[]; isAnalyzedEmpty: boolean; atLast?: (stand: Stand) => Promise<void> },
): Promise<void> {
  const { sizes, isAnalyzedEmpty, atLast } = options;
  const stand = await openStand(async (admin) => {
    if (isAnalyzedEmpty) await admin.query('analyze');
  });
  try {
    await check(t, stand, 'without rows');
    let from = 0;
    for (const size of sizes) {
      await grow(stand.admin, from, size);
      from = size;
      await untilInStep(stand);
      await check(t, stand, `${size} rows, nobody analysed them`);
      await stand.admin.query('analyze');
      await check(t, stand, `${size} rows, analysed`);
    }
    await atLast?.(stand);
  } finally {
    await stand.stop();
  }
}

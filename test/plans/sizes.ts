// The frequent statements at several table sizes, on connections whose plans were made for smaller tables.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { drive } from './drive.ts';
import { grow } from './grow.ts';
import { openPlanFixture, type PlanFixture, untilAnalysed } from './plan-fixture.ts';
import { findExceeding, type Reading, readWhile } from './readings.ts';
import { deleteStatistics } from './restored.ts';

/** With fewer statements, most use cases did not run. */
const fewestStatements = 80;

function report(t: TestContext, state: string, readings: readonly Reading[]): void {
  for (const { text, perRow, rows } of readings.slice(0, 5))
    t.diagnostic(
      `${state}: ${perRow.toFixed(1)} pages a row, ${rows} rows: ${text.replaceAll(/\s+/g, ' ').slice(0, 100)}`,
    );
}

async function check(t: TestContext, fixture: PlanFixture, state: string): Promise<void> {
  const readings = await readWhile(fixture, async () => await drive(fixture));
  report(t, state, readings);
  assert.ok(readings.length >= fewestStatements, `${readings.length} statements were seen`);
  assert.deepEqual(findExceeding(readings), [], state);
}

/** The same after a restore, with the service's own analysis. */
export async function checkRestored(t: TestContext, fixture: PlanFixture): Promise<void> {
  await deleteStatistics(fixture.admin, fixture.emptySizes);
  const from = performance.now();
  await untilAnalysed(fixture);
  t.diagnostic(`restored: analysed by the service after ${Math.round((performance.now() - from) / 1000)} s`);
  await check(t, fixture, 'restored, analysed by the service');
}

/** `isAnalyzedEmpty`: the tables were analysed only while empty. `atLast` runs at the last size. */
export async function checkSizes(
  t: TestContext,
  options: {
    sizes: readonly number[];
    isAnalyzedEmpty: boolean;
    atLast?: (fixture: PlanFixture) => Promise<void>;
  },
): Promise<void> {
  const { sizes, isAnalyzedEmpty, atLast } = options;
  const fixture = await openPlanFixture(async (admin) => {
    if (isAnalyzedEmpty) await admin.query('analyze');
  });
  try {
    await check(t, fixture, 'without rows');
    let from = 0;
    for (const size of sizes) {
      await grow(fixture.admin, from, size);
      from = size;
      await untilAnalysed(fixture);
      await check(t, fixture, `${size} rows, not analysed`);
      await fixture.admin.query('analyze');
      await check(t, fixture, `${size} rows, analysed`);
    }
    await atLast?.(fixture);
  } finally {
    await fixture.stop();
  }
}

// plans.long.ts with 1,000,000 rows in each table, where a bad plan reads far more pages than its limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive } from './drive.ts';
import type { PlanFixture } from './plan-fixture.ts';
import { findExceeding, readWhile } from './readings.ts';
import { checkRestored, checkSizes } from './sizes.ts';

/** Indexes whose removal must be detected, and the table that is then scanned. */
const needed: readonly { index: string; reads: RegExp }[] = [
  { index: 'sandbox_refunds_charge', reads: /from sandbox_refunds/ },
  { index: 'attempts_payment', reads: /join attempts/ },
];

async function checkMissingIndexes(fixture: PlanFixture): Promise<void> {
  // safe: the names are this file's.
  await fixture.admin.query(`drop index ${needed.map(({ index }) => index).join(', ')}`);
  const exceeding = findExceeding(await readWhile(fixture, async () => await drive(fixture)));
  for (const { index, reads } of needed)
    assert.ok(
      exceeding.some((sentence) => reads.test(sentence)),
      `without ${index}: ${exceeding.join('\n')}`,
    );
}

test('with 1,000,000 rows no statement reads more than its pages per row, and one without its index does', async (t) => {
  await checkSizes(t, { sizes: [1_000, 1_000_000], isAnalyzedEmpty: false, atLast: checkMissingIndexes });
});

test('the same holds for tables that were analysed while empty, and after a restore', async (t) => {
  await checkSizes(t, {
    sizes: [1_000_000],
    isAnalyzedEmpty: true,
    atLast: async (fixture) => await checkRestored(t, fixture),
  });
});

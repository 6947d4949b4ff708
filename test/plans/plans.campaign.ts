// The same as plans.long.ts with 1,000,000 rows in each table, where a plan that reads too much reads very much. Indexes
// are deeper there, by a page or two for each look: the bounds are the same all the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drive } from './drive.ts';
import { findGreedy, readWhile } from './readings.ts';
import { checkRestored, checkSizes } from './sizes.ts';
import type { Stand } from './stand.ts';

/** Indexes without which a statement reads much, and the table that it then reads. */
const needed: readonly { index: string; reads: RegExp }[] = [
  { index: 'sandbox_refunds_charge', reads: /from sandbox_refunds/ },
  { index: 'attempts_payment', reads: /join attempts/ },
];

/** Without each of the indexes, statements are found that read too much. */
async function checkMissingIndexes(stand: Stand): Promise<void> {
  // safe: the names are this file's.
  await stand.admin.query(`drop index ${needed.map(({ index }) => index).join(', ')}`);
  const greedy = findGreedy(await readWhile(stand, async () => await drive(stand)));
  for (const { index, reads } of needed)
    assert.ok(
      greedy.some((sentence) => reads.test(sentence)),
      `without ${index}: ${greedy.join('\n')}`,
    );
}

test('no statement touches more than its pages for each row with 1,000,000, and one that lacks its index does', async (t) => {
  await checkSizes(t, { sizes: [1_000, 1_000_000], isAnalyzedEmpty: false, atLast: checkMissingIndexes });
});

test('so it is where the tables were analysed without rows, and after a restore', async (t) => {
  await checkSizes(t, {
    sizes: [1_000_000],
    isAnalyzedEmpty: true,
    atLast: async (stand) => await checkRestored(t, stand),
  });
});

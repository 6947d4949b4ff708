// Frequent statements read at most a few pages per row, with triggers and foreign keys, empty and with 1,000 rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findGreedy, readWhile } from './readings.ts';
import { checkSizes } from './sizes.ts';
import { openStand } from './stand.ts';

test('with 0 and 1,000 rows no statement reads more than its pages per row, analysed or not', async (t) => {
  await checkSizes(t, { sizes: [1_000], isAnalyzedEmpty: false });
});

test('a statement that reads the whole table for one row is detected', async () => {
  const stand = await openStand(async () => undefined);
  try {
    await stand.admin.query(
      `insert into rate_limits (bucket, full_at) select 'bucket-' || i, now() from generate_series(1, 20000) i`,
    );
    const readings = await readWhile(stand, async () => {
      await stand.paylink.app.deps.db.inSystem(
        async (tx) => await tx.query(`select full_at from rate_limits where bucket || '' = $1`, ['bucket-7']),
      );
    });
    const greedy = findGreedy(readings);
    assert.equal(greedy.length, 1);
    assert.match(greedy[0] ?? '', /^\d{3}\.\d pages a row \(at most 30\), 1 rows in 1 calls: select full_at/);
  } finally {
    await stand.stop();
  }
});

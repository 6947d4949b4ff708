// Frequent statements read at most a few pages per row, with triggers and foreign keys, empty and with 1,000 rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlanFixture } from './plan-fixture.ts';
import { findExceeding, readWhile } from './readings.ts';
import { checkSizes } from './sizes.ts';

test('with 0 and 1,000 rows no statement reads more than its pages per row, analysed or not', async (t) => {
  await checkSizes(t, { sizes: [1_000], isAnalyzedEmpty: false });
});

test('a statement that reads the whole table for one row is detected', async () => {
  const fixture = await openPlanFixture(async () => undefined);
  try {
    await fixture.admin.query(
      `insert into rate_limits (bucket, full_at) select 'bucket-' || i, now() from generate_series(1, 20000) i`,
    );
    const readings = await readWhile(fixture, async () => {
      await fixture.paylink.app.deps.db.inSystem(
        async (tx) => await tx.query(`select full_at from rate_limits where bucket || '' = $1`, ['bucket-7']),
      );
    });
    const exceeding = findExceeding(readings);
    assert.equal(exceeding.length, 1);
    assert.match(
      exceeding[0] ?? '',
      /^\d{3}\.\d pages a row \(at most 30\), 1 rows in 1 calls: select full_at/,
    );
  } finally {
    await fixture.stop();
  }
});

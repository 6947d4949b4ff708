// After an outage of a processor, everything that waited for it is done soon.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotFinalError } from '../src/work/not-final-error.ts';
import { openAttemptWorker, type Run, settle, withAttempts } from './harness/due-attempts.ts';
import { until } from './harness/process.ts';

test('after an outage of hours everything that waited is settled within 60 seconds', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'));
  await withAttempts('server', ids, async (bare) => {
    let isAway = true;
    const run: Run = async (row) => {
      if (isAway) throw new NotFinalError('no answer', { hasResponse: false });
      await settle(bare)(row);
    };
    const worker = openAttemptWorker(bare, run);
    // As after hours of runs in vain: pauses would have grown to 15 minutes.
    await bare.db.asOwner.query('update attempts set lease_token = 300');
    await worker.sweep('reconcile-attempt');
    const [longest] = await bare.db.asOwner.query<{ seconds: number }>(
      'select max(extract(epoch from due_at - now()))::float8 as seconds from attempts',
    );
    assert.ok(longest && longest.seconds <= 33, `the longest pause is ${longest?.seconds} s`);
    worker.start();
    await sleep(2_500);
    isAway = false;
    const startedAt = performance.now();
    const countLeft = async () =>
      (await bare.db.asOwner.query(`select from attempts where state = 'unknown'`)).length;
    await until(async () => (await countLeft()) === 0, 'everything to be settled', 60_000);
    assert.ok(performance.now() - startedAt < 60_000);
    await worker.stop();
  });
});

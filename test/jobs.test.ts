// The job queue on both databases: transactional enqueueing, retries, maintenance and settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TenantTx } from '../src/db/database.ts';
import { type JobQueue, openJobQueue, type QueueOptions } from '../src/jobs/queue.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { type Engine, engines } from './harness/paylink.ts';
import { until } from './harness/process.ts';

type QueueFixture = {
  bare: DatabaseFixture;
  queue: JobQueue;
  inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>;
  /** Enqueues reconciliations of attempts. */
  enqueue(attemptIds: readonly string[], afterSeconds?: number): Promise<void>;
  query<Row extends Record<string, unknown>>(text: string): Promise<Row[]>;
  /** Waits until a statement returns these values, in its column `found`. */
  waitFor(text: string, expected: readonly string[]): Promise<void>;
};

/** Runs a test with a separate queue; `interfere` wraps the database that the queue uses. */
async function withQueue(
  engine: Engine,
  options: Partial<QueueOptions>,
  work: (fixture: QueueFixture) => Promise<void>,
  interfere: (bare: DatabaseFixture) => DatabaseFixture['db'] = ({ db }) => db,
): Promise<void> {
  const bare = await openDatabaseFixture(engine);
  const queue = await openJobQueue(interfere(bare), { onError: () => undefined, ...options });
  const query = async <Row extends Record<string, unknown>>(text: string) =>
    await bare.db.asOwner.query<Row>(text);
  try {
    const companyId = await bare.createCompany();
    const inTenant: QueueFixture['inTenant'] = async (run) => await bare.inTenant(companyId, run);
    await work({
      ...{ bare, queue, inTenant, query },
      enqueue: async (attemptIds, afterSeconds = 0) =>
        await inTenant(async (tx) => {
          for (const attemptId of attemptIds)
            await queue.enqueue(tx, 'reconcile-attempt', { companyId, attemptId }, { afterSeconds });
        }),
      waitFor: async (text, expected) => {
        const read = async () => (await query<{ found: unknown }>(text)).map(({ found }) => String(found));
        await until(async () => `${await read()}` === `${expected}`, `${expected} of ${text}`);
      },
    });
  } finally {
    await queue.stop();
    await bare.stop();
  }
}

const attemptStates = `select state::text as found from pgboss.job where data ? 'attemptId' order by 1`;

for (const engine of engines)
  test(`a job is enqueued only if its transaction commits, on the ${engine} database`, async () => {
    const onError = (error: Error) => assert.fail(error);
    await withQueue(engine, { onError, pollSeconds: 1 }, async ({ queue, inTenant, waitFor }) => {
      const enqueue = async (tx: TenantTx, attemptId: string) => {
        const job = { companyId: tx.companyId, attemptId };
        await queue.enqueue(tx, 'reconcile-attempt', job, { afterSeconds: 3600 });
      };
      const rolledBack = inTenant(async (tx) => {
        await enqueue(tx, 'rolled-back');
        throw new Error('on purpose');
      });
      await assert.rejects(rolledBack, /on purpose/);
      await inTenant(async (tx) => {
        await enqueue(tx, 'kept');
        const rows = await tx.query('select current_user as role');
        assert.equal(rows[0]?.role, 'paylink_tenant', 'the tenant’s role is restored');
      });
      await waitFor(`select data->>'attemptId' as found from pgboss.job where name = 'reconcile-attempt'`, [
        'kept',
      ]);
    });
  });

test('a job that throws is retried until it succeeds', async () => {
  await withQueue('server', { pollSeconds: 1 }, async ({ queue, enqueue, query, waitFor }) => {
    let runs = 0;
    await queue.work('reconcile-attempt', async () => {
      runs += 1;
      if (runs === 1) throw new Error('once');
    });
    await enqueue(['att_1']);
    await waitFor(attemptStates, ['retry']);
    await query(`update pgboss.job set start_after = now() where state = 'retry'`);
    await waitFor(attemptStates, ['completed']);
    assert.equal(runs, 2);
  });
});

test('a worker that cannot reach the database reports the error, and recovers', async () => {
  let isAway = false;
  const reported = Promise.withResolvers<Error>();
  const worked = Promise.withResolvers<void>();
  const interfere = ({ db }: DatabaseFixture): DatabaseFixture['db'] => {
    const query: typeof db.asOwner.query = async (text, values) => {
      if (isAway) throw Object.assign(new Error('the database went away'), { code: '57P01' });
      return await db.asOwner.query(text, values);
    };
    return { ...db, asOwner: { query } };
  };
  const run = async ({ queue, enqueue }: QueueFixture) => {
    await queue.work('reconcile-attempt', async () => worked.resolve());
    isAway = true;
    const error = await reported.promise;
    assert.ok(error instanceof Error);
    assert.match(error.message, /^the database went away \(Queue: reconcile-attempt/);
    assert.equal('code' in error && error.code, '57P01');
    isAway = false;
    await enqueue(['att_1']);
    await worked.promise;
  };
  // Its maintenance may fail first: that error names no queue.
  const onError = (error: Error) => {
    if (error.message.includes('Queue: ')) reported.resolve(error);
  };
  await withQueue('server', { onError, pollSeconds: 0.5 }, run, interfere);
});

for (const engine of engines)
  test(`one poll takes all due attempts, and a slow or failed one does not delay others, on the ${engine} database`, async () => {
    // The second poll would come after the timeout of this test.
    await withQueue(engine, { pollSeconds: 600 }, async ({ queue, enqueue, query }) => {
      const attemptIds = Array.from({ length: 45 }, (_, index) => `att_${index}`);
      const runs = new Map<string, number>();
      const second = Promise.withResolvers<void>();
      await enqueue(attemptIds);
      await queue.work('reconcile-attempt', async ({ attemptId }) => {
        runs.set(attemptId, (runs.get(attemptId) ?? 0) + 1);
        if (attemptId === 'att_0') await second.promise;
        if (attemptId === 'att_1') second.resolve();
        if (attemptId === 'att_2') throw new Error('not settled yet');
      });
      const counted = async () =>
        await query<{ state: string; count: number }>(
          `select state::text as state, count(*) as count from pgboss.job where name = 'reconcile-attempt'
           group by pgboss.job.state order by pgboss.job.state`,
        );
      const isDone = async () => (await counted()).every(({ state }) => /completed|retry/.test(state));
      await until(isDone, 'the attempts').finally(second.resolve);
      assert.deepEqual(await counted(), [
        { state: 'retry', count: 1 },
        { state: 'completed', count: attemptIds.length - 1 },
      ]);
      assert.deepEqual([...runs.values()], Array(attemptIds.length).fill(1));
    });
  });

test('a job that is retried for months is not deleted by maintenance', async () => {
  const options = { pollSeconds: 0.5, superviseSeconds: 1 };
  await withQueue('server', options, async ({ queue, enqueue, query, waitFor }) => {
    await queue.work('reconcile-attempt', async ({ attemptId }) => {
      if (attemptId === 'att_unknown') throw new Error('not settled yet');
    });
    await enqueue(['att_unknown', 'att_settled']);
    await waitFor(attemptStates, ['completed', 'retry']);
    // A hundred days later, one of its last attempts is due in an hour.
    await query(
      `update pgboss.job set created_on = created_on - interval '100 days', keep_until = keep_until - interval '100 days',
              completed_on = completed_on - interval '100 days', start_after = now() + interval '1 hour'
       where data ? 'attemptId'`,
    );
    await query(`update pgboss.queue set maintain_on = null where name = 'reconcile-attempt'`);
    // Maintenance deletes the completed job and keeps the other.
    await waitFor(attemptStates, ['retry']);
  });
});

for (const engine of engines)
  test(`only queues and schedules with changed settings are written, on the ${engine} database`, async () => {
    const bare = await openDatabaseFixture(engine);
    const open = async (leaseSeconds: number, cron: string) => {
      const options = { onError: () => undefined, superviseSeconds: 600, leaseSeconds };
      const queue = await openJobQueue(bare.db, options);
      await queue.schedule('purge-old-rows', cron);
      await queue.stop();
      return await bare.db.asOwner.query<{ what: string; is: string; at: Date }>(
        `select name as "what", expire_seconds::text as "is", updated_on as "at"
         from pgboss.queue where name = 'reconcile-attempt'
         union all select 'schedule', cron, updated_on from pgboss.schedule`,
      );
    };
    const shapes = (rows: Awaited<ReturnType<typeof open>>) =>
      rows.map((row) => `${row.what} ${row.is}`).sort();
    try {
      const first = await open(30, '17 3 * * *');
      assert.deepEqual(shapes(first), ['reconcile-attempt 30', 'schedule 17 3 * * *']);
      assert.deepEqual(await open(30, '17 3 * * *'), first);
      assert.deepEqual(shapes(await open(40, '18 3 * * *')), ['reconcile-attempt 40', 'schedule 18 3 * * *']);
    } finally {
      await bare.stop();
    }
  });

for (const engine of engines)
  test(`a completed job is deleted after a day; waiting and dead jobs are kept, on the ${engine} database`, async () => {
    const onError = (error: Error) => assert.fail(error);
    const options = { onError, pollSeconds: 0.5, superviseSeconds: 1 };
    await withQueue(engine, options, async ({ queue, enqueue, query, waitFor }) => {
      const isOurs = `where data ? 'attemptId' or name = 'dead-jobs'`;
      await enqueue(['older', 'younger']);
      await enqueue(['waits'], 9_000_000);
      await query(
        `insert into pgboss.job (name, data, source_name) values ('dead-jobs', '{}', 'purge-old-rows')`,
      );
      await queue.work('reconcile-attempt', async () => undefined);
      const completed = `select count(*) as found from pgboss.job where data ? 'attemptId' and state = 'completed'`;
      await waitFor(completed, ['2']);
      await query(`update pgboss.job set created_on = now() - interval '26 hours' ${isOurs}`);
      for (const [attemptId, hours] of Object.entries({ older: 25, younger: 23 }))
        await query(
          `update pgboss.job set completed_on = now() - interval '${hours} hours' where data->>'attemptId' = '${attemptId}'`,
        );
      await query('update pgboss.queue set maintain_on = null');
      await waitFor(
        `select coalesce(data->>'attemptId', 'dead') as found from pgboss.job ${isOurs} order by 1`,
        ['dead', 'waits', 'younger'],
      );
      const kinds = await query<{ name: string; seconds: number }>(
        `select name, deletion_seconds as seconds from pgboss.queue where name ~ '^[a-z]'`,
      );
      for (const { name, seconds } of kinds) if (name !== 'dead-jobs') assert.equal(seconds, 86_400, name);
    });
  });

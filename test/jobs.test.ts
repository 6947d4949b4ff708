// The job queue on both databases: a job lives and dies with the transaction that enqueues it, and one
// that fails is run again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { openJobQueue } from '../src/jobs/queue.ts';
import { openDatabaseFixture } from './harness/database-fixture.ts';
import { engines, startPaylink } from './harness/paylink.ts';
import { createDatabase } from './harness/services.ts';

for (const engine of engines)
  test(`a job is enqueued with its transaction or not at all, even before anybody works, on the ${engine} database`, async () => {
    const paylink = await startPaylink(engine);
    const { db } = paylink.app.deps;
    const { companyId } = paylink.merchant;
    try {
      // A queue of its own, as another process has it: nothing has been sent or worked through it yet.
      const queue = await openJobQueue(db, { onError: (error) => assert.fail(error), pollSeconds: 1 });
      const job = (attemptId: string) => ({ companyId, attemptId });
      await assert.rejects(
        db.inTenant({ companyId, mode: 'test' }, async (tx) => {
          await queue.enqueue(tx, 'reconcile-attempt', job('rolled-back'), { afterSeconds: 0 });
          throw new Error('on purpose');
        }),
        /on purpose/,
      );
      await db.inTenant({ companyId, mode: 'test' }, async (tx) => {
        await queue.enqueue(tx, 'reconcile-attempt', job('kept'), { afterSeconds: 3600 });
        const rows = await tx.query('select current_user as role');
        assert.equal(rows[0]?.role, 'paylink_tenant', 'the tenant’s role is back');
      });
      const jobs = await db.asOwner.query<{ data: { attemptId: string } }>(
        `select data from pgboss.job where name = 'reconcile-attempt'`,
      );
      assert.deepEqual(
        jobs.map(({ data }) => data.attemptId),
        ['kept'],
      );
      await queue.stop();
    } finally {
      await paylink.stop();
    }
  });

test('a job that throws is run again until it is done', async () => {
  const database = await createDatabase();
  const db = await openDatabase({ databaseUrl: database.url, dataDir: '', log: () => undefined });
  const queue = await openJobQueue(db, { onError: () => undefined, pollSeconds: 1 });
  try {
    let runs = 0;
    await queue.work('reconcile-attempt', async () => {
      runs += 1;
      if (runs === 1) throw new Error('once');
    });
    await migrate(db, { dir: new URL('../migrations/', import.meta.url).pathname, log: () => undefined });
    await db.inTenant({ companyId: 'co_00000000', mode: 'test' }, async (tx) => {
      const job = { companyId: 'co_00000000', attemptId: 'att_1' };
      await queue.enqueue(tx, 'reconcile-attempt', job, { afterSeconds: 0 });
    });
    const waitFor = async (state: string) => {
      const states = async () =>
        await db.asOwner.query<{ state: string }>('select state from pgboss.job where data is not null');
      for (let i = 0; i < 60 && !(await states()).some((job) => job.state === state); i++) await sleep(250);
      assert.ok(
        (await states()).some((job) => job.state === state),
        `the job never became ${state}`,
      );
    };
    await waitFor('retry');
    await db.asOwner.query(`update pgboss.job set start_after = now() where state = 'retry'`);
    await waitFor('completed');
    assert.equal(runs, 2);
  } finally {
    await queue.stop();
    await db.close();
    await database.drop();
  }
});

test('a worker that cannot reach the database reports why, and works again when it can', async () => {
  const database = await createDatabase();
  const db = await openDatabase({ databaseUrl: database.url, dataDir: '', log: () => undefined });
  let isAway = false;
  const query: typeof db.asOwner.query = async (text, values) => {
    if (isAway) throw Object.assign(new Error('the database went away'), { code: '57P01' });
    return await db.asOwner.query(text, values);
  };
  const reported = Promise.withResolvers<Error>();
  const worked = Promise.withResolvers<void>();
  const onError = (error: Error) => reported.resolve(error);
  const queue = await openJobQueue({ ...db, asOwner: { query } }, { onError, pollSeconds: 0.5 });
  try {
    await queue.work('reconcile-attempt', async () => worked.resolve());
    isAway = true;
    const error = await reported.promise;
    assert.ok(error instanceof Error);
    assert.match(error.message, /^the database went away \(Queue: reconcile-attempt/);
    assert.equal('code' in error && error.code, '57P01');
    isAway = false;
    await migrate(db, { dir: new URL('../migrations/', import.meta.url).pathname, log: () => undefined });
    await db.inTenant({ companyId: 'co_00000000', mode: 'test' }, async (tx) => {
      const job = { companyId: 'co_00000000', attemptId: 'att_1' };
      await queue.enqueue(tx, 'reconcile-attempt', job, { afterSeconds: 0 });
    });
    await worked.promise;
  } finally {
    await queue.stop();
    await db.close();
    await database.drop();
  }
});

for (const engine of engines)
  test(`one look of a worker takes all attempts that are due, and one that is slow or fails holds up no other, on the ${engine} database`, async () => {
    const bare = await openDatabaseFixture(engine);
    // A second look would come after this test has given up.
    const queue = await openJobQueue(bare.db, { onError: () => undefined, pollSeconds: 600 });
    const count = 45;
    const runs = new Map<string, number>();
    const second = Promise.withResolvers<void>();
    try {
      const companyId = await bare.createCompany();
      await bare.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
        for (let i = 0; i < count; i++) {
          const job = { companyId, attemptId: `att_${i}` };
          await queue.enqueue(tx, 'reconcile-attempt', job, { afterSeconds: 0 });
        }
      });
      await queue.work('reconcile-attempt', async ({ attemptId }) => {
        runs.set(attemptId, (runs.get(attemptId) ?? 0) + 1);
        if (attemptId === 'att_0') await second.promise;
        if (attemptId === 'att_1') second.resolve();
        if (attemptId === 'att_2') throw new Error('not settled yet');
      });
      const counted = async () =>
        await bare.db.asOwner.query<{ state: string; count: number }>(
          `select state::text as state, count(*) as count from pgboss.job where name = 'reconcile-attempt'
           group by pgboss.job.state order by pgboss.job.state`,
        );
      const isDone = async () => (await counted()).every(({ state }) => /completed|retry/.test(state));
      for (let i = 0; i < 120 && !(await isDone()); i++) await sleep(250);
      assert.deepEqual(await counted(), [
        { state: 'retry', count: 1 },
        { state: 'completed', count: count - 1 },
      ]);
      assert.deepEqual([...runs.values()], Array(count).fill(1));
    } finally {
      second.resolve();
      await queue.stop();
      await bare.stop();
    }
  });

test('a job that is tried again for months is not swept away as if it were forgotten', async () => {
  const bare = await openDatabaseFixture('server');
  const queue = await openJobQueue(bare.db, {
    onError: () => undefined,
    pollSeconds: 0.5,
    superviseSeconds: 1,
  });
  const { query } = bare.db.asOwner;
  const statesOf = async () =>
    (
      await query<{ state: string }>(
        `select state::text as state from pgboss.job where data ? 'attemptId' order by 1`,
      )
    ).map(({ state }) => state);
  const waitFor = async (states: readonly string[]) => {
    for (let i = 0; i < 120 && `${await statesOf()}` !== `${states}`; i++) await sleep(250);
    assert.deepEqual(await statesOf(), states);
  };
  try {
    const companyId = await bare.createCompany();
    await queue.work('reconcile-attempt', async ({ attemptId }) => {
      if (attemptId === 'att_unknown') throw new Error('not settled yet');
    });
    await bare.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
      for (const attemptId of ['att_unknown', 'att_settled'])
        await queue.enqueue(tx, 'reconcile-attempt', { companyId, attemptId }, { afterSeconds: 0 });
    });
    await waitFor(['completed', 'retry']);
    // A hundred days later, one of its last tries is due in an hour.
    await query(
      `update pgboss.job set created_on = created_on - interval '100 days', keep_until = keep_until - interval '100 days',
              completed_on = completed_on - interval '100 days', start_after = now() + interval '1 hour'
       where data ? 'attemptId'`,
    );
    await query(`update pgboss.queue set maintain_on = null where name = 'reconcile-attempt'`);
    // The sweep that takes what was done long ago leaves what is not done.
    await waitFor(['retry']);
  } finally {
    await queue.stop();
    await bare.stop();
  }
});

for (const engine of engines)
  test(`queues and schedules that stand as they should are not written again, and others are, on the ${engine} database`, async () => {
    const bare = await openDatabaseFixture(engine);
    const open = async (leaseSeconds: number, cron: string) => {
      const queue = await openJobQueue(bare.db, {
        onError: () => undefined,
        superviseSeconds: 600,
        leaseSeconds,
      });
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
  test(`a job that is done is gone a day later, and one that waits or has died stays, on the ${engine} database`, async () => {
    const bare = await openDatabaseFixture(engine);
    const queue = await openJobQueue(bare.db, {
      onError: (error) => assert.fail(error),
      ...{ pollSeconds: 0.5, superviseSeconds: 1 },
    });
    const query = async (text: string) => await bare.db.asOwner.query<Record<string, unknown>>(text);
    const isOurs = `where data ? 'attemptId' or name = 'dead-jobs'`;
    const waitFor = async (text: string, wanted: readonly string[]) => {
      const read = async () => (await query(text)).map(({ found }) => String(found));
      for (let i = 0; i < 120 && `${await read()}` !== `${wanted}`; i++) await sleep(250);
      assert.deepEqual(await read(), wanted);
    };
    try {
      const companyId = await bare.createCompany();
      const enqueue = async (attemptId: string, afterSeconds: number) =>
        await bare.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
          await queue.enqueue(tx, 'reconcile-attempt', { companyId, attemptId }, { afterSeconds });
        });
      for (const attemptId of ['older', 'younger']) await enqueue(attemptId, 0);
      await enqueue('waits', 9_000_000);
      await query(
        `insert into pgboss.job (name, data, source_name) values ('dead-jobs', '{}', 'purge-old-rows')`,
      );
      await queue.work('reconcile-attempt', async () => undefined);
      await waitFor(
        `select count(*) as found from pgboss.job where data ? 'attemptId' and state = 'completed'`,
        ['2'],
      );
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
      const kinds = await query(
        `select name, deletion_seconds as seconds from pgboss.queue where name ~ '^[a-z]'`,
      );
      for (const { name, seconds } of kinds)
        if (name !== 'dead-jobs') assert.equal(seconds, 86_400, String(name));
    } finally {
      await queue.stop();
      await bare.stop();
    }
  });

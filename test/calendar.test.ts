// The recurring jobs: their times, failures, leases, and that each runs once for all processes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDeadWork, rerunDeadWork } from '../src/dead-work.ts';
import { createCalendar, type ScheduledJob } from '../src/work/calendar.ts';
import type { WorkKind } from '../src/work/work-kind.ts';
import { openWorker } from '../src/work/worker.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines } from './harness/paylink.ts';
import { until } from './harness/process.ts';

const quiet = { error: () => undefined };

/** Runs a test with workers of a calendar on one database. */
async function withCalendar(
  engine: 'embedded' | 'server',
  work: (fixture: {
    open: (jobs: readonly ScheduledJob[], leaseSeconds?: number) => { sweep(): Promise<void> };
    query: DatabaseFixture['db']['asOwner']['query'];
    db: DatabaseFixture['db'];
  }) => Promise<void>,
): Promise<void> {
  const bare = await openDatabaseFixture(engine);
  const { db } = bare;
  try {
    const open = (jobs: readonly ScheduledJob[], calendarLeaseSeconds = 60) => {
      const calendar = createCalendar({ db, log: quiet, calendarLeaseSeconds }, jobs);
      const worker = openWorker({ db, log: quiet }, [calendar as WorkKind<never>]);
      return { sweep: async () => await worker.sweep('calendar') };
    };
    await work({ open, db, query: db.asOwner.query });
  } finally {
    await bare.stop();
  }
}

/** The time of day in half a day: neither a test nor a pause of minutes leads past it. */
const farTime = () =>
  new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16) as `${number}:${number}`;

for (const engine of engines)
  test(`a daily job is due at its time, and the times of a long stop are made up for by one run, on the ${engine} database`, async () => {
    await withCalendar(engine, async ({ open, query }) => {
      let runs = 0;
      const run = async () => {
        runs += 1;
      };
      const dailyAt = farTime();
      const job: ScheduledJob = { name: 'tidy', at: { dailyAt }, run };
      const workers = [open([job]), open([job]), open([job])];
      const sweepAll = async () => await Promise.all(workers.map(async ({ sweep }) => await sweep()));
      await sweepAll();
      const dueAt = async () => {
        const [row] = await query<{ due: Date; isNext: boolean }>(
          `select due_at as due, due_at > now() and due_at <= now() + interval '1 day' as "isNext" from scheduled_jobs`,
        );
        assert.ok(row?.isNext);
        return row.due.toISOString().slice(11);
      };
      assert.equal(runs, 0);
      assert.equal(await dueAt(), `${dailyAt}:00.000Z`);
      await query(`update scheduled_jobs set due_at = due_at - interval '9 days'`);
      await sweepAll();
      await sweepAll();
      assert.equal(runs, 1);
      assert.equal(await dueAt(), `${dailyAt}:00.000Z`);
    });
  });

test('a daily job that fails is repeated three times, then waits for a person or the next day', async () => {
  await withCalendar('server', async ({ open, query, db }) => {
    let isFixed = false;
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (!isFixed) throw new Error('the disk is full');
    };
    const dailyAt = farTime();
    const { sweep } = open([{ name: 'tidy', at: { dailyAt }, run }]);
    await sweep();
    const pauses: number[] = [];
    for (let round = 0; round < 4; round++) {
      await query('update scheduled_jobs set due_at = now()');
      await sweep();
      const [row] = await query<{ minutes: number; isDaily: boolean }>(
        `select extract(epoch from due_at - now())::float8 / 60 as minutes,
                to_char(due_at at time zone 'UTC', 'HH24:MI:SS') = $1 || ':00' as "isDaily" from scheduled_jobs`,
        [dailyAt],
      );
      pauses.push(row?.isDaily ? 0 : Math.round(row?.minutes ?? -1));
    }
    assert.deepEqual(pauses, [1, 2, 4, 0]);
    assert.equal(runs, 4);
    const [dead] = await listDeadWork(db);
    assert.deepEqual(
      [dead?.id, dead?.kind, dead?.runs, dead?.reason],
      ['tidy', 'calendar', 4, 'the disk is full'],
    );
    isFixed = true;
    assert.equal(await rerunDeadWork(db, 'tidy'), true);
    assert.equal(await rerunDeadWork(db, 'tidy'), false);
    await sweep();
    assert.equal(runs, 5);
    assert.deepEqual(await listDeadWork(db), []);
  });
});

test('a job that runs longer than its lease keeps it, and the job of a dead process is run by another', async () => {
  await withCalendar('server', async ({ open, query }) => {
    const leaseSeconds = 12;
    const end = Promise.withResolvers<void>();
    const job = (name: string, run: () => Promise<void>): ScheduledJob => {
      return { name, at: { everyMinutes: 1 }, run };
    };
    let others = 0;
    const first = open([job('long', async () => await end.promise)], leaseSeconds);
    const count = async () => {
      others += 1;
    };
    const second = open([job('long', count)], leaseSeconds);
    /** The end of the lease: in seconds since 1970, and from now on. */
    const readLease = async () => {
      const [row] = await query<{ end: number; left: number }>(
        `select extract(epoch from leased_until)::float8 as "end",
                extract(epoch from leased_until - clock_timestamp())::float8 as "left" from scheduled_jobs`,
      );
      return row ?? { end: 0, left: 0 };
    };
    const isLeased = async () => (await readLease()).left > 0;
    await first.sweep();
    await query('update scheduled_jobs set due_at = now()');
    const running = first.sweep();
    await until(isLeased, 'the job to run');
    const before = await readLease();
    let renewed = before;
    await until(async () => {
      renewed = await readLease();
      return renewed.end > before.end;
    }, 'the lease to be renewed');
    assert.ok(renewed.end - leaseSeconds < before.end, 'the lease was renewed before its end');
    // As if the time of the lease had passed.
    await query('update scheduled_jobs set leased_until = clock_timestamp()');
    await until(isLeased, 'the lease to be renewed again');
    await second.sweep();
    assert.equal(others, 0, 'its lease was renewed');
    end.resolve();
    await running;
    // A process that died holds a lease that nobody renews.
    await query(`update scheduled_jobs set due_at = now(), leased_until = now() + interval '1 hour'`);
    await second.sweep();
    assert.equal(others, 0);
    await query('update scheduled_jobs set leased_until = clock_timestamp()');
    await second.sweep();
    assert.equal(others, 1);
  });
});

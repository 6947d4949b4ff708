// Due work that rows carry: claims, leases, pauses, outages, dead rows, and the upgrade from the queue of the release before.

import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type TenantTx } from '../src/db/database.ts';
import { migrate, migrationsDir } from '../src/db/migrate.ts';
import { listDeadWork, rerunDeadWork } from '../src/dead-work.ts';
import { dueAttempts } from '../src/payments/attempt-store.ts';
import { NotFinalError } from '../src/work/not-final-error.ts';
import type { RunReport } from '../src/work/work-kind.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import {
  insertAttempt,
  insertPayment,
  openAttemptWorker,
  type Run,
  settle,
  withAttempts,
} from './harness/due-attempts.ts';
import { createCleaner, createEmpty, createTemplate } from './harness/engines.ts';
import { engines } from './harness/paylink.ts';

const claim = { lane: 'test sandbox', limit: 2, leaseSeconds: 60, at: null };
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();

for (const engine of engines)
  test(`a due row has one holder at a time, and another after its lease, on the ${engine} database`, async () => {
    await withAttempts(engine, ['1', '2', '3'], async (bare, companyId) => {
      const claimSome = async () =>
        idsOf(await bare.inTenant(companyId, async (tx: TenantTx) => await dueAttempts.claim(tx, claim)));
      const together = await Promise.all([claimSome(), claimSome(), claimSome()]);
      assert.deepEqual(together.flat().sort(), ['att_1', 'att_2', 'att_3']);
      assert.deepEqual(await claimSome(), []);
      await bare.db.asOwner.query(
        `update attempts set leased_until = clock_timestamp() - interval '1 second' where attempt_id = 'att_2'`,
      );
      assert.deepEqual(await claimSome(), ['att_2']);
    });
  });

for (const engine of engines)
  test(`one poll works on all due rows once, and a slow or failed one does not delay others, on the ${engine} database`, async () => {
    const ids = Array.from({ length: 45 }, (_, index) => String(index).padStart(2, '0'));
    await withAttempts(engine, ids, async (bare) => {
      const runs = new Map<string, number>();
      const last = Promise.withResolvers<void>();
      const reports: RunReport[] = [];
      const run: Run = async (row) => {
        runs.set(row.id, (runs.get(row.id) ?? 0) + 1);
        if (row.id === 'att_00') await last.promise;
        if (row.id === 'att_02') throw new NotFinalError('not settled yet', { hasResponse: true });
        await settle(bare)(row);
        if (runs.size === ids.length) last.resolve();
      };
      // With the usual first pause of 5 s, a slow poll would run the failed row again.
      const worker = openAttemptWorker(bare, run, {
        onRun: (report) => reports.push(report),
        firstPauseMs: 600_000,
      });
      await worker.sweep('reconcile-attempt');
      assert.deepEqual([...runs.values()], Array(ids.length).fill(1));
      const left = await bare.db.asOwner.query(
        `select attempt_id as id, last_error as error, leased_until as lease, due_at > now() as "isLater" from attempts
         where state = 'unknown'`,
      );
      assert.deepEqual(left, [{ id: 'att_02', error: 'not settled yet', lease: null, isLater: true }]);
      assert.equal(reports.length, ids.length);
      assert.ok(reports.every(({ kind, isOk }) => kind === 'reconcile-attempt' && isOk));
    });
  });

test('a connection that does not respond is asked one query at a time, and delays no other connection', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => String(index).padStart(2, '0'));
  const isDead = (id: string) => Number(id.replace('att_', '')) < 6;
  const work = async (bare: DatabaseFixture) => {
    let [asking, most] = [0, 0];
    const run: Run = async (row) => {
      if (!isDead(row.id)) return await settle(bare)(row);
      asking += 1;
      most = Math.max(most, asking);
      await sleep(200);
      asking -= 1;
      throw new NotFinalError('no answer', { hasResponse: false });
    };
    const worker = openAttemptWorker(bare, run);
    // The first poll finds out that it fails.
    await worker.sweep('reconcile-attempt');
    const left = await bare.db.asOwner.query(`select attempt_id as id from attempts where state = 'unknown'`);
    assert.ok(left.length === 6 && left.every(({ id }) => isDead(String(id))));
    assert.ok(most <= 2, `${most} queries at once`);
  };
  await withAttempts('server', ids, work, (id) => (isDead(id) ? 'dead' : 'alive'));
});

test('a row whose target responds is due again after pauses that grow from 5 seconds to 15 minutes', async () => {
  await withAttempts('server', ['1'], async (bare) => {
    const worker = openAttemptWorker(bare, async () => {
      throw new NotFinalError('still processing', { hasResponse: true });
    });
    for (const [claims, seconds] of [
      [0, 5],
      [1, 10],
      [4, 80],
      [9_000, 900],
    ] as const) {
      await bare.db.asOwner.query('update attempts set due_at = now(), lease_token = $1', [claims]);
      const began = performance.now();
      await worker.sweep('reconcile-attempt');
      const [row] = await bare.db.asOwner.query<{ seconds: number }>(
        'select extract(epoch from due_at - now())::float8 as seconds from attempts',
      );
      const least = seconds * 0.89 - (performance.now() - began) / 1_000;
      assert.ok(row && row.seconds > least && row.seconds < seconds * 1.11, `${row?.seconds} s`);
    }
  });
});

for (const engine of engines)
  test(`a row that has not ended after a hundred days waits for a person, who can have it run again, on the ${engine} database`, async () => {
    await withAttempts(engine, ['1', '2'], async (bare) => {
      const worker = openAttemptWorker(bare, async () => {
        throw new NotFinalError('the connection was deleted', { hasResponse: false });
      });
      const { query } = bare.db.asOwner;
      const age =
        'update attempts set due_at = now(), lease_token = $2, created_at = now() - $3::interval where attempt_id = $1';
      await query(age, ['att_1', 9_999, '100 days 1 hour']);
      await query(age, ['att_2', 300_000, '99 days 23 hours']);
      await worker.sweep('reconcile-attempt');
      const dead = await listDeadWork(bare.db);
      assert.deepEqual(
        dead.map(({ id, kind, runs, reason }) => ({ id, kind, runs, reason })),
        [{ id: 'att_1', kind: 'reconcile-attempt', runs: 10_000, reason: 'the connection was deleted' }],
      );
      assert.equal(await rerunDeadWork(bare.db, 'att_2'), false, 'it is alive');
      assert.equal(await rerunDeadWork(bare.db, "' or true --"), false);
      assert.equal(await rerunDeadWork(bare.db, 'att_1'), true);
      assert.equal(await rerunDeadWork(bare.db, 'att_1'), false);
      await worker.sweep('reconcile-attempt');
      assert.deepEqual(await listDeadWork(bare.db), [], 'it is run many times again');
      await query(`update attempts set due_at = now() where attempt_id = 'att_1'`);
      const settling = openAttemptWorker(bare, settle(bare));
      await settling.sweep('reconcile-attempt');
      const [row] = await bare.db.asOwner.query(`select state from attempts where attempt_id = 'att_1'`);
      assert.equal(row?.state, 'cancelled');
    });
  });

test('an event of a process whose clock is an hour ahead is delivered and emailed without delay', async () => {
  const bare = await openDatabaseFixture('server');
  try {
    const companyId = await bare.createCompany();
    const { query } = bare.db.asOwner;
    await query(insertPayment(companyId, '1'));
    await query(
      `insert into webhook_endpoints (company_id, mode, endpoint_id, url, events, secret, secret_id, created_by,
                                      created_at, updated_at)
       values ('${companyId}', 'test', 'whe_1', 'https://example.com/', '{*}', 'x', 'sec_1', 'test', now(), now())`,
    );
    await query(
      `insert into events (company_id, mode, event_id, type, is_public, payment_id, actor, data, at)
       values ('${companyId}', 'test', 'evt_1', 'payment.link_sent', true, 'pay_1', 'test', '{}', now() + interval '1 hour')`,
    );
    const rows = await query(
      `select 'delivery' as what, due_at <= now() as "isDue" from webhook_deliveries
       union all select 'email', due_at <= now() from mails`,
    );
    assert.deepEqual(rows, [
      { what: 'delivery', isDue: true },
      { what: 'email', isDue: true },
    ]);
  } finally {
    await bare.stop();
  }
});

for (const engine of engines)
  test(`an upgrade takes over what waits in the queue of the release before, also what that release still writes, on the ${engine} database`, async () => {
    const cleaner = createCleaner();
    try {
      const options = await createEmpty(engine, cleaner, createTemplate(cleaner));
      const db = await openDatabase(options);
      cleaner.add(async () => await db.close());
      const dir = await cleaner.folder();
      for (const file of await readdir(migrationsDir))
        if (file < '0029') await cp(join(migrationsDir, file), join(dir, file));
      await migrate(db, { dir, log: () => undefined });
      const companyId = 'co_aaaaaaa1';
      const { query } = db.asOwner;
      await query(
        `insert into companies (company_id, name, country, created_at) values ('${companyId}', 'One', 'DE', now())`,
      );
      const insertRefund = (id: string) =>
        `insert into refunds (company_id, mode, refund_id, payment_id, attempt_id, kind, state, amount_minor, currency,
                              created_by, created_at, updated_at)
         values ('${companyId}', 'test', 'ref_${id}', 'pay_${id}', 'att_${id}', 'surplus', 'unknown', 100, 'EUR', 'test', now(), now())`;
      for (const id of ['waits', 'ended']) {
        await query(insertPayment(companyId, id));
        await query(insertAttempt(companyId, id));
        await query(insertRefund(id));
      }
      await query(`update attempts set state = 'succeeded' where attempt_id = 'att_ended'`);
      await query(`update refunds set state = 'succeeded' where refund_id = 'ref_ended'`);
      await migrate(db, { dir: migrationsDir, log: () => undefined });
      const [before] = await query<{ at: Date }>('select statement_timestamp() as at');
      assert.ok(before);
      // The release before goes on with its own statements.
      await query(insertPayment(companyId, 'later'));
      await query(insertAttempt(companyId, 'later'));
      await query(insertRefund('later'));
      const due = async (table: 'attempts' | 'refunds', id: string) =>
        await query(
          // safe: names of this file.
          `select ${id} as id, due_at <= $1 as "isDue" from ${table}
           where state = 'unknown' and due_at <= now() + interval '16 seconds' order by 1 desc`,
          [before.at],
        );
      const seen = (prefix: string) => [
        { id: `${prefix}_waits`, isDue: true },
        { id: `${prefix}_later`, isDue: false },
      ];
      assert.deepEqual(await due('attempts', 'attempt_id'), seen('att'));
      assert.deepEqual(await due('refunds', 'refund_id'), seen('ref'));
      const [later] = await query(`select target from refunds where refund_id = 'ref_later'`);
      assert.equal(later?.target, 'sandbox');
      const claimed = await db.inTenant(
        { companyId, mode: 'test' },
        async (tx) => await dueAttempts.claim(tx, { ...claim, at: before.at }),
      );
      assert.deepEqual(idsOf(claimed), ['att_waits']);
    } finally {
      await cleaner.clean();
    }
  });

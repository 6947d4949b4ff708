// The status of the service: due and dead work, attempts without an outcome, connections, endpoints, cases, recurring jobs
// and events without a seal are counted over all companies, and what has ended or is not due is not.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DueWorkDeps, listKindsOfWork } from '../src/due-work.ts';
import { listScheduledJobs } from '../src/schedule.ts';
import { jobTimes } from '../src/status/job-times.ts';
import { kindsOfRows } from '../src/status/kinds-of-rows.ts';
import { readStatus, type ServiceStatus } from '../src/status/read-status.ts';
import { claimJob, finishJob, listDueJobs } from '../src/work/scheduled-job-store.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';

const at = new Date();
const ago = (seconds: number) => new Date(at.getTime() - seconds * 1_000);
// Other tests of the process may run first, for minutes.
const tomorrow = ago(-86_400);
const never = 'infinity';

type Row = Readonly<Record<string, unknown>>;

/** Inserts rows of a company as the owner of the tables. */
function inserterOf({ db }: DatabaseFixture, companyId: string) {
  const insert = async (table: string, row: Row) => {
    const all = { company_id: companyId, ...row };
    const names = Object.keys(all);
    const places = names.map((_, index) => `$${index + 1}`);
    // safe: the names are those of this file.
    await db.asOwner.query(
      `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
      Object.values(all),
    );
  };
  const payment = async (id: string, mode = 'live') =>
    await insert('payments', {
      ...{ mode, payment_id: `pay_${id}`, code: `${companyId}_${id}`, customer_order_id: id, state: 'paid' },
      ...{ amount_minor: 100, currency: 'EUR', email: 'a@example.com', country: 'DE' },
      ...{ success_url: 'https://example.com/', failure_url: 'https://example.com/', created_by: 'test' },
      ...{ expires_at: at, created_at: at, updated_at: at },
    });
  const money = { amount_minor: 100, currency: 'EUR', created_at: ago(1_000), updated_at: ago(1_000) };
  return {
    insert,
    attempt: async (id: string, { mode = 'live', ...row }: Row & { mode?: string }) => {
      await payment(id, mode);
      await insert('attempts', {
        ...{ mode, attempt_id: `att_${id}`, payment_id: `pay_${id}`, processor: 'sandbox', state: 'unknown' },
        ...{ ...money, due_at: tomorrow, ...row },
      });
    },
    refund: async (id: string, of: string, row: Row) =>
      await insert('refunds', {
        ...{ mode: 'live', refund_id: `ref_${id}`, payment_id: `pay_${of}`, attempt_id: `att_${of}` },
        ...{ kind: 'merchant', state: 'processing', created_by: 'test', ...money, due_at: tomorrow, ...row },
      }),
    endpoint: async (id: string, row: Row) =>
      await insert('webhook_endpoints', {
        ...{ mode: 'live', endpoint_id: `whe_${id}`, url: 'https://example.com/', events: ['*'] },
        ...{ secret: Buffer.from('x'), secret_id: 's', created_by: 'test', created_at: at, updated_at: at },
        ...row,
      }),
    connection: async (id: string, row: Row) =>
      await insert('connections', {
        ...{
          mode: 'live',
          connection_id: `con_${id.padEnd(24, '0')}`,
          processor: 'stripe',
          name: id,
          position: 0,
        },
        ...{ currencies: ['EUR'], created_by: 'test', created_at: at, updated_at: at, ...row },
      }),
  };
}

const workOf = (status: ServiceStatus, kind: string) => {
  const found = status.work.find((work) => work.kind === kind);
  assert.ok(found, kind);
  const { due, oldestDueSeconds, dead } = found;
  return [due, oldestDueSeconds === null ? null : Math.floor(oldestDueSeconds), dead];
};

for (const engine of engines)
  describe(`the status of the service on the ${engine} database`, () => {
    let bare: DatabaseFixture;
    let one: ReturnType<typeof inserterOf>;
    let other: ReturnType<typeof inserterOf>;
    before(async () => {
      bare = await openDatabaseFixture(engine);
    });
    after(async () => await bare.stop());
    const read = async () => await readStatus(bare.db, at);

    test('an empty database has nothing due, no case, and no job that has run', async () => {
      const status = await read();
      for (const { kind } of status.work) assert.deepEqual(workOf(status, kind), [0, null, 0], kind);
      assert.deepEqual(status.unknownAttempts, [
        { mode: 'test', count: 0, oldestSeconds: null },
        { mode: 'live', count: 0, oldestSeconds: null },
      ]);
      assert.deepEqual(
        [status.connections, status.failingEndpoints, status.oldestUnsealedSeconds],
        [[], 0, null],
      );
      assert.deepEqual(
        status.openCases.map(({ count }) => count),
        [0, 0, 0, 0],
      );
      assert.deepEqual(
        status.jobs.map(({ name, lastSuccessAt, dueAt }) => ({ name, lastSuccessAt, dueAt })),
        Object.keys(jobTimes).map((name) => ({ name, lastSuccessAt: null, dueAt: null })),
      );
    });

    test('due and dead attempts and refunds are counted over companies and connections, with the age of the oldest', async () => {
      one = inserterOf(bare, await bare.createCompany());
      other = inserterOf(bare, await bare.createCompany());
      await one.attempt('a', { due_at: ago(90), updated_at: ago(120) });
      await one.attempt('b', { due_at: ago(30), processor: 'stripe', mode: 'test' });
      // A process works on it.
      await other.attempt('c', { due_at: ago(10), leased_until: tomorrow, state: 'processing' });
      await other.attempt('d', { due_at: never, updated_at: ago(300) });
      await other.attempt('later', { state: 'created' });
      await other.attempt('ended', { due_at: ago(500), state: 'succeeded' });
      await other.refund('a', 'ended', { due_at: ago(40) });
      await other.refund('ended', 'ended', { due_at: ago(50), state: 'succeeded' });
      await other.refund('dead', 'ended', { due_at: never });
      const status = await read();
      assert.deepEqual(workOf(status, 'reconcile-attempt'), [3, 90, 1]);
      assert.deepEqual(workOf(status, 'reconcile-refund'), [1, 40, 1]);
      assert.deepEqual(status.unknownAttempts, [
        { mode: 'test', count: 1, oldestSeconds: 1_000 },
        { mode: 'live', count: 2, oldestSeconds: 300 },
      ]);
    });

    test('without a moved clock, the time is that of the database', async () => {
      const [time] = await bare.db.asOwner.query('select clock_timestamp() as now');
      const status = await readStatus(bare.db, null);
      const tookMs = status.at.getTime() - (time?.now as Date).getTime();
      assert.ok(tookMs >= 0 && tookMs < 60_000, `${tookMs}`);
      assert.deepEqual(workOf(status, 'reconcile-attempt')[0], 3);
    });

    test('a count ends at its limit, and the age of the oldest row stays exact', async () => {
      const counted = await bare.db.inSystem(
        async (tx) => await kindsOfRows['reconcile-attempt']?.countDue(tx, at, 2),
        { prefersIndexScans: true },
      );
      assert.deepEqual(counted, { due: 2, oldestAt: ago(90), dead: 1 });
    });

    test('deliveries to enabled endpoints and emails are due, not those to disabled ones; of an endpoint that fails none is late', async () => {
      await one.endpoint('on', { failing_since: ago(60) });
      await one.endpoint('off', { is_enabled: false, off_reason: 'failing', failing_since: ago(60) });
      await other.endpoint('well', {});
      const event = { mode: 'live', type: 'payment.paid', is_public: true, actor: 'test', data: {} };
      // A trigger inserts their deliveries.
      await one.insert('events', { ...event, event_id: 'evt_00000000000001', at: ago(70) });
      await other.insert('events', { ...event, event_id: 'evt_00000000000002', at: ago(20) });
      const email = {
        event_id: 'evt_1',
        kind: 'account',
        recipient: 'a@example.com',
        created_at: at,
        mode: null,
      };
      await one.insert('mails', { ...email, mail_id: 'mail_1', due_at: ago(15) });
      await one.insert('mails', { ...email, mail_id: 'mail_2', event_id: 'evt_2', due_at: ago(-15) });
      const status = await read();
      assert.deepEqual(workOf(status, 'webhooks'), [2, 20, 0]);
      assert.deepEqual(workOf(status, 'emails'), [1, 15, 0]);
      assert.equal(status.failingEndpoints, 1);
    });

    test('the oldest event is unsealed, and its words are due, until both have caught up', async () => {
      const status = await read();
      assert.equal(Math.floor(status.oldestUnsealedSeconds ?? 0), 70);
      // Transactions of other tests hold the horizon back.
      await until(async () => workOf(await read(), 'payment-words')[0] === 1, 'the words to be due');
      assert.deepEqual(workOf(await read(), 'payment-words'), [1, 70, 0]);
      await bare.db.asOwner.query('update seal_progress set sealed_below = next_event_number()');
      await bare.db.asOwner.query('update payment_word_progress set filled_below = next_event_number()');
      const later = await read();
      assert.equal(later.oldestUnsealedSeconds, null);
      assert.deepEqual(workOf(later, 'payment-words'), [0, null, 0]);
    });

    test('connections are counted by processor, mode and health, without deleted ones', async () => {
      await one.connection('a', {});
      await other.connection('b', { failures: 2 });
      await other.connection('c', { failures: 3, open_until: ago(3_600) });
      await other.connection('d', { is_enabled: false, failures: 3, open_until: at });
      await other.connection('e', { is_enabled: false, deleted_at: at, processor: 'mollie' });
      await other.connection('f', { mode: 'test', processor: 'mollie' });
      assert.deepEqual((await read()).connections, [
        { processor: 'mollie', mode: 'test', health: 'healthy', count: 1 },
        { processor: 'stripe', mode: 'live', health: 'failing', count: 1 },
        { processor: 'stripe', mode: 'live', health: 'healthy', count: 2 },
        { processor: 'stripe', mode: 'live', health: 'off', count: 1 },
      ]);
    });

    test('open cases are counted by kind; closed and settled ones, and a refund that was made up for, are not', async () => {
      await one.attempt('case', { escalated_at: at });
      await one.attempt('settled', { escalated_at: at, state: 'declined' });
      const surplus = { kind: 'surplus', due_at: never };
      await one.refund('failed', 'settled', { ...surplus, state: 'failed', escalated_at: at });
      await other.refund('refused', 'ended', { state: 'failed', escalated_at: at });
      const unknown = {
        mode: 'live',
        amount_minor: 1,
        currency: 'JPY',
        created_at: at,
        payment_id: 'pay_case',
      };
      const about = { ...unknown, attempt_id: 'att_case', code: 'currency_mismatch' };
      await one.insert('processor_cases', { ...about, processor_reference: 'ch_1' });
      await one.insert('processor_cases', {
        ...{ ...about, processor_reference: 'ch_2', closed_at: at, closed_by: 'test' },
      });
      const casesOf = async () =>
        Object.fromEntries((await read()).openCases.map(({ kind, count }) => [kind, count]));
      const kinds = { attempt: 1, currency_mismatch: 1, refund_exceeds_payment: 0 };
      assert.deepEqual(await casesOf(), { ...kinds, refund: 2 });
      await one.refund('made', 'settled', { ...surplus, state: 'succeeded' });
      assert.deepEqual(await casesOf(), { ...kinds, refund: 1 });
    });

    test('a job has the time of its last success, which a failure keeps, and is due while no process runs it', async () => {
      const times = { name: 'seal-events', periodSeconds: 60, offsetSeconds: 0 };
      const run = async (error: string | null, failures: number) => {
        await bare.db.asOwner.query(`update scheduled_jobs set due_at = $1 where name = 'seal-events'`, [
          ago(25),
        ]);
        assert.deepEqual(workOf(await read(), 'calendar'), [1, 25, 0]);
        const [claim] = await bare.db.inSystem(async (tx) => await claimJob(tx, 'seal-events', 60));
        assert.ok(claim);
        assert.deepEqual(workOf(await read(), 'calendar'), [0, null, 0], 'a process runs it');
        const ended = { times, failures, error, retryAfterMs: null };
        await bare.db.inSystem(async (tx) => await finishJob(tx, claim, ended));
        const status = await read();
        return {
          ...status.jobs.find(({ name }) => name === 'seal-events'),
          work: workOf(status, 'calendar'),
        };
      };
      await bare.db.inSystem(async (tx) => await listDueJobs(tx, [times]));
      const done = await run(null, 0);
      const succeededMs = done.lastSuccessAt?.getTime() ?? 0;
      assert.ok(Math.abs(succeededMs - Date.now()) < 60_000, `${done.lastSuccessAt}`);
      assert.deepEqual([done.failures, done.intervalSeconds], [0, 60]);
      const failed = await run('no disk', 4);
      assert.deepEqual([failed.failures, failed.lastSuccessAt?.getTime()], [4, succeededMs]);
      assert.deepEqual(failed.work.at(-1), 1, 'it is dead');
    });
  });

describe('the names in the status', () => {
  let paylink: Paylink;
  before(async () => {
    paylink = await startPaylink('server', { isAtWork: false });
  });
  after(async () => await paylink.stop());

  test('the status has every kind of work of the worker and every recurring job, by its name', async () => {
    const { deps } = paylink.app;
    const { work, jobs } = await readStatus(deps.db, new Date());
    assert.deepEqual(
      work.map(({ kind }) => kind).sort(),
      listKindsOfWork(deps as DueWorkDeps)
        .map(({ name }) => name)
        .sort(),
    );
    assert.deepEqual(
      jobs.map(({ name }) => name),
      listScheduledJobs(deps).map(({ name }) => name),
    );
  });
});

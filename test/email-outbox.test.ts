// The emails of one process: how many it claims, that it starts none too late, releases those that it
// does not start, and records results in batches.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createEmailWork } from '../src/mails/email-work.ts';
import { createBatchedFinish } from '../src/mails/finish-emails.ts';
import type { DeliverEmail } from '../src/mails/send-emails.ts';
import { maxConnections } from '../src/mails/transport.ts';
import type { WorkKind } from '../src/work/work-kind.ts';
import { openWorker, type Worker } from '../src/work/worker.ts';
import { createLinkAs, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';

type Row = { mailId: string; state: string; tries: number; isLeased: boolean };

describe('the worker of emails', () => {
  let paylink: Paylink;
  before(async () => {
    // A running service would claim some of the emails that are meant for the worker of a test.
    paylink = await startPaylink('server', { isAtWork: false });
  });
  after(async () => await paylink.stop());

  let shops = 0;
  /** A company with `count` due emails. */
  async function openOutbox(count: number): Promise<string> {
    const merchant = await paylink.createMerchant();
    const { code } = await createLinkAs(paylink, await logIn(paylink, merchant));
    await paylink.app.deps.db.asOwner.query(
      `insert into events (company_id, mode, event_id, type, is_public, payment_id, actor, data, at)
       select company_id, mode, 'evt_' || $3 || '_' || lpad(i::text, 4, '0'), 'payment.link_sent', false, payment_id, 'test',
              '{}', now() - interval '1 hour' + i * interval '1 second'
       from payments, generate_series(1, $4::integer) i where company_id = $1 and code = $2`,
      [merchant.companyId, code, `shop${++shops}`, count],
    );
    return merchant.companyId;
  }

  const rowsOf = async (companyId: string) =>
    await paylink.app.deps.db.asOwner.query<Row>(
      `select mail_id as "mailId", state, tries, leased_until is not null as "isLeased" from mails
       where company_id = $1 order by mail_id`,
      [companyId],
    );

  const transport = { description: 'a test', deliver: async () => undefined, close: () => undefined };
  function openTestWorkerWith(deliver: DeliverEmail, mailLeaseSeconds?: number): Worker {
    const { deps } = paylink.app;
    const options = mailLeaseSeconds ? { mailLeaseSeconds } : {};
    const work = createEmailWork({ ...deps, mailFrom: 'test', transport, ...options }, deliver);
    return openWorker(deps, [work as WorkKind<never>]);
  }

  /** Lets a worker look for due emails until it has what is wanted, and a moment in which it could claim too many. */
  const look = async (worker: Worker, hasWanted: () => Promise<boolean>) => {
    void worker.sweep('emails');
    await until(hasWanted, 'emails to be claimed');
    await pause(300);
  };
  const countRows = async (companyId: string, isWanted: (row: Row) => boolean) =>
    (await rowsOf(companyId)).filter(isWanted).length;
  const countSent = async (companyId: string) => await countRows(companyId, ({ state }) => state === 'sent');
  const countLeased = async (companyId: string) => await countRows(companyId, ({ isLeased }) => isLeased);

  /** A worker whose deliveries are recorded. The first `free` end at once, the others when `release` is called. */
  function openTestWorker(options: { free: number; mailLeaseSeconds?: number }) {
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const endMail = createBatchedFinish(paylink.app.deps);
    const deliver: DeliverEmail = async (task) => {
      const { mail } = task;
      if (begun.push(mail.mailId) > options.free) await gate.promise;
      const record = async () => await endMail(task, { mail, state: 'sent', error: null });
      return { isFast: true, record };
    };
    const { mailLeaseSeconds } = options;
    const worker = openTestWorkerWith(deliver, mailLeaseSeconds);
    return { worker, begun, release: () => gate.resolve() };
  }

  async function sendAll(worker: Worker, companyId: string): Promise<void> {
    await until(async () => {
      await worker.sweep('emails');
      return (await rowsOf(companyId)).every(({ state }) => state === 'sent');
    }, 'all emails to be sent');
  }

  test('emails are sent in order and once each, and results are recorded in batches', async () => {
    const companyId = await openOutbox(60);
    const { worker, begun } = openTestWorker({ free: 60 });
    await sendAll(worker, companyId);
    await worker.stop();
    const rows = await rowsOf(companyId);
    assert.deepEqual(
      begun,
      rows.map(({ mailId }) => mailId),
    );
    assert.ok(rows.every(({ tries, isLeased }) => tries === 1 && !isLeased));
    const [written] = await paylink.app.deps.db.asOwner.query<{ count: number }>(
      'select count(distinct xmin::text)::integer as count from mails where company_id = $1',
      [companyId],
    );
    assert.ok(written && written.count < rows.length / 2, `${written?.count} transactions`);
  });

  test('before the first delivery ends, the worker claims no more emails than it has connections', async () => {
    const companyId = await openOutbox(20);
    const { worker, begun, release } = openTestWorker({ free: 0 });
    const countClaimed = async () => await countRows(companyId, ({ tries }) => tries > 0);
    await look(worker, async () => (await countClaimed()) >= maxConnections);
    assert.equal(await countClaimed(), maxConnections);
    release();
    await sendAll(worker, companyId);
    await worker.stop();
    assert.equal(new Set(begun).size, begun.length);
  });

  test('closing the worker releases emails that were claimed and not started, as if never claimed', async () => {
    const companyId = await openOutbox(maxConnections + 20);
    const { worker, begun, release } = openTestWorker({ free: maxConnections });
    await look(worker, async () => (await countSent(companyId)) === maxConnections);
    await look(worker, async () => (await countLeased(companyId)) >= 20 && begun.length > maxConnections);
    assert.equal(await countLeased(companyId), 20);
    const closed = worker.stop();
    release();
    await closed;
    assert.equal(begun.length, 2 * maxConnections, 'only deliveries in progress ended');
    const rows = await rowsOf(companyId);
    assert.ok(rows.every(({ isLeased }) => !isLeased));
    assert.ok(rows.every(({ state, tries }) => (state === 'sent' ? tries === 1 : tries === 0)));
    await sendAll(openTestWorker({ free: 20 }).worker, companyId);
  });

  test('an email that has waited for a quarter of its lease is not started but claimed again', async () => {
    const companyId = await openOutbox(maxConnections + 20);
    const { worker, begun, release } = openTestWorker({ free: maxConnections, mailLeaseSeconds: 12 });
    await look(worker, async () => (await countSent(companyId)) === maxConnections);
    await look(worker, async () => (await countLeased(companyId)) >= 20 && begun.length > maxConnections);
    // Slightly more than a quarter of the lease.
    await pause(3_200);
    release();
    await until(
      async () => (await rowsOf(companyId)).every(({ isLeased }) => !isLeased),
      'the rest to be released',
    );
    assert.equal(begun.length, 2 * maxConnections);
    await sendAll(worker, companyId);
    await worker.stop();
    assert.equal(new Set(begun).size, begun.length);
    assert.ok((await rowsOf(companyId)).every(({ tries }) => tries === 1));
  });

  test('a result that cannot be recorded does not affect other emails', async () => {
    const companyId = await openOutbox(3);
    const endMail = createBatchedFinish(paylink.app.deps);
    const broken = new Set<string>();
    const worker = openTestWorkerWith(async ({ mail, ...scope }) => ({
      isFast: true,
      record: async () => {
        // PostgreSQL refuses this character.
        const error = mail.mailId.includes('0002') ? 'a \0 character' : null;
        await endMail(scope, { mail, state: 'sent', error }).catch(() => broken.add(mail.mailId));
      },
    }));
    await worker.sweep('emails');
    await worker.stop();
    assert.deepEqual(
      (await rowsOf(companyId)).map(({ state }) => state),
      ['sent', 'queued', 'sent'],
    );
    assert.equal(broken.size, 1);
  });
});

// What one process has of the outbox: it takes many mails at once and no more than it may, begins none too late,
// gives back what it does not begin, and writes together what ends together.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createBatchedFinish } from '../src/mails/finish-emails.ts';
import { type DeliverEmail, type OutboxWorker, openOutboxWorker } from '../src/mails/outbox-worker.ts';
import { maxConnections } from '../src/mails/transport.ts';
import { createLinkAs, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';

type Row = { mailId: string; state: string; tries: number; isLeased: boolean };

describe('the desk of mails', () => {
  let paylink: Paylink;
  before(async () => {
    // A service at work would look when a link is created, and could take a part of what is meant for the desk.
    paylink = await startPaylink('server', { isAtWork: false });
  });
  after(async () => await paylink.stop());

  let shops = 0;
  /** A company of which so many mails are due. */
  async function openOutbox(count: number): Promise<string> {
    const merchant = await paylink.createMerchant();
    const { code } = await createLinkAs(paylink, await logIn(paylink, merchant));
    await paylink.app.deps.db.asOwner.query(
      `insert into events (company_id, mode, event_id, type, is_public, payment_id, actor, data, at)
       select company_id, mode, 'evt_' || $3 || '_' || lpad(i::text, 4, '0'), 'payment.link_sent', false, payment_id, 'test',
              '{}', now() - interval '1 hour' + i * interval '1 second'
       from payments, generate_series(1, $4::integer) i where company_id = $1 and code = $2`,
      [merchant.companyId, code, `desk${++shops}`, count],
    );
    return merchant.companyId;
  }

  const rowsOf = async (companyId: string) =>
    await paylink.app.deps.db.asOwner.query<Row>(
      `select mail_id as "mailId", state, tries, leased_until is not null as "isLeased" from mails
       where company_id = $1 order by mail_id`,
      [companyId],
    );

  /** A desk whose deliveries are noted, and end when they are let go; the first ones at once. */
  function openHeldDesk(options: { free: number; mailLeaseSeconds?: number }) {
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const endMail = createBatchedFinish(paylink.app.deps);
    const deliver: DeliverEmail = async (work) => {
      const { mail } = work;
      if (begun.push(mail.mailId) > options.free) await gate.promise;
      const record = async () => await endMail(work, { mail, state: 'sent', error: null });
      return { isBrisk: true, record };
    };
    const { mailLeaseSeconds } = options;
    const desk = openOutboxWorker(
      { ...paylink.app.deps, ...(mailLeaseSeconds ? { mailLeaseSeconds } : {}) },
      deliver,
    );
    return { desk, begun, letGo: () => gate.resolve() };
  }

  async function fillUntilSent(desk: OutboxWorker, companyId: string): Promise<void> {
    await until(async () => {
      while (await desk.fill()) await desk.room();
      return (await rowsOf(companyId)).every(({ state }) => state === 'sent');
    }, 'all mails to be sent');
  }

  test('mails leave in their order and once each, and those that end together are written together', async () => {
    const companyId = await openOutbox(60);
    const { desk, begun } = openHeldDesk({ free: 60 });
    await fillUntilSent(desk, companyId);
    await desk.close();
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

  test('before anything has arrived no more is taken than there are lanes', async () => {
    const companyId = await openOutbox(20);
    const { desk, begun, letGo } = openHeldDesk({ free: 0 });
    await desk.fill();
    assert.equal((await rowsOf(companyId)).filter(({ tries }) => tries > 0).length, maxConnections);
    letGo();
    await fillUntilSent(desk, companyId);
    await desk.close();
    assert.equal(new Set(begun).size, begun.length);
  });

  test('what was taken and not begun goes back when the desk closes, as if it had not been taken', async () => {
    const companyId = await openOutbox(maxConnections + 20);
    const { desk, begun, letGo } = openHeldDesk({ free: maxConnections });
    await desk.fill();
    await until(
      async () => (await rowsOf(companyId)).filter(({ state }) => state === 'sent').length === maxConnections,
      'lanes',
    );
    await desk.fill();
    assert.equal((await rowsOf(companyId)).filter(({ isLeased }) => isLeased).length, 20);
    const closed = desk.close();
    letGo();
    await closed;
    assert.equal(begun.length, 2 * maxConnections, 'those that were under way');
    const rows = await rowsOf(companyId);
    assert.ok(rows.every(({ isLeased }) => !isLeased));
    assert.ok(rows.every(({ state, tries }) => (state === 'sent' ? tries === 1 : tries === 0)));
    await fillUntilSent(openHeldDesk({ free: 20 }).desk, companyId);
  });

  test('a mail that has waited for a good part of its lease is not begun under it, but taken anew', async () => {
    const companyId = await openOutbox(maxConnections + 20);
    const { desk, begun, letGo } = openHeldDesk({ free: maxConnections, mailLeaseSeconds: 12 });
    await desk.fill();
    await until(
      async () => (await rowsOf(companyId)).filter(({ state }) => state === 'sent').length === maxConnections,
      'lanes',
    );
    await desk.fill();
    // A quarter of the lease, and a little more.
    await pause(3_200);
    letGo();
    await until(
      async () => (await rowsOf(companyId)).every(({ isLeased }) => !isLeased),
      'the rest to come back',
    );
    assert.equal(begun.length, 2 * maxConnections);
    await fillUntilSent(desk, companyId);
    await desk.close();
    assert.equal(new Set(begun).size, begun.length);
    assert.ok((await rowsOf(companyId)).every(({ tries }) => tries === 1));
  });

  test('a mail whose end cannot be written spoils no other’s', async () => {
    const companyId = await openOutbox(3);
    const endMail = createBatchedFinish(paylink.app.deps);
    const broken = new Set<string>();
    const desk = openOutboxWorker(paylink.app.deps, async ({ mail, ...scope }) => ({
      isBrisk: true,
      record: async () => {
        // No text of PostgreSQL may hold it.
        const error = mail.mailId.includes('0002') ? 'a \0 character' : null;
        await endMail(scope, { mail, state: 'sent', error }).catch(() => broken.add(mail.mailId));
      },
    }));
    while (await desk.fill()) await desk.room();
    await desk.close();
    assert.deepEqual(
      (await rowsOf(companyId)).map(({ state }) => state),
      ['sent', 'queued', 'sent'],
    );
    assert.equal(broken.size, 1);
  });
});

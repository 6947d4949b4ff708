// Test clocks: what an advance moves, and what it never moves.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../src/app.ts';
import { activeTestTime, runInTestTime } from '../src/base/clock.ts';
import { newId } from '../src/base/ids.ts';
import type { Database } from '../src/db/database.ts';
import { createPayment } from '../src/links/create-payment.ts';
import { advanceClock, finishAdvances } from '../src/test-mode/advance-clock.ts';
import {
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  post,
  processPayment,
} from './harness/client.ts';
import { logInLive } from './harness/modes.ts';
import { engines, freePort, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { callWithKey, createServiceKey } from './harness/service-keys.ts';
import { advance, postAdvance, readTestClock } from './harness/test-clocks.ts';
import { payWith, visit } from './harness/visitor.ts';
import { loopbackSettings, postEndpoint } from './harness/webhook-endpoints.ts';

const dayMs = 24 * 60 * 60 * 1000;
const day = 24 * 60 * 60;

/** How far a time is from the machine's, in days. */
const daysAhead = (time: unknown) => Math.round((new Date(String(time)).getTime() - Date.now()) / dayMs) + 0;

for (const engine of engines)
  describe(`a test clock on the ${engine} database`, () => {
    let working: Paylink;
    /** Without a worker, which may do what is due before an advance does and counts it. */
    let idle: Paylink;
    /** The one of the current test. */
    let paylink: Paylink;
    let owner: Credentials;
    let merchant: Merchant;
    before(async () => {
      working = await startPaylink(engine, { settings: loopbackSettings });
      idle = await startPaylink(engine, { isAtWork: false });
    });
    after(async () => {
      await working?.stop();
      await idle?.stop();
    });

    /** A company of its own for a test. */
    const begin = async (service = working) => {
      paylink = service;
      merchant = await paylink.createMerchant();
      owner = await logIn(paylink, merchant);
    };
    const get = async (path: string) => (await call(paylink, owner, ['GET', path])).body;
    const rows = async (text: string, companyId = merchant.companyId) =>
      await paylink.app.deps.db.asOwner.query<Json>(text, [companyId]);
    const createFor = async (mode: 'test' | 'live') => {
      const { companyId, accountId } = merchant;
      const body = orderOf({ success_url: 'https://shop.example/', failure_url: 'https://shop.example/' });
      return await createPayment(paylink.app.deps, { companyId, accountId, mode }, body as never);
    };

    test('links expire after an advance, and new payments and events have the new time', async () => {
      await begin(idle);
      const { code, link } = await createLinkAs(paylink, owner);
      assert.deepEqual(
        await readTestClock(paylink, owner).then(({ aheadSeconds, status }) => [aheadSeconds, status]),
        [0, 'idle'],
      );
      assert.deepEqual(await advance(paylink, owner, 'P6D').then(({ expired }) => expired), 0);
      assert.equal((await get(`/v1/payments/${code}`)).status, 'open');
      const done = await advance(paylink, owner, 'P1DT1H');
      assert.equal(done.expired, 1);
      assert.equal((await get(`/v1/payments/${code}`)).status, 'expired');
      assert.match((await visit(link)).text, /expired/i);
      const clock = await readTestClock(paylink, owner);
      assert.deepEqual([clock.aheadSeconds, daysAhead(clock.at)], [7 * day + 3_600, 7]);
      const [expired] = await rows(
        `select at from events where company_id = $1 and type = 'payment.expired'`,
      );
      assert.equal(daysAhead(expired?.at), 7);
      const created = await processPayment(paylink, owner, orderOf());
      assert.equal(daysAhead(created.body.CreatedOn), 7);
      const made = await get(`/v1/payments/${String(created.body.PaymentLinkCode)}`);
      assert.deepEqual([daysAhead(made.expiresAt), made.status], [14, 'open']);
      await payWith(String(created.body.PaymentLink), { number: '4242424242424242' });
      const [paid] = await rows(`select at from events where company_id = $1 and type = 'payment.paid'`);
      assert.equal(daysAhead(paid?.at), 7);
    });

    test('a reminder is sent once, before the link expires, however far one advance goes', async () => {
      await begin(idle);
      await rows('update companies set reminder_hours = 24 where company_id = $1');
      await createLinkAs(paylink, owner);
      const done = await advance(paylink, owner, 'P30D');
      assert.deepEqual([done.reminders, done.expired], [1, 1]);
      const events = await rows(
        `select type, at from events where company_id = $1 and type in ('payment.reminded', 'payment.expired') order by xact`,
      );
      assert.deepEqual(
        events.map(({ type, at }) => [type, daysAhead(at)]),
        [
          ['payment.reminded', 6],
          ['payment.expired', 7],
        ],
      );
      assert.equal((await advance(paylink, owner, 'P30D')).reminders, 0);
    });

    test('a service key creates payments in the moved time, and lives in real time, as the request log does', async () => {
      await begin();
      const expiresAt = new Date(Date.now() + dayMs).toISOString();
      const { key } = await createServiceKey(paylink, owner, {
        expiresAt,
        scopes: ['payments', 'requests:read'],
      });
      const advanced = await callWithKey(paylink, key, ['POST', '/v1/test/clock/advance'], {
        body: { by: 'P10D' },
      });
      assert.equal(advanced.status, 200, JSON.stringify(advanced.body));
      const { body } = await callWithKey(paylink, key, ['POST', '/v1/payment/process'], { body: orderOf() });
      assert.equal(daysAhead(body.CreatedOn), 10);
      await paylink.app.requestLog.flush();
      const log = await callWithKey(paylink, key, ['GET', '/v1/requests?path=/v1/payment/process']);
      assert.deepEqual(
        (log.body.data as Json[]).map(({ createdAt, status }) => [daysAhead(createdAt), status]),
        [[0, 200]],
      );
    });

    test('an idempotency key ends two days later', async () => {
      await begin(idle);
      const key = randomUUID();
      const send = async (amount: number) =>
        await post(`${paylink.baseUrl}/v1/payment/process`, orderOf({ amount }), {
          ...credentialHeaders(owner),
          'idempotency-key': key,
        });
      assert.equal((await send(5)).status, 200);
      await advance(paylink, owner, 'P1D');
      assert.equal((await send(6)).body.code, 'idempotency_key_reused');
      assert.equal((await advance(paylink, owner, 'P1DT1M')).idempotencyKeys, 1);
      assert.equal((await send(6)).status, 200);
    });

    test('a failing webhook is retried as often as in real time, and signed in real time', async () => {
      await begin();
      const stamps: number[] = [];
      // The first attempt is still under way when the advance begins, and its failure counts from the time that it ends.
      const receiver = createServer((request, response) => {
        const isFirst = stamps.push(Number(request.headers['webhook-timestamp'])) === 1;
        setTimeout(() => response.writeHead(500).end(), isFirst ? 1_000 : 0);
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = receiver.address() as AddressInfo;
        await postEndpoint(paylink, owner, { url: `http://127.0.0.1:${port}/`, events: ['payment.created'] });
        await createLinkAs(paylink, owner);
        await until(() => stamps.length === 1, 'the first attempt');
        await advance(paylink, owner, 'P4D');
        assert.equal(stamps.length, 10);
        for (const stamp of stamps) assert.ok(Math.abs(stamp - Date.now() / 1_000) < 60);
        const [delivery] = await rows('select state from webhook_deliveries where company_id = $1');
        assert.equal(delivery?.state, 'failed');
      } finally {
        receiver.close();
      }
    });

    test('an attempt without an outcome gets one', async () => {
      await begin();
      const { code } = await createLinkAs(paylink, owner);
      const path = `/v1/test/payments/${code}/process`;
      await call(paylink, owner, ['POST', path], { attemptStatus: 'unknown' });
      assert.equal((await get(`/v1/payments/${code}`)).status, 'processing');
      await advance(paylink, owner, 'PT1M');
      assert.equal((await get(`/v1/payments/${code}`)).status, 'paid');
    });

    test('live rows of the company, and all rows of others, stay as they are', async () => {
      await begin();
      const live = await createFor('live');
      const testPayment = await createFor('test');
      const other = await paylink.createMerchant();
      const otherOwner = await logIn(paylink, other);
      const foreign = await createLinkAs(paylink, otherOwner);
      const liveOwner = await logInLive(paylink, merchant);
      await advance(paylink, owner, 'P30D');
      for (const job of ['expire-payments', 'remind-payments', 'purge-old-rows'])
        await paylink.app.deps.db.asOwner.query(`update scheduled_jobs set due_at = now() where name = $1`, [
          job,
        ]);
      await paylink.app.work.sweep('calendar');
      const states = await rows('select code, state from payments where company_id = $1');
      assert.deepEqual(
        new Map(states.map(({ code, state }) => [code, state])),
        new Map([
          [live.payment.code, 'open'],
          [testPayment.payment.code, 'expired'],
        ]),
      );
      assert.equal(
        (await call(paylink, otherOwner, ['GET', `/v1/payments/${foreign.code}`])).body.status,
        'open',
      );
      assert.equal(daysAhead((await createFor('live')).payment.createdAt), 0);
      const read = (await call(paylink, liveOwner, ['GET', `/v1/payments/${live.payment.code}`])).body;
      assert.deepEqual([read.status, daysAhead(read.expiresAt)], ['open', 7]);
      assert.equal((await visit(`${paylink.baseUrl}/pay/${live.payment.code}`)).status, 200);
      const { body } = await processPayment(paylink, otherOwner, orderOf());
      assert.equal(daysAhead(body.CreatedOn), 0);
    });

    test('work in test time can open no transaction of live mode or of another company', async () => {
      await begin();
      const { companyId } = merchant;
      const { db } = paylink.app.deps;
      const other = (await paylink.createMerchant()).companyId;
      const one = async () => 1;
      await runInTestTime({ companyId, offsetMs: dayMs }, async () => {
        assert.equal(await db.inTenant({ companyId, mode: 'test' }, one), 1);
        for (const open of [
          async () => await db.inTenant({ companyId, mode: 'live' }, one),
          async () => await db.inBothModes(companyId, one),
          async () => await db.inTenant({ companyId: other, mode: 'test' }, one),
        ])
          await assert.rejects(open(), /must not open a transaction of live mode or of another company/);
      });
      assert.equal(activeTestTime(), null);
    });

    test('the database hides clocks from live mode, and refuses a live one, one that goes back, and one beyond the limit', async () => {
      await begin();
      await advance(paylink, owner, 'P1D');
      const { companyId } = merchant;
      const { db } = paylink.app.deps;
      const look = 'select offset_ms from test_clocks';
      assert.deepEqual(
        await db.inTenant({ companyId, mode: 'live' }, async (tx) => await tx.query(look)),
        [],
      );
      await assert.rejects(
        rows(
          `insert into test_clocks (company_id, mode, offset_ms, target_ms, moved_at) values ($1, 'live', 1, 1, now())`,
        ),
        /check constraint/,
      );
      await assert.rejects(
        rows('update test_clocks set offset_ms = offset_ms - 1 where company_id = $1'),
        /only moves forward/,
      );
      await assert.rejects(
        rows('update test_clocks set target_ms = 63072000001 where company_id = $1'),
        /check constraint/,
      );
    });

    test('two advances at once both count', async () => {
      await begin();
      const answers = await Promise.all(
        ['P1D', 'P2D', 'P3D'].map(async (by) => await postAdvance(paylink, owner, by)),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      );
      const { aheadSeconds, status } = await readTestClock(paylink, owner);
      assert.deepEqual([aheadSeconds, status], [6 * day, 'idle']);
    });

    test('an advance with an Idempotency-Key counts once, also if the first run was interrupted', async () => {
      await begin();
      const { code } = await createLinkAs(paylink, owner);
      const key = randomUUID();
      const first = await postAdvance(paylink, owner, 'P8D', key);
      assert.equal(first.status, 200);
      // As if the process had died after the first step, before the response was stored.
      await rows(
        `update idempotency_keys set state = 'running', answer = null, status = null, leased_until = now() where company_id = $1`,
      );
      const again = await postAdvance(paylink, owner, 'P8D', key);
      assert.deepEqual([again.status, again.body.aheadSeconds], [200, 8 * day]);
      const replayed = await postAdvance(paylink, owner, 'P8D', key);
      assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
      assert.equal((await get(`/v1/payments/${code}`)).status, 'expired');
    });

    test('an advance that ends in the middle goes on when it is repeated, or by itself', async () => {
      await begin(idle);
      const { code } = await createLinkAs(paylink, owner);
      const { companyId, accountId } = merchant;
      const { db, clock } = paylink.app.deps;
      let left = 6;
      const dying: Database = {
        ...db,
        inTenant: async (...given) => {
          if (--left < 0) throw new Error('the process died');
          return await db.inTenant(...given);
        },
      };
      const deps = { db, clock, log: { error: () => undefined }, kindsOf: () => [] };
      const wanted = { byMs: 8 * dayMs, eventId: newId('evt', new Date()) };
      await assert.rejects(advanceClock({ ...deps, db: dying }, { companyId, accountId }, wanted), /died/);
      const stopped = await readTestClock(paylink, owner);
      assert.equal(stopped.status, 'advancing');
      assert.ok(Number(stopped.aheadSeconds) > 6 * day && Number(stopped.aheadSeconds) < 8 * day);
      await advanceClock(deps, { companyId, accountId }, wanted);
      assert.deepEqual(
        await readTestClock(paylink, owner).then(({ aheadSeconds, status }) => [aheadSeconds, status]),
        [8 * day, 'idle'],
      );
      assert.equal((await get(`/v1/payments/${code}`)).status, 'expired');
      await rows(
        `update test_clocks set target_ms = target_ms + ${dayMs}, moved_at = now() - interval '2 minutes' where company_id = $1`,
      );
      assert.equal(await finishAdvances(deps), 1);
      assert.equal((await readTestClock(paylink, owner)).aheadSeconds, 9 * day);
      assert.equal(await finishAdvances(deps), 0);
    });

    if (engine === 'server')
      test('two processes agree on the time, and each works what is due', async () => {
        await begin();
        const port = await freePort();
        const { config, log } = paylink.app.deps;
        const second = await createApp({ config: { ...config, port }, log });
        await second.listen();
        try {
          const other = { ...paylink, baseUrl: `http://127.0.0.1:${port}` };
          const { code } = await createLinkAs(paylink, owner);
          await Promise.all([advance(paylink, owner, 'P4D'), advance(other, owner, 'P4D')]);
          for (const at of [paylink, other]) {
            const { aheadSeconds, at: time } = await readTestClock(at, owner);
            assert.deepEqual([aheadSeconds, daysAhead(time)], [8 * day, 8]);
            const { body } = await call(at, owner, ['GET', `/v1/payments/${code}`]);
            assert.equal(body.status, 'expired');
          }
          const events = await rows(
            `select count(*)::int as count from events where company_id = $1 and type = 'payment.expired'`,
          );
          assert.deepEqual(events, [{ count: 1 }]);
        } finally {
          await second.stop();
        }
      });

    test('bad input is refused with what to send instead', async () => {
      await begin();
      for (const [by, code] of [
        ['-P1D', 'out_of_range'],
        ['P0D', 'out_of_range'],
        ['P731D', 'out_of_range'],
        ['P99999999999999999999D', 'out_of_range'],
        ['P1M', 'wrong_format'],
        ['P', 'wrong_format'],
        ['P1DT', 'wrong_format'],
        ['3 days', 'wrong_format'],
        ['2030-01-01T00:00:00Z', 'wrong_format'],
      ] as const) {
        const { status, body } = await postAdvance(paylink, owner, by);
        assert.deepEqual([status, (body.errors as Json[]).map((fault) => fault.code)], [422, [code]], by);
      }
      for (const by of [3, null, undefined, '', [], 'P'.repeat(41)])
        assert.equal((await postAdvance(paylink, owner, by)).status, 422);
      assert.equal((await readTestClock(paylink, owner)).aheadSeconds, 0);
      await advance(paylink, owner, 'P730D');
      const beyond = await postAdvance(paylink, owner, 'PT1S');
      assert.match(String((beyond.body.errors as Json[])[0]?.detail), /730 days ahead at most/);
      const live = await logInLive(paylink, merchant);
      for (const refused of [
        await postAdvance(paylink, live, 'P1D'),
        await call(paylink, live, ['GET', '/v1/test/clock']),
      ])
        assert.deepEqual([refused.status, refused.body.code], [403, 'test_mode_only']);
    });

    test('sessions and keys stay valid, however far the clock is ahead', async () => {
      await begin();
      await advance(paylink, owner, 'P400D');
      assert.equal((await call(paylink, owner, ['GET', '/v1/payments'])).status, 200);
    });
  });

// The request log of the API: what it says about a call, who sees it, how long it stays, and that it never delays a call.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { limitedPerMinute, succeededPerSecond } from '../src/request-log/record-requests.ts';
import { maxWaiting, openRequestQueue } from '../src/request-log/request-queue.ts';
import {
  type Credentials,
  call,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  processPayment,
} from './harness/client.ts';
import { signIn } from './harness/dashboard.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { sampleCall, waitForCall } from './harness/request-log.ts';

const idOf = ({ headers }: { headers: Headers }) => String(headers.get('x-request-id'));

for (const engine of engines) {
  describe(`the request log on the ${engine} database`, () => {
    let paylink: Paylink;
    let owner: Credentials;
    before(async () => {
      // A job that deletes old calls would disturb the test of what it deletes.
      paylink = await startPaylink(engine, { isAtWork: false });
      owner = await logIn(paylink);
    });
    after(async () => await paylink.stop());

    const read = async (who: Credentials, id: string) =>
      await call(paylink, who, ['GET', `/v1/requests/${id}`]);
    const list = async (who: Credentials, query = '') => {
      const { status, body } = await call(paylink, who, ['GET', `/v1/requests${query}`]);
      assert.equal(status, 200, JSON.stringify(body));
      return body as { data: Json[]; nextCursor: string | null };
    };

    test('a created link is found by its request ID, with key, client, status, duration and redacted bodies', async () => {
      const order = orderOf({ firstName: 'Ada', email: 'ada@example.com', phone: '+49 30 1234567' });
      const created = await processPayment(paylink, owner, order);
      await waitForCall(paylink, idOf(created));
      const { body } = await read(owner, idOf(created));
      const { createdAt, durationMs, requestBody, responseBody, ...rest } = body;
      assert.deepEqual(rest, {
        requestId: idOf(created),
        mode: 'test',
        method: 'POST',
        path: '/v1/payment/process',
        query: null,
        status: 200,
        keyId: owner.apiKey.split('_')[2],
        actor: `account:${paylink.merchant.accountId}`,
        clientAddress: '127.0.0.1',
        errorCode: null,
        idempotentReplayed: false,
      });
      assert.ok(Math.abs(Date.parse(String(createdAt)) - Date.now()) < 60_000);
      assert.ok(Number.isInteger(durationMs) && Number(durationMs) >= 0);
      const sent = JSON.parse(String(requestBody)) as Json;
      assert.deepEqual(
        [sent.customerOrderId, sent.amount, sent.firstName, sent.email, sent.phone],
        [order.customerOrderId, order.amount, 'A***', 'a***@example.com', '***67'],
      );
      assert.equal(sent.success_url, 'https://shop.example/…');
      const answer = JSON.parse(String(responseBody)) as Json;
      assert.equal(answer.PaymentLinkCode, created.body.PaymentLinkCode);
      assert.equal(answer.email, undefined);
    });

    test('an error is found by the request ID of its problem document, with its code and the wrong fields', async () => {
      const refused = await processPayment(
        paylink,
        owner,
        orderOf({ amount: 'x', passwrod: 'hunter2hunter2' }),
      );
      assert.equal(refused.status, 422);
      await waitForCall(paylink, String(refused.body.requestId));
      const { body } = await read(owner, String(refused.body.requestId));
      assert.deepEqual([body.status, body.errorCode], [422, 'invalid_fields']);
      const { errors } = JSON.parse(String(body.responseBody)) as { errors: Json[] };
      assert.deepEqual(errors.map(({ field }) => field).sort(), ['[unknown field]', 'amount']);
      const sent = JSON.parse(String(body.requestBody)) as Json;
      assert.deepEqual([sent.amount, sent['[unknown fields]']], ['[redacted]', 1]);
    });

    test('a call without the right and a call of an unknown payment are recorded, without a body', async () => {
      const viewer = await addMember(paylink, owner, ['viewer']);
      const refused = await call(paylink, viewer.credentials, ['POST', '/v1/api-keys'], { name: 'x' });
      const missing = await call(paylink, owner, ['GET', '/v1/payments/4242424242424242']);
      for (const [{ headers }, expected] of [
        [refused, { status: 403, error_code: 'role_not_allowed', path: '/v1/api-keys', request_body: null }],
        // A card number is no ID.
        [missing, { status: 404, error_code: 'payment_not_found', path: '/v1/payments/[redacted]' }],
      ] as const) {
        const row = await waitForCall(paylink, idOf({ headers }));
        assert.deepEqual({ ...row, ...expected }, row);
      }
    });

    test('a replayed response is marked, and its body is that of the first call', async () => {
      const order = orderOf();
      const headers = { 'idempotency-key': `key-${order.customerOrderId}` };
      const send = async () =>
        await fetch(`${paylink.baseUrl}/v1/payment/process`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...credentialHeaders(owner), ...headers },
          body: JSON.stringify(order),
        });
      const [first, second] = [await send(), await send()];
      const rows = [await waitForCall(paylink, idOf(first)), await waitForCall(paylink, idOf(second))];
      assert.deepEqual(
        rows.map(({ is_replay, response_body }) => [is_replay, response_body === null]),
        [
          [false, false],
          [true, true],
        ],
      );
    });

    test('filters can be combined, pages follow each other, and a wrong filter is refused', async () => {
      const merchant = await paylink.createMerchant();
      const who = await logIn(paylink, merchant);
      let last = '';
      for (let made = 0; made < 3; made += 1) {
        await processPayment(paylink, who, orderOf());
        last = idOf(await call(paylink, who, ['GET', '/v1/payments/none']));
      }
      await waitForCall(paylink, last);
      const pathsOf = async (query: string) => (await list(who, query)).data.map(({ path }) => path);
      assert.deepEqual(await pathsOf('?status=4xx'), Array(3).fill('/v1/payments/none'));
      assert.deepEqual(await pathsOf('?status=404&path=/v1/payments'), Array(3).fill('/v1/payments/none'));
      assert.deepEqual(await pathsOf('?method=POST&path=/v1/payment/'), Array(3).fill('/v1/payment/process'));
      assert.deepEqual(await pathsOf('?status=500'), []);
      assert.deepEqual(await pathsOf(`?requestId=${last}`), ['/v1/payments/none']);
      assert.deepEqual(await pathsOf(`?requestId=${last}&status=2xx`), []);
      assert.equal((await pathsOf(`?keyId=${who.apiKey.split('_')[2]}`)).length, 6);
      assert.deepEqual(await pathsOf('?keyId=none'), []);
      assert.deepEqual(await pathsOf('?createdTo=2026-01-01T00:00:00Z'), []);
      const seen: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: { data: Json[]; nextCursor: string | null } = await list(
          who,
          `?limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        seen.push(...page.data.map(({ requestId }) => requestId));
        cursor = page.nextCursor;
      }
      assert.deepEqual([seen.length, new Set(seen).size, seen[0]], [6, 6, last]);
      for (const query of [
        'status=9xx',
        'method=TRACE',
        'path=v1',
        'keyId=a%20b',
        'createdFrom=yesterday',
        'cursor=x',
        'q=1',
      ]) {
        const { status, body } = await call(paylink, who, ['GET', `/v1/requests?${query}`]);
        assert.deepEqual([status, body.code], [422, 'invalid_fields'], query);
      }
    });

    test('another company, the other mode and a role without the right see nothing of it', async () => {
      const made = await processPayment(paylink, owner, orderOf());
      await waitForCall(paylink, idOf(made));
      const stranger = await logIn(paylink, await paylink.createMerchant());
      assert.equal((await read(stranger, idOf(made))).status, 404);
      assert.deepEqual((await list(stranger, `?requestId=${idOf(made)}`)).data, []);
      const { companyId } = paylink.merchant;
      const rows = await paylink.app.deps.db.inTenant(
        { companyId, mode: 'live' },
        async (tx) => await tx.query('select log_id from api_requests'),
      );
      assert.deepEqual(rows, []);
      const support = await addMember(paylink, owner, ['support']);
      assert.equal((await read(support.credentials, idOf(made))).status, 403);
    });

    test('calls without credentials, polling of the dashboard, and reads of the log itself are not recorded', async () => {
      const { merchant } = paylink;
      const own = await paylink.createMerchant();
      const who = await logIn(paylink, own);
      const browser = await signIn(paylink, own);
      await fetch(`${paylink.baseUrl}/v1/payments`);
      await fetch(`${paylink.baseUrl}/v1/payments`, {
        headers: { cookie: browser.cookie, 'x-paylink-background': 'true' },
      });
      await list(who);
      // A program cannot hide a call.
      const shown = await fetch(`${paylink.baseUrl}/v1/payments`, {
        headers: { ...credentialHeaders(who), 'x-paylink-background': 'true' },
      });
      await waitForCall(paylink, idOf(shown));
      const { data } = await list(who);
      assert.deepEqual(
        data.map(({ requestId }) => requestId),
        [idOf(shown)],
      );
      assert.ok(merchant.companyId !== own.companyId);
    });

    test('calls older than 7 days are deleted in batches, and younger ones stay', async () => {
      const { db } = paylink.app.deps;
      await db.asOwner.query('delete from api_requests');
      await db.asOwner.query(
        `insert into api_requests (company_id, mode, log_id, request_id, at, method, path, status, duration_ms, actor,
                                   client, is_replay)
         select $1, 'test', 'rql_' || n, 'req_' || n, now() - make_interval(hours => n), 'GET', '/v1/me', 200, 1, 'x', 'x', false
         from generate_series(1, 200) n`,
        [paylink.merchant.companyId],
      );
      const { purgeRequests } = await import('../src/request-log/purge.ts');
      assert.equal(await purgeRequests(db, { days: 7, batchSize: 10 }), 200 - 168 + 1);
      const [left] = await db.asOwner.query(
        "select count(*)::int4 as count, min(at) > now() - interval '7 days' as young from api_requests",
      );
      assert.deepEqual(left, { count: 167, young: true });
      assert.equal(await purgeRequests(db, { days: 0 }), 167 - 23);
    });
  });
}

describe('the request log beside a slow or dead database', () => {
  test('calls are answered while the log cannot be written, and the lost calls are counted', async () => {
    const paylink = await startPaylink('server');
    try {
      const who = await logIn(paylink);
      const { asOwner } = paylink.app.deps.db;
      await asOwner.query('alter table api_requests rename to api_requests_gone');
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => await processPayment(paylink, who, orderOf())),
      );
      assert.ok(answers.every(({ status }) => status === 200));
      await paylink.app.requestLog.flush();
      await asOwner.query('alter table api_requests_gone rename to api_requests');
      const made = await processPayment(paylink, who, orderOf());
      assert.equal((await waitForCall(paylink, idOf(made))).status, 200);
      const lines = paylink
        .log()
        .split('\n')
        .filter((line) => line.includes('the request log lost calls'));
      assert.ok(lines.length >= 1 && lines.length < 5, lines.join('\n'));
    } finally {
      await paylink.stop();
    }
  });

  test('a lock on the table of the log delays no call', async () => {
    const paylink = await startPaylink('server');
    try {
      const who = await logIn(paylink);
      await paylink.app.deps.db.withConnection(async (sql) => {
        await sql.query('begin');
        await sql.query('lock table api_requests in access exclusive mode');
        for (let made = 0; made < 20; made += 1) {
          const startedAt = performance.now();
          assert.equal((await processPayment(paylink, who, orderOf())).status, 200);
          // Below the limit of waits for locks.
          assert.ok(performance.now() - startedAt < 4_000, 'no call waited for the lock');
        }
        await sql.query('rollback');
      });
      await paylink.app.requestLog.flush();
    } finally {
      await paylink.stop();
    }
  });

  test('while the database hangs, a bounded number of calls waits, and every other one is counted', async () => {
    const paylink = await startPaylink('server');
    const { db, log } = paylink.app.deps;
    try {
      let dropped = 0;
      const onDropped = (count: number) => {
        dropped += count;
      };
      const queue = openRequestQueue({ db, log, onDropped, pauseMs: 1 });
      const total = 2 * maxWaiting;
      await db.withConnection(async (sql) => {
        await sql.query('begin');
        await sql.query('lock table api_requests in access exclusive mode');
        for (let made = 0; made < total; made += 1) queue.add(sampleCall(paylink.merchant.companyId));
        assert.ok(dropped >= total - maxWaiting - 500, `${dropped} dropped`);
        await sql.query('rollback');
      });
      // Concurrent flushes write each call once.
      await Promise.all([queue.flush(), queue.flush(), queue.close()]);
      queue.add(sampleCall(paylink.merchant.companyId));
      const [row] = await db.asOwner.query('select count(*)::int4 as count from api_requests');
      assert.equal(Number(row?.count), total + 1 - dropped);
    } finally {
      await paylink.stop();
    }
  });

  test('a flood of calls beyond a limit leaves a bounded number of rows', async () => {
    const paylink = await startPaylink('server', {
      settings: { RATE_LIMIT_API_PER_SECOND: '1' },
      clock: manualClock(new Date()),
    });
    try {
      const who = await logIn(paylink);
      const answers = await Promise.all(
        Array.from({ length: 3 * limitedPerMinute }, async () => await call(paylink, who, ['GET', '/v1/me'])),
      );
      const limited = answers.filter(({ status }) => status === 429).length;
      assert.ok(limited > 2 * limitedPerMinute);
      await paylink.app.requestLog.flush();
      const [row] = await paylink.app.deps.db.asOwner.query(
        'select count(*)::int4 as count from api_requests where status = 429',
      );
      assert.ok(Number(row?.count) <= limitedPerMinute + 10, String(row?.count));
    } finally {
      await paylink.stop();
    }
  });

  test('of a company that makes more than 100 calls a second, calls that fail are recorded in any case', async () => {
    const paylink = await startPaylink('server', {
      settings: { RATE_LIMIT_API_PER_SECOND: '0' },
      clock: manualClock(new Date()),
    });
    try {
      const who = await logIn(paylink);
      const other = await logIn(paylink, await paylink.createMerchant());
      const make = async (path: string) => await call(paylink, who, ['GET', path]);
      for (let made = 0; made < succeededPerSecond + 20; made += 1) await make('/v1/me');
      const missing = await make('/v1/payments/none');
      await waitForCall(paylink, idOf(missing));
      // Its flood costs another company nothing.
      await waitForCall(paylink, idOf(await call(paylink, other, ['GET', '/v1/me'])));
      const rows = await paylink.app.deps.db.asOwner.query(
        `select count(*)::int4 as count from api_requests where company_id = $1 and status = 200`,
        [who.companyId],
      );
      // The login asks nothing with credentials. A bucket may have one more.
      assert.ok(
        [succeededPerSecond, succeededPerSecond + 1].includes(Number(rows[0]?.count)),
        JSON.stringify(rows),
      );
    } finally {
      await paylink.stop();
    }
  });

  test('with 0 days no call is recorded', async () => {
    const paylink = await startPaylink('server', { settings: { REQUEST_LOG_DAYS: '0' } });
    try {
      await processPayment(paylink, await logIn(paylink), orderOf());
      await paylink.app.requestLog.flush();
      assert.deepEqual(await paylink.app.deps.db.asOwner.query('select log_id from api_requests'), []);
    } finally {
      await paylink.stop();
    }
  });
});

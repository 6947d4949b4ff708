// Test mode and live mode of one company: no route reads or changes data of the other mode. The routes are those of
// harness/route-cases.ts.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { callRoute } from './harness/call-route.ts';
import {
  type Credentials,
  call,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  post,
} from './harness/client.ts';
import { browse, signIn } from './harness/dashboard.ts';
import { listIds, logInLive, moveToLive, readState } from './harness/modes.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import type { Call } from './harness/route-cases.ts';
import {
  listRoutes,
  openCompany,
  type Route,
  type RouteCompany,
  routeCaseOf,
  validCall,
} from './harness/route-cases.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

/** The audit log is about the company in both modes, for its owners and admins. */
const spansBothModes = ['GET /v1/audit-events'];

/** Path parameters that name an object of one mode. */
const modeParams = ['code', 'endpointId', 'deliveryId', 'connectionId', 'statementId', 'lineId', 'refundId'];

/** Values of the same form that name no object. */
function unknownOf(params: Record<string, string>): Record<string, string> {
  const last = (text: string) => text.slice(0, -4) + (text.endsWith('0000') ? '1111' : '0000');
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, last(value)]));
}

/** A response without the fields that differ between any two. */
function bare(answer: { status: number; json: Json }): unknown {
  const { requestId: _requestId, instance: _instance, ...rest } = answer.json;
  return { status: answer.status, ...rest };
}

for (const engine of engines) {
  describe(`the modes of a company on the ${engine} database`, () => {
    let paylink: Paylink;
    let company: RouteCompany;
    let routes: Route[];
    before(async () => {
      paylink = await startPaylink(engine, { settings: loopbackSettings });
      company = await openCompany(paylink, paylink.merchant);
      routes = (await listRoutes(paylink.baseUrl)).filter((route) => routeCaseOf(route).roles !== null);
    });
    after(async () => await paylink.stop());

    /** Calls a route on objects of the mode `hidden`. Fails if the response shows or the call changes any of them. */
    const checkHidden = async (
      route: Route,
      asked: Pick<Call, 'headers'> & Awaited<ReturnType<typeof validCall>>,
      hidden: 'test' | 'live',
    ) => {
      const { companyId } = company.merchant;
      const ids = await listIds(paylink, companyId, hidden);
      assert.ok(ids.length > 0);
      const before = await readState(paylink, companyId, hidden);
      const answer = await callRoute(paylink.baseUrl, route, asked);
      const text = `${route.name} ${answer.status} ${answer.text.slice(0, 300)}`;
      if (!spansBothModes.includes(route.name)) {
        // The `instance` of a refusal repeats the path of the call.
        const named = Object.values(asked.params);
        const shown = ids.filter((id) => answer.text.includes(id) && !named.includes(id));
        assert.deepEqual(shown, [], `shows ${hidden} rows: ${text}`);
      }
      assert.equal(await readState(paylink, companyId, hidden), before, `changes ${hidden} rows: ${text}`);
      // These are refused in live mode, whatever they name.
      const isOfTests = hidden === 'test' && route.path.startsWith('/v1/test/');
      if (isOfTests) assert.equal(answer.status, 403, text);
      if (isOfTests || !Object.keys(asked.params).some((name) => modeParams.includes(name))) return;
      assert.equal(answer.status, 404, text);
      const unknown = await callRoute(paylink.baseUrl, route, { ...asked, params: unknownOf(asked.params) });
      assert.deepEqual(bare(answer), bare(unknown), text);
    };

    test('a live key cannot read or change test data, on every route', async () => {
      const live = await logInLive(paylink, company.merchant);
      for (const route of routes) {
        // An earlier call has ended all sessions.
        company = await openCompany(paylink, paylink.merchant);
        if (route === routes[0]) await company.paidCode();
        const wanted = await validCall(route, company);
        // A call that ends its session uses a separate session.
        const { token } = await logIn(paylink, company.merchant);
        await checkHidden(route, { ...wanted, headers: credentialHeaders({ ...live, token }) }, 'test');
      }
    });

    test('a test key and a cookie without the mode header cannot read or change live data, on every route', async () => {
      for (const route of routes) {
        // An earlier call has ended all sessions.
        company = await openCompany(paylink, paylink.merchant);
        if (route === routes[0]) await company.paidCode();
        const wanted = await validCall(route, company);
        await moveToLive(paylink, company.merchant.companyId);
        const own = await logIn(paylink, company.merchant);
        await checkHidden(route, { ...wanted, headers: credentialHeaders(own) }, 'live');
        const { cookie, csrfToken } = await signIn(paylink, company.merchant);
        const headers = { cookie, 'x-paylink-csrf': csrfToken, 'sec-fetch-site': 'same-origin' };
        await checkHidden(route, { ...wanted, headers }, 'live');
      }
    });

    /** A new company with a payment that was moved to live mode. */
    const openLive = async () => {
      const merchant = await paylink.createMerchant();
      const fresh = await openCompany(paylink, merchant);
      const code = await fresh.paidCode();
      const open = await fresh.openCode();
      await moveToLive(paylink, merchant.companyId);
      const live = await logInLive(paylink, merchant);
      return { merchant, test: await logIn(paylink, merchant), live, code, open };
    };

    test('a test key cannot refund or cancel a live payment: both give 404 and change nothing', async () => {
      const { merchant, test: own, live, code, open } = await openLive();
      const before = await readState(paylink, merchant.companyId, 'live');
      for (const path of [`/v1/payments/${code}/refunds`, `/v1/payments/${open}/cancel`]) {
        const answer = await call(paylink, own, ['POST', path], {});
        assert.deepEqual([answer.status, answer.body.code], [404, 'payment_not_found'], path);
        const browser = await signIn(paylink, merchant);
        const byCookie = await browse(paylink, browser, ['POST', path], { body: {} });
        assert.deepEqual([byCookie.status, byCookie.body.code], [404, 'payment_not_found'], path);
      }
      assert.equal(await readState(paylink, merchant.companyId, 'live'), before);
      const cancelled = await call(paylink, live, ['POST', `/v1/payments/${open}/cancel`], {});
      assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled']);
    });

    test('the same order and Idempotency-Key in both modes at once create two payments, each replayed in its own mode', async () => {
      const { test: own, live } = await openLive();
      const order = orderOf();
      const key = randomUUID();
      const ask = async (who: Credentials) =>
        await post(`${paylink.baseUrl}/v1/payment/process`, order, {
          ...credentialHeaders(who),
          'idempotency-key': key,
        });
      const [inTest, inLive] = await Promise.all([ask(own), ask(live)]);
      const [againTest, againLive] = await Promise.all([ask(own), ask(live)]);
      for (const answer of [inTest, inLive]) assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.notEqual(inTest.body.PaymentLinkCode, inLive.body.PaymentLinkCode);
      for (const [first, again] of [
        [inTest, againTest],
        [inLive, againLive],
      ] as const) {
        assert.equal(again.headers.get('idempotent-replayed'), 'true');
        assert.deepEqual(again.body, first.body);
      }
      const modeOf = async (who: Credentials, { body }: { body: Json }) =>
        (await call(paylink, who, ['GET', `/v1/payments/${body.PaymentLinkCode}`])).body.mode;
      assert.deepEqual([await modeOf(own, inTest), await modeOf(live, inLive)], ['test', 'live']);
    });

    test('a list accepts the mode of the credentials as a filter, and refuses the other mode with a hint', async () => {
      const { test: own, live, code } = await openLive();
      for (const path of ['/v1/payments', '/v1/exports/payments']) {
        const refused = await call(paylink, own, ['GET', `${path}?mode=live`]);
        assert.deepEqual([refused.status, refused.body.code], [403, 'mode_not_allowed'], path);
        assert.match(String(refused.body.detail), /are of test mode.*API key of live mode.*X-Paylink-Mode/);
        const other = await call(paylink, live, ['GET', `${path}?mode=test`]);
        assert.deepEqual([other.status, other.body.code], [403, 'mode_not_allowed'], path);
      }
      const codesOf = ({ body }: { body: Json }) => (body.data as Json[]).map((each) => each.PaymentLinkCode);
      assert.deepEqual(codesOf(await call(paylink, own, ['GET', '/v1/payments?mode=test'])), []);
      const plain = codesOf(await call(paylink, live, ['GET', '/v1/payments']));
      assert.ok(plain.includes(code));
      assert.deepEqual(codesOf(await call(paylink, live, ['GET', '/v1/payments?mode=live'])), plain);
    });

    test('a cursor from before lists had one mode continues at its position', async () => {
      const { merchant, live, code, open } = await openLive();
      const { body } = await call(paylink, live, ['GET', '/v1/payments?sort=CreatedOn']);
      const [{ PaymentLinkCode: first } = {}] = body.data as Json[];
      assert.equal(first, code);
      const [{ id } = {}] = await paylink.app.deps.db.asOwner.query<{ id: string }>(
        'select payment_id as id from payments where code = $1',
        [code],
      );
      // In the form of the previous version: a digest of the query, then the position.
      const cursorOf = (query: [string, string][]) => {
        const question = JSON.stringify(['payments', merchant.companyId, query]);
        const digest = createHash('sha256').update(question).digest('base64url').slice(0, 16);
        return Buffer.from(JSON.stringify([1, digest, '', id])).toString('base64url');
      };
      for (const query of [
        [['sort', 'CreatedOn']],
        [
          ['mode', 'live'],
          ['sort', 'CreatedOn'],
        ],
      ] as [string, string][][]) {
        const asked = new URLSearchParams([...query, ['cursor', cursorOf(query)]]);
        const next = await call(paylink, live, ['GET', `/v1/payments?${asked}`]);
        assert.equal(next.status, 200, JSON.stringify(next.body));
        assert.deepEqual(
          (next.body.data as Json[]).map((each) => each.PaymentLinkCode),
          [open],
        );
      }
    });

    test('the feed lists the events of one mode, from any cursor', async () => {
      const { test: own, live, code } = await openLive();
      const { body: fresh } = await post(
        `${paylink.baseUrl}/v1/payment/process`,
        orderOf(),
        credentialHeaders(own),
      );
      const read = async (who: Credentials, after: string | null): Promise<Json[]> => {
        const path = `/v1/events?limit=100${after === null ? '' : `&after=${after}`}`;
        for (;;) {
          const { status, body } = await call(paylink, who, ['GET', path]);
          assert.equal(status, 200, JSON.stringify(body));
          if ((body.data as Json[]).length > 0) return body.data as Json[];
        }
      };
      // Cursors of every version have this form: "<transaction> <event>", base64url.
      for (const cursor of [
        null,
        Buffer.from('0 0').toString('base64url'),
        Buffer.from('3 evt_1').toString('base64url'),
      ]) {
        const inTest = await read(own, cursor);
        assert.deepEqual([...new Set(inTest.map((each) => each.PaymentLinkCode))], [fresh.PaymentLinkCode]);
        const inLive = await read(live, cursor);
        assert.ok(inLive.some((each) => each.PaymentLinkCode === code));
        assert.ok(inLive.every((each) => each.PaymentLinkCode !== fresh.PaymentLinkCode));
      }
    });

    test('an entry of the audit log about a payment names the mode of the credentials', async () => {
      const { live, open } = await openLive();
      await call(paylink, live, ['POST', `/v1/payments/${open}/cancel`], {});
      const { body } = await call(paylink, live, ['GET', `/v1/audit-events?PaymentLinkCode=${open}`]);
      const [newest] = body.data as Json[];
      assert.deepEqual([newest?.type, newest?.mode], ['payment.cancelled', 'live']);
      const about = await call(paylink, live, ['GET', '/v1/audit-events?about=company&type=session.opened']);
      assert.deepEqual([...new Set((about.body.data as Json[]).map(({ mode }) => mode))], [null]);
    });
  });
}

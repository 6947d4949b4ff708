// `paylink mcp` without `--allow`: what each tool reads, which tools a key sees, and wrong calls. With the official client.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serviceKeyScopes } from '../src/http/roles.ts';
import { tools } from '../src/mcp/tools.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { untilInFeed } from './harness/database-fixture.ts';
import { connectMcp, type McpClient } from './harness/mcp.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { fillWordsOf } from './harness/payment-words.ts';
import { waitForCall } from './harness/request-log.ts';
import { createServiceKey } from './harness/service-keys.ts';
import { payWith } from './harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from './harness/webhook-endpoints.ts';

const readingNames = tools.filter(({ act }) => act === null).map(({ name }) => name);
const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name);

for (const engine of engines)
  describe(engine, () => {
    let paylink: Paylink;
    let owner: Credentials;
    let mcp: McpClient;
    let code: string;
    let refundId: string;
    let endpointId: string;
    before(async () => {
      // No delivery may change an endpoint between two calls that are compared.
      paylink = await startPaylink(engine, { settings: loopbackSettings, isAtWork: false });
      owner = await logIn(paylink);
      const hook = await createTestEndpoint(paylink, owner, { url: 'http://127.0.0.1:1029/' });
      endpointId = hook.id;
      const link = await createLinkAs(paylink, owner);
      code = link.code;
      await payWith(link.link, { number: '4242424242424242' });
      const path = `/v1/payments/${code}/refunds`;
      const refunded = await call(paylink, owner, ['POST', path], { amount: 5, reason: 'broken' });
      refundId = String(refunded.body.refundId);
      await fillWordsOf(paylink.app.deps.db, paylink.merchant.companyId);
      const { key } = await createServiceKey(paylink, owner, { scopes: ['read'] });
      mcp = await connectMcp(paylink, key);
      await untilInFeed(paylink.app.deps.db);
    });
    after(async () => {
      await paylink.stop();
      await mcp.close();
    });

    const ask = async (path: string) => (await call(paylink, owner, ['GET', path])).body;

    test('without --allow every reading tool is listed, none that acts, and each says so in its hints', async () => {
      const list = await mcp.list();
      assert.deepEqual(namesOf(list), readingNames);
      assert.ok(list.length >= 16);
      for (const { name, title, description, annotations, inputSchema, outputSchema } of list) {
        assert.ok(title && description && description.length > 40, name);
        assert.equal(annotations?.readOnlyHint, true, name);
        assert.equal(annotations?.destructiveHint, false, name);
        assert.equal(annotations?.idempotentHint, true, name);
        assert.equal(inputSchema.type, 'object');
        assert.equal(inputSchema.additionalProperties, false, name);
        assert.equal(outputSchema?.type, 'object', name);
      }
    });

    test('payments and refunds are found, listed and retrieved as the API returns them', async () => {
      assert.deepEqual(await mcp.read('list_payments', { limit: 25 }), await ask('/v1/payments'));
      const found = await mcp.read('list_payments', { email: 'ada@*', minAmount: 19.99, maxAmount: 19.99 });
      assert.deepEqual(
        (found.data as Json[]).map((one) => one.PaymentLinkCode),
        [code],
      );
      assert.deepEqual((await mcp.read('list_payments', { status: 'open' })).data, []);
      assert.deepEqual((await mcp.read('list_payments', { minAmount: 20 })).data, []);
      const payment = await mcp.read('get_payment', { paymentLinkCode: code });
      assert.deepEqual(payment, await ask(`/v1/payments/${code}?expand=refunds,attempts`));
      assert.equal((payment.refunds as Json[]).length, 1);
      const events = await mcp.read('list_payment_events', { paymentLinkCode: code, limit: 25 });
      assert.deepEqual(events, await ask(`/v1/payments/${code}/events`));
      assert.deepEqual(await mcp.read('list_refunds', { paymentLinkCode: code }), await ask('/v1/refunds'));
      assert.deepEqual(await mcp.read('get_refund', { refundId }), await ask(`/v1/refunds/${refundId}`));
    });

    test('events, balances, endpoints and deliveries are as the API returns them', async () => {
      // A cursor of the feed is another one each time.
      const events = await mcp.read('list_events', { limit: 25 });
      assert.deepEqual(events.data, (await ask('/v1/events')).data);
      assert.deepEqual(await mcp.read('list_balances'), await ask('/v1/balances'));
      assert.deepEqual(await mcp.read('list_webhook_endpoints'), await ask('/v1/webhook-endpoints'));
      const endpoint = await mcp.read('get_webhook_endpoint', { endpointId });
      assert.equal(endpoint.endpointId, endpointId);
      assert.ok(!('secret' in endpoint));
      const ofPayment = await mcp.read('list_payment_deliveries', { paymentLinkCode: code });
      assert.ok((ofPayment.data as Json[]).length > 0);
      const deliveries = await mcp.read('list_webhook_deliveries', { endpointId, limit: 100 });
      const [delivery] = deliveries.data as Json[];
      assert.ok(delivery, 'there is a delivery');
      const { deliveryId } = delivery;
      assert.equal((await mcp.read('get_webhook_delivery', { deliveryId })).deliveryId, deliveryId);
    });

    test('a page ends with a cursor that continues it', async () => {
      const first = await mcp.read('list_events', { limit: 1 });
      const next = await mcp.read('list_events', { limit: 1, after: first.nextCursor });
      assert.notDeepEqual(first.data, next.data);
      const events = { paymentLinkCode: code, limit: 1 };
      const { data, nextCursor } = await mcp.read('list_payment_events', events);
      const rest = await mcp.read('list_payment_events', { ...events, cursor: nextCursor });
      assert.notDeepEqual(data, rest.data);
    });

    test('calls are found in the request log and shown with their bodies, also those of the server itself', async () => {
      const { headers } = await call(paylink, owner, ['GET', '/v1/payments/none']);
      const requestId = String(headers.get('x-request-id'));
      await waitForCall(paylink, requestId);
      const found = await mcp.read('list_requests', { status: '4xx', requestId });
      assert.deepEqual(
        (found.data as Json[]).map(({ path }) => path),
        ['/v1/payments/none'],
      );
      const shown = await mcp.read('get_request', { requestId });
      assert.deepEqual(shown, await ask(`/v1/requests/${requestId}`));
      const own = await mcp.read('list_requests', { path: '/v1/access' });
      assert.ok((own.data as Json[]).length > 0);
    });

    test('what another company has is not found', async () => {
      const other = await logIn(paylink, await paylink.createMerchant());
      const { code: theirs } = await createLinkAs(paylink, other);
      const error = await mcp.fail('get_payment', { paymentLinkCode: theirs });
      assert.deepEqual([error.status, error.code], [404, 'payment_not_found']);
    });
  });

describe('scopes and wrong calls', () => {
  let paylink: Paylink;
  let owner: Credentials;
  before(async () => {
    paylink = await startPaylink('server');
    owner = await logIn(paylink);
  });
  after(async () => await paylink.stop());

  const connect = async (scopes: readonly string[]) =>
    await connectMcp(paylink, (await createServiceKey(paylink, owner, { scopes })).key);

  test('a key sees the tools of its scopes only; a call of another tool is refused and names the scope', async () => {
    for (const scope of serviceKeyScopes) {
      const mcp = await connect([scope]);
      const expected = tools.filter(
        (tool) => tool.act === null && (tool.scope === null || tool.scope === scope),
      );
      assert.deepEqual(namesOf(await mcp.list()), namesOf(expected), scope);
      for (const { name, scope: needed } of tools.filter(
        (tool) => tool.act === null && !expected.includes(tool),
      )) {
        const error = await mcp.fail(name, {});
        assert.equal(error.code, 'scope_not_allowed', name);
        assert.match(
          String(error.message),
          new RegExp(`scope ${needed}\\. The scopes of this key: ${scope}\\.$`),
        );
      }
      await mcp.close();
    }
  });

  test('a key learns what it may do', async () => {
    const mcp = await connect(['payments:read', 'payments:refund']);
    const { json, structured } = await mcp.call('get_access');
    assert.deepEqual(json, structured);
    const { companyId } = paylink.merchant;
    const { serviceKeyId, ...data } = json.data as Json;
    assert.match(String(serviceKeyId), /^[0-9a-z]{16}$/);
    assert.deepEqual(data, {
      companyId,
      mode: 'test',
      scopes: ['payments:read', 'payments:refund'],
      acts: [],
    });
    await mcp.close();
  });

  test('an unknown tool is an error of the protocol, and wrong arguments are named without a call', async () => {
    let calls = 0;
    const counting: typeof fetch = async (...request) => {
      calls += 1;
      return await fetch(...request);
    };
    const { key } = await createServiceKey(paylink, owner, { scopes: ['read'] });
    const mcp = await connectMcp(paylink, key, { fetch: counting });
    await assert.rejects(mcp.call('steal_money'), /There is no tool steal_money/);
    const before = calls;
    for (const [name, given, faults] of [
      ['get_payment', {}, [['paymentLinkCode', 'missing']]],
      ['get_payment', { paymentLinkCode: 7 }, [['paymentLinkCode', 'type']]],
      ['get_payment', { paymentLinkCode: 'x', mode: 'live' }, [['mode', 'unknown']]],
      ['list_payments', { status: 'stolen' }, [['status', 'not_allowed']]],
      ['list_payments', { limit: 101 }, [['limit', 'maximum']]],
      ['list_payments', { limit: '10' }, [['limit', 'type']]],
      ['list_balances', { a: 1 }, [['a', 'unknown']]],
    ] as [string, Json, [string, string][]][]) {
      const error = await mcp.fail(name, given);
      assert.equal(error.code, 'invalid_arguments');
      assert.deepEqual(
        (error.fields as Json[]).map(({ field, code }) => [field, code]),
        faults,
      );
    }
    assert.equal((await mcp.fail('get_payment', { paymentLinkCode: '..' })).code, 'invalid_arguments');
    assert.equal(calls - before, 0, 'nothing was sent');
    const wrongTime = await mcp.fail('list_payments', { createdFrom: 'yesterday' });
    assert.deepEqual([wrongTime.status, wrongTime.code], [422, 'invalid_fields']);
    assert.deepEqual(
      (wrongTime.fields as Json[]).map(({ field }) => field),
      ['createdFrom'],
    );
    await mcp.close();
  });
});

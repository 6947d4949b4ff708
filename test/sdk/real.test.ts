import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createPaylink,
  PaylinkApiError,
  type Paylink as PaylinkClient,
  SignatureError,
  verifyRedirect,
} from '../../sdk/src/index.ts';
import { orderOf } from '../harness/client.ts';
import { type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { payWith } from '../harness/visitor.ts';

type Order = Parameters<PaylinkClient['payments']['create']>[0];

describe('the SDK against the service', () => {
  let service: Paylink;
  let paylink: PaylinkClient;
  before(async () => {
    service = await startPaylink('embedded');
    paylink = createPaylink({ baseUrl: service.baseUrl, email: service.merchant.email, password });
  });
  after(async () => await service.stop());

  const order = (fields: Partial<Order> = {}) => orderOf(fields) as Order;
  const pay = async (link: string, number: string) => (await payWith(link, { number })).url;

  test('a payment can be created, read and cancelled', async () => {
    const wanted = order({ metadata: { cart: '7' } });
    const made = await paylink.payments.create(wanted);
    assert.deepEqual([made.amount, made.status, made.metadata], [19.99, 'open', { cart: '7' }]);
    const seen = await paylink.payments.get(made.PaymentLinkCode);
    assert.deepEqual([seen.customerOrderId, seen.status], [wanted.customerOrderId, 'open']);
    assert.equal((await paylink.payments.cancel(made.PaymentLinkCode)).status, 'cancelled');
  });

  test('with a service key alone a payment is created, and the customer’s return verified', async () => {
    const { key } = await paylink.serviceKeys.create({ scopes: ['payments'] });
    const shop = createPaylink({ baseUrl: service.baseUrl, serviceKey: key });
    const made = await shop.payments.create(order());
    const result = await shop.verifyRedirect(await pay(made.PaymentLink, '4242424242424242'), {
      amount: 19.99,
    });
    assert.deepEqual([result.status, result.PaymentLinkCode], ['paid', made.PaymentLinkCode]);
    await assert.rejects(shop.serviceKeys.create({ scopes: ['read'] }), { code: 'service_key_not_allowed' });
    await assert.rejects(shop.balances.list().page(), { code: 'scope_not_allowed' });
  });

  test('a webhook endpoint can be created, changed, tested, listed and deleted', async () => {
    // The name cannot be resolved (RFC 2606), so each attempt fails.
    const wanted = { url: 'https://shop.invalid/hooks', events: ['*' as const] };
    const { id, secret } = await paylink.webhookEndpoints.create(wanted);
    assert.match(secret, /^whsec_/);
    assert.equal((await paylink.webhookEndpoints.update(id, { description: 'Shop' })).description, 'Shop');
    assert.equal((await paylink.webhookEndpoints.get(id)).description, 'Shop');
    assert.notEqual((await paylink.webhookEndpoints.rollSecret(id)).secret, secret);
    const { deliveryId } = await paylink.webhookEndpoints.test(id);
    assert.equal((await paylink.webhookDeliveries.get(deliveryId)).deliveryId, deliveryId);
    const listed: string[] = [];
    for await (const delivery of paylink.webhookEndpoints.listDeliveries(id))
      listed.push(delivery.deliveryId);
    assert.ok(listed.includes(deliveryId));
    assert.deepEqual(await paylink.webhookEndpoints.resendSince(id, '2100-01-01T00:00:00Z'), { count: 0 });
    const found = await paylink.webhookEndpoints.list().page();
    assert.deepEqual(
      found.data.map((endpoint) => endpoint.id),
      [id],
    );
    await paylink.webhookEndpoints.remove(id);
    await assert.rejects(paylink.webhookEndpoints.get(id), { code: 'not_found' });
  });

  test('a repeated order returns the same link, and its headers say so', async () => {
    const wanted = order();
    const first = await paylink.payments.create(wanted);
    let isReplay = false;
    const second = await paylink.payments.create(wanted, {
      onAnswer: ({ headers }) => {
        isReplay = headers.get('idempotent-replayed') === 'true';
      },
    });
    assert.deepEqual([second.PaymentLink, isReplay], [first.PaymentLink, true]);
  });

  test('a refusal of the service is an error with the code and the fields of its catalogue', async () => {
    const wrong = paylink.payments.create({ ...order(), amount: 19.999 });
    const error = await wrong.catch((thrown: unknown) => thrown);
    assert.ok(error instanceof PaylinkApiError);
    assert.deepEqual([error.status, error.code, error.errors[0]?.field], [422, 'invalid_fields', 'amount']);
    assert.match(error.requestId ?? '', /^req_/);
    await assert.rejects(paylink.payments.get('nothing'), { status: 404, code: 'payment_not_found' });
    const stranger = createPaylink({ baseUrl: service.baseUrl, email: 'a@example.com', password });
    await assert.rejects(stranger.cases.list().page(), { status: 401, code: 'wrong_login' });
  });

  test('a paid order returns a result that is valid for this order and no other', async () => {
    const wanted = order();
    const { PaymentLink, PaymentLinkCode } = await paylink.payments.create(wanted);
    const address = await pay(PaymentLink, '4242424242424242');
    const result = await paylink.verifyRedirect(address, wanted);
    assert.deepEqual([result.status, result.PaymentLinkCode], ['paid', PaymentLinkCode]);
    await assert.rejects(paylink.verifyRedirect(address, { ...wanted, amount: 1 }), SignatureError);
    const { baseUrl, merchant } = service;
    assert.deepEqual(await verifyRedirect(address, { baseUrl, companyId: merchant.companyId }), result);
    const other = { baseUrl, companyId: (await service.createMerchant()).companyId };
    await assert.rejects(verifyRedirect(address, other), { code: 'not_for_you' });
  });

  test('a declined order returns a valid result with the status failed', async () => {
    const { PaymentLink } = await paylink.payments.create(order());
    const address = await pay(PaymentLink, '4000000000000002');
    assert.equal((await paylink.verifyRedirect(address)).status, 'failed');
    const forged = address.replace('status=failed', 'status=paid');
    assert.equal((await paylink.verifyRedirect(forged)).status, 'failed');
  });

  test('a paid order can be refunded in parts, and its refunds are listed', async () => {
    const { PaymentLink, PaymentLinkCode: code } = await paylink.payments.create(order());
    await pay(PaymentLink, '4242424242424242');
    const part = await paylink.payments.refund(code, { amount: 5, expectedRemaining: 19.99 });
    assert.deepEqual([part.amount, part.status], [5, 'succeeded']);
    assert.equal((await paylink.payments.refund(code)).amount, 14.99);
    await assert.rejects(paylink.payments.refund(code), { code: 'refund_too_large' });
    const amounts: number[] = [];
    for await (const refund of paylink.payments.listRefunds(code)) amounts.push(refund.amount);
    assert.deepEqual(amounts, [5, 14.99]);
    assert.equal((await paylink.payments.get(code)).refundedAmount, 19.99);
    assert.deepEqual(await paylink.cases.list().page(), { data: [], nextCursor: null });
  });

  test('a client logs in again automatically after the service has ended its session', async () => {
    const own = await service.createMerchant();
    const client = createPaylink({ baseUrl: service.baseUrl, email: own.email, password });
    await client.cases.list().page();
    await service.app.deps.db.asOwner.query('delete from sessions where company_id = $1', [own.companyId]);
    assert.deepEqual((await client.cases.list().page()).data, []);
  });

  test('methods find, change and export payments, and return their QR codes', async () => {
    const email = 'found@example.com';
    const made = await Promise.all(
      [1, 2, 3].map(async () => await paylink.payments.create(order({ email }))),
    );
    const codes = made.map(({ PaymentLinkCode }) => PaymentLinkCode).sort();
    const found: string[] = [];
    for await (const { PaymentLinkCode } of paylink.payments.list({ email, limit: 2 }))
      found.push(PaymentLinkCode);
    assert.deepEqual(found.sort(), codes);
    const [code = ''] = codes;
    const changed = await paylink.payments.update(code, { metadata: { till: '4' } });
    assert.deepEqual([changed.metadata, changed.version], [{ till: '4' }, 2]);
    const types: string[] = [];
    for await (const { type } of paylink.payments.listEvents(code, { limit: 1 })) types.push(type);
    assert.deepEqual(types, ['payment.created', 'payment.updated']);
    assert.match(await (await paylink.payments.qr(code)).text(), /^<svg /);
    const png = new Uint8Array(
      await (await paylink.payments.qr(code, { format: 'png', size: 64 })).arrayBuffer(),
    );
    assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from('PNG')]);
    const file = await paylink.payments.export({ email, format: 'ndjson' });
    const rows = (await file.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { email: string });
    assert.deepEqual(
      rows.map((row) => row.email),
      [email, email, email],
    );
    await assert.rejects(paylink.payments.export({ minAmount: 'much' }), { code: 'invalid_fields' });
  });

  test('a follower gets all new events, and continues from its cursor without missing any', async () => {
    const own = await service.createMerchant();
    const client = createPaylink({ baseUrl: service.baseUrl, email: own.email, password });
    await client.payments.create(order());
    const { nextCursor: after, data } = await client.events.list({ after: 'latest' });
    assert.deepEqual(data, []);
    const first = await client.payments.create(order());
    const feed = client.events.follow({ after, waitSeconds: 5 });
    for await (const event of feed) {
      assert.deepEqual([event.type, event.PaymentLinkCode], ['payment.created', first.PaymentLinkCode]);
      break;
    }
    assert.equal(feed.cursor, after);
    const stop = new AbortController();
    const seen: (string | null)[] = [];
    const follow = async () => {
      for await (const event of client.events.follow({ after: feed.cursor }, { signal: stop.signal })) {
        seen.push(event.PaymentLinkCode);
        if (seen.length === 2) stop.abort(new Error('heard enough'));
      }
    };
    const ended = assert.rejects(follow(), /heard enough/);
    const second = await client.payments.create(order());
    await ended;
    assert.deepEqual(seen, [first.PaymentLinkCode, second.PaymentLinkCode]);
  });

  test('balances and their ledger entries are listed', async () => {
    const own = await service.createMerchant();
    const client = createPaylink({ baseUrl: service.baseUrl, email: own.email, password });
    const { PaymentLink, PaymentLinkCode } = await client.payments.create(order());
    await pay(PaymentLink, '4242424242424242');
    await client.payments.refund(PaymentLinkCode, { amount: 5 });
    const balances = (await client.balances.list().page()).data;
    assert.equal(balances.find(({ account }) => account === 'processor')?.balance, 14.99);
    const kinds: string[] = [];
    for await (const { kind } of client.ledger.entries({ limit: 1, PaymentLinkCode })) kinds.push(kind);
    assert.deepEqual(kinds, ['capture', 'refund']);
  });

  test('methods manage keys, members, invitations and the company', async () => {
    const own = await service.createMerchant();
    const client = createPaylink({ baseUrl: service.baseUrl, email: own.email, password });
    const issued = await client.serviceKeys.create({ name: 'shop', scopes: ['payments'] });
    const successor = await client.serviceKeys.roll(issued.keyId, { overlapHours: 0 });
    const changed = await client.serviceKeys.change(successor.keyId, { allowedAddresses: ['127.0.0.1'] });
    assert.deepEqual(await client.serviceKeys.get(successor.keyId), changed);
    const statuses: string[] = [];
    for await (const { status } of client.serviceKeys.list()) statuses.push(status);
    assert.deepEqual(statuses, ['active', 'expired']);
    assert.equal((await client.serviceKeys.revoke(successor.keyId)).status, 'revoked');
    const made = await client.apiKeys.create({ name: 'till' });
    const rolled = await client.apiKeys.roll(made.keyId, { overlapHours: 0 });
    assert.equal((await client.apiKeys.revoke(rolled.keyId)).status, 'revoked');
    const keyIds: string[] = [];
    for await (const { keyId } of client.apiKeys.list({ limit: 1 })) keyIds.push(keyId);
    assert.equal(new Set(keyIds).size, 3);
    const invited = await client.members.invite({ email: 'till@example.com', roles: ['support'] });
    assert.deepEqual(
      (await client.invitations.list().page()).data.map(({ invitationId }) => invitationId),
      [invited.invitationId],
    );
    await client.invitations.revoke(invited.invitationId);
    const open = await client.members.invite({ email: 'second@example.com', roles: ['viewer'] });
    const token = new URL(open.url).hash.slice(1);
    const joined = await client.invitations.accept({ token, password });
    assert.deepEqual([joined.email, joined.roles], ['second@example.com', ['viewer']]);
    await client.members.remove(joined.accountId);
    assert.deepEqual((await client.invitations.list().page()).data, []);
    const [owner] = (await client.members.list().page()).data;
    assert.deepEqual([owner?.accountId, owner?.roles], [own.accountId, ['owner']]);
    await assert.rejects(client.members.change(own.accountId, ['viewer']), { status: 409 });
    await assert.rejects(client.members.remove(own.accountId), { status: 409 });
    await client.company.change({ name: 'Café Basel' });
    assert.equal((await client.company.get()).name, 'Café Basel');
  });

  test('methods manage connections with processors', async () => {
    const own = await service.createMerchant();
    const client = createPaylink({ baseUrl: service.baseUrl, email: own.email, password });
    const { processors } = client;
    assert.ok((await processors.list()).some(({ processor }) => processor === 'sandbox'));
    const [first, second] = [
      await processors.connect({ processor: 'sandbox', name: 'First' }),
      await processors.connect({ processor: 'sandbox', name: 'Second' }),
    ];
    const ordered = await processors.orderConnections([second.id, first.id]);
    assert.deepEqual(
      ordered.map(({ name }) => name),
      ['Second', 'First'],
    );
    assert.equal((await processors.changeConnection(first.id, { enabled: false })).enabled, false);
    assert.equal((await processors.checkConnection(first.id)).id, first.id);
    assert.equal((await processors.removeConnection(second.id)).id, second.id);
    await assert.rejects(processors.getConnection(second.id), { status: 404 });
    assert.deepEqual(
      (await processors.listConnections()).map(({ id, enabled }) => [id, enabled]),
      [[first.id, false]],
    );
  });

  test('a client that changes its password continues with the new one, and can end sessions', async () => {
    const own = await service.createMerchant();
    const client = createPaylink({ baseUrl: service.baseUrl, email: own.email, password });
    const other = createPaylink({ baseUrl: service.baseUrl, email: own.email, password });
    await other.me.get();
    const newPassword = 'another horse, another battery';
    await client.me.changePassword({ currentPassword: password, newPassword });
    await assert.rejects(other.me.get(), { code: 'wrong_login' });
    const { sessionId } = await client.me.get();
    await client.me.logOut();
    const again = await client.me.get();
    assert.notEqual(again.sessionId, sessionId);
    await createPaylink({ baseUrl: service.baseUrl, email: own.email, password: newPassword }).me.get();
    await client.me.endOtherSessions();
    const sessions = (await client.me.listSessions().page()).data;
    assert.deepEqual(
      sessions.map((session) => session.sessionId),
      [again.sessionId],
    );
    await client.me.endSession(again.sessionId);
    assert.notEqual((await client.me.get()).sessionId, again.sessionId);
  });

  test('credentials of an explicit login are enough, and any operation can be called by its name', async () => {
    let apiKey: string | null = null;
    let companyId: string | null = null;
    const onAnswer = ({ headers }: { headers: Headers }) => {
      apiKey = headers.get('x-api-key');
      companyId = headers.get('x-company-id');
    };
    const body = { email: service.merchant.email, password };
    const { token } = await paylink.request('logIn', { body }, { onAnswer });
    const credentials = { token, apiKey: apiKey ?? '', companyId: companyId ?? '' };
    const client = createPaylink({ baseUrl: service.baseUrl, credentials });
    const made = await client.request('processPayment', { body: order() });
    const { status } = await client.request('getPayment', { path: { code: made.PaymentLinkCode } });
    assert.equal(status, 'open');
  });
});

// Lists whose pages exceed the response limit, because other business has long metadata: searches and nightly lists
// must still be complete. The server here plays the three APIs, with 100 long foreign entries.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { maxResponseBytes } from '../../src/processors/call-api.ts';
import { createMollie } from '../../src/processors/mollie/mollie.ts';
import { createPaypal } from '../../src/processors/paypal/paypal.ts';
import type { AuthoriseRequest, BalanceTransaction, Processor } from '../../src/processors/processor.ts';
import { createStripe } from '../../src/processors/stripe/stripe.ts';
import { newConnection, newRequest } from './kit/rig.ts';

type Json = Record<string, unknown>;

const clock = { now: () => new Date() };
const others = 100;
/** Ten of them fit into a response, a hundred do not. */
const longNote = 'x'.repeat(50_000);
let longest = 0;
let routes: Record<string, (query: URLSearchParams) => Json> = {};
const server = createServer((incoming, response) => {
  const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://any');
  const body = JSON.stringify(routes[pathname]?.(searchParams) ?? { error: 'not_found' });
  longest = Math.max(longest, body.length);
  response.writeHead(routes[pathname] ? 200 : 404, { 'content-type': 'application/json' }).end(body);
});
let apiUrl = '';
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const guard = () => AbortSignal.timeout(30_000);
const requestOf = (connection: Parameters<typeof newRequest>[1]): AuthoriseRequest =>
  newRequest({ now: clock.now, cardFor: () => null }, connection);

async function listAll(processor: Processor, companyId: string): Promise<BalanceTransaction[]> {
  const [from, until] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
  const movements: BalanceTransaction[] = [];
  let cursor: string | null = null;
  do {
    const page = await processor.list({ companyId, from, until, cursor }, guard());
    movements.push(...page.movements);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return movements;
}

/** A page of Stripe's lists. */
function stripePage(all: readonly Json[], query: URLSearchParams): Json {
  const after = all.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  const end = after + Number(query.get('limit') ?? 10);
  return { object: 'list', has_more: end < all.length, data: all.slice(after, end) };
}

test('Stripe: an attempt and the complete list are found behind 100 long foreign entries', async () => {
  const connection = newConnection({ secretKey: 'sk_test_long' });
  const request = requestOf(connection);
  const { companyId, attemptId, amountMinor } = request;
  const metadata = {
    ...{ paylink_company: companyId, paylink_connection: connection.connectionId },
    paylink_attempt: attemptId,
  };
  const common = { livemode: false, currency: 'eur', created: Math.floor(Date.now() / 1000) };
  const intent = {
    ...{ id: 'pi_ours', object: 'payment_intent', status: 'succeeded', metadata, last_payment_error: null },
    ...{ amount: amountMinor, amount_received: amountMinor, ...common },
  };
  const session = {
    ...{ id: 'cs_test_ours', object: 'checkout.session', status: 'complete', url: null, metadata, ...common },
    ...{ client_reference_id: attemptId, amount_total: amountMinor, payment_intent: intent },
  };
  const charge = {
    ...{ id: 'ch_ours', object: 'charge', status: 'succeeded', metadata, ...common },
    ...{ amount: amountMinor, amount_captured: amountMinor, payment_intent: 'pi_ours' },
  };
  const foreign = (object: string) =>
    Array.from({ length: others }, (_, place) => ({
      ...{ id: `x_${place}`, object, status: 'succeeded', metadata: { note: longNote }, ...common },
    }));
  routes = {
    '/v1/checkout/sessions': (query) => stripePage([...foreign('checkout.session'), session], query),
    '/v1/checkout/sessions/cs_test_ours': () => session,
    '/v1/charges': (query) => stripePage([...foreign('charge'), charge], query),
    '/v1/refunds': (query) => stripePage(foreign('refund'), query),
  };
  longest = 0;
  const stripe = createStripe({ apiUrl, clock }).connect(connection);
  const paid = { kind: 'succeeded', reference: 'pi_ours', amountMinor, currency: 'EUR' };
  assert.deepEqual(await stripe.query(request, guard()), paid);
  assert.deepEqual(
    (await listAll(stripe, companyId)).map(({ key }) => key),
    [attemptId],
  );
  assert.ok(longest > maxResponseBytes, 'a page was too long');
});

test('Mollie: an attempt and the complete list are found behind 100 long foreign entries', async () => {
  const connection = newConnection({ apiKey: 'test_aKeyForLongAnswers0123456789' });
  const request = requestOf(connection);
  const { companyId, attemptId } = request;
  const createdAt = new Date().toISOString();
  const ours = {
    ...{
      resource: 'payment',
      id: 'tr_ours12345',
      mode: 'test',
      status: 'paid',
      createdAt,
      paidAt: createdAt,
    },
    ...{ amount: { currency: 'EUR', value: '19.99' }, _links: {} },
    metadata: { company: companyId, connection: connection.connectionId, attempt: attemptId },
  };
  const foreign = (prefix: string) =>
    Array.from({ length: others }, (_, place) => ({
      ...{ id: `${prefix}_other${String(place).padStart(5, '0')}`, createdAt, metadata: longNote },
    }));
  const page = (kind: string, all: readonly Json[]) => (query: URLSearchParams) => {
    const start = Math.max(
      0,
      all.findIndex(({ id }) => id === query.get('from')),
    );
    const end = start + Number(query.get('limit') ?? 50);
    const next = all[end] ? { href: `https://api.mollie.com/v2/${kind}?from=${all[end]?.id}` } : null;
    return { _embedded: { [kind]: all.slice(start, end) }, _links: { next } };
  };
  routes = {
    '/v2/payments': page('payments', [...foreign('tr'), ours]),
    '/v2/refunds': page('refunds', foreign('re')),
  };
  longest = 0;
  const mollie = createMollie({
    apiUrl,
    baseUrl: 'http://127.0.0.1:9',
    clock: systemClock,
    proveAddress: () => 'a-proof',
  }).connect(connection);
  const paid = { kind: 'succeeded', reference: 'tr_ours12345', amountMinor: 1999, currency: 'EUR' };
  assert.deepEqual(await mollie.query(request, guard()), paid);
  assert.deepEqual(
    (await listAll(mollie, companyId)).map(({ key }) => key),
    [attemptId],
  );
  assert.ok(longest > maxResponseBytes, 'a page was too long');
});

test('PayPal: the list is complete, each entry once, among 100 long foreign entries', async () => {
  const connection = newConnection({ clientId: 'AWlong', clientSecret: 'EJlong' });
  const { companyId, attemptId } = requestOf(connection);
  const at = `${new Date().toISOString().slice(0, 19)}+0000`;
  const info = (id: string, custom: string, note: string) => ({
    transaction_info: {
      ...{ transaction_id: id, transaction_event_code: 'T0006', transaction_initiation_date: at },
      ...{ transaction_status: 'S', transaction_amount: { currency_code: 'EUR', value: '19.99' } },
      ...{ custom_field: custom, invoice_id: custom, transaction_note: note },
    },
  });
  const foreign = Array.from({ length: others }, (_, place) => info(`X${place}`, 'theirs', longNote));
  const ours = info('OURS', `${attemptId}/${connection.connectionId}/${companyId}`, '');
  const all = [...foreign.slice(0, 95), ours, ...foreign.slice(95)];
  routes = {
    '/v1/oauth2/token': () => ({ access_token: 'A21', token_type: 'Bearer', expires_in: 32_400 }),
    '/v1/reporting/transactions': (query) => {
      const size = Number(query.get('page_size'));
      const start = (Number(query.get('page')) - 1) * size;
      const total_pages = Math.ceil(all.length / size);
      return { transaction_details: all.slice(start, start + size), total_pages };
    },
  };
  longest = 0;
  const paypal = createPaypal({ apiUrl, clock }).connect(connection);
  assert.deepEqual(
    (await listAll(paypal, companyId)).map(({ key, reference }) => [key, reference]),
    [[attemptId, 'OURS']],
  );
  assert.ok(longest > maxResponseBytes, 'a page was too long');
});

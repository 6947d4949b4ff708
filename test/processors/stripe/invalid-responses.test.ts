// Invalid responses of Stripe, from a stub server: all are rejected, and no error contains a key, an address or a body.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { systemClock } from '../../../src/base/clock.ts';
import { createStripe } from '../../../src/processors/stripe/stripe.ts';
import { newConnection, newRequest } from '../kit/rig.ts';
import { accounts } from './accounts.ts';
import { connectionTo } from './stripe-rig.ts';

let answer = (_: IncomingMessage, response: ServerResponse): void => void response.end();
let asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  request.resume();
  answer(request, response);
});
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const connection = connectionTo(accounts.chairs);
const kind = () =>
  createStripe({ apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock: systemClock });
const request = newRequest({ now: systemClock.now, cardFor: () => null }, connection);
const json = { 'content-type': 'application/json' };
const secrets = [
  connection.credentials.secretKey ?? '',
  'whsec_',
  request.customer.email,
  'a word of theirs',
];

/** Starts an attempt at a server with this response. Returns the error. Fails if there is none. */
async function failsOn(status: number, text: string, headers: Record<string, string> = {}): Promise<string> {
  asked = [];
  answer = (_, response) => void response.writeHead(status, { ...json, ...headers }).end(text);
  const result = await kind()
    .connect(connection)
    .authorise(request, AbortSignal.timeout(20_000))
    .then((outcome) => ({ outcome }))
    .catch((error: unknown) => error);
  assert.ok(result instanceof Error, `it was believed: ${inspect(result)}`);
  const received = inspect(result, { depth: null });
  for (const secret of secrets) assert.ok(!received.includes(secret), received);
  return received;
}
const refusal = (error: object) => JSON.stringify({ error });

test('a response that is no session is rejected, whatever its status', async () => {
  for (const text of ['', 'null', '[]', '"ok"', '{}', '<h1>a word of theirs</h1>', '{"id":"cs_test_1"'])
    for (const status of [200, 201, 500]) await failsOn(status, text);
});

test('a session is rejected under any status but 200', async () => {
  const session = {
    ...{ id: 'cs_test_1', object: 'checkout.session', status: 'open', livemode: false, payment_intent: null },
    ...{ client_reference_id: request.attemptId, url: 'https://checkout.stripe.com/c/pay/cs_test_1' },
  };
  for (const status of [201, 400, 500, 503]) await failsOn(status, JSON.stringify(session));
});

test('an HTML page is rejected as a response', async () => {
  for (const status of [200, 403])
    await failsOn(status, '<h1>a word of theirs</h1>', { 'content-type': 'text/html' });
});

test('an error that does not have Stripe’s form is no refusal', async () => {
  for (const status of [400, 401, 403, 404, 429, 500, 503]) {
    await failsOn(status, refusal({ message: 'a word of theirs' }));
    await failsOn(status, JSON.stringify({ error: 'a word of theirs' }));
  }
});

test('a failure of Stripe is no refusal, and neither is a key or object in use', async () => {
  const message = 'a word of theirs';
  for (const status of [400, 429, 500, 502, 503])
    await failsOn(status, refusal({ type: 'api_error', message }));
  await failsOn(409, refusal({ type: 'idempotency_error', code: 'idempotency_key_in_use', message }));
  await failsOn(429, refusal({ type: 'invalid_request_error', code: 'lock_timeout', message }));
  await failsOn(402, refusal({ type: 'card_error', code: 'card_declined', message }));
});

test('a refusal by Stripe starts nothing, and is reported by its code only', async () => {
  const error = { type: 'invalid_request_error', code: 'email_invalid', param: 'customer_email' };
  answer = (_, response) =>
    void response
      .writeHead(400, json)
      .end(refusal({ ...error, message: `Invalid email: ${request.customer.email}` }));
  const outcome = await kind().connect(connection).authorise(request, AbortSignal.timeout(20_000));
  assert.deepEqual(outcome, {
    kind: 'unavailable',
    why: 'stripe: refused with 400 (email_invalid, customer_email)',
    isOfRequest: true,
  });
});

test('a redirect is not followed, so the key goes nowhere else', async () => {
  await failsOn(307, '', { location: '/elsewhere' });
  assert.equal(asked.length, 1);
});

test('a request is sent once: the package does not retry', async () => {
  for (const status of [409, 429, 500, 503]) {
    await failsOn(status, refusal({ type: 'api_error' }), { 'stripe-should-retry': 'true' });
    assert.equal(asked.length, 1);
  }
});

test('a connection that breaks after the request is not treated as never made', async () => {
  asked = [];
  answer = (_, response) => void response.socket?.resetAndDestroy();
  const call = kind().connect(connection).authorise(request, AbortSignal.timeout(20_000));
  await assert.rejects(call, /no response/);
  assert.equal(asked.length, 1);
});

test('an endless response is aborted', async () => {
  answer = (_, response) => {
    response.writeHead(200, json);
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  const call = kind().connect(connection).authorise(request, AbortSignal.timeout(20_000));
  await assert.rejects(call, /exceeds \d+ bytes/);
});

test('the signal ends a query with its reason', async () => {
  answer = () => undefined;
  const why = new Error('waited long enough');
  const controller = new AbortController();
  const call = kind().connect(connection).authorise(request, controller.signal);
  setTimeout(() => controller.abort(why), 50);
  await assert.rejects(call, why);
});

test('requests to Stripe have the API version, and no data about this machine', async () => {
  await failsOn(500, refusal({ type: 'api_error' }), { 'stripe-notice': 'a word of theirs' });
  const headers = asked[0]?.headers ?? {};
  assert.equal(headers['stripe-version'], '2026-10-28.endive');
  assert.equal(headers['idempotency-key'], request.attemptId);
  assert.equal(headers['x-stripe-client-telemetry'], undefined);
  assert.doesNotMatch(String(headers['x-stripe-client-user-agent']), /telemetry_id|platform/);
});

test('a key of the other mode is distinguished from an invalid one', async () => {
  const { webhookSecret = '' } = connection.credentials;
  for (const [secretKey, code] of [
    [accounts.shelves.secretKey, 'wrong_mode'],
    ['pk_test_publishable', 'invalid_form'],
    ['sk_test_', 'invalid_form'],
    [`pls_test_3f7k2m9qyt5wp0hy_${'0'.repeat(64)}`, 'invalid_form'],
  ] as const) {
    const checked = await kind().check(
      newConnection({ secretKey, webhookSecret }),
      AbortSignal.timeout(20_000),
    );
    assert.deepEqual(checked.kind === 'bad' && checked.faults.map((fault) => [fault.field, fault.code]), [
      ['secretKey', code],
    ]);
  }
});

test('a connection without a key starts nothing, and its check fails', async () => {
  const bare = newConnection({});
  const checked = await kind().check(bare, AbortSignal.timeout(20_000));
  const fields = checked.kind === 'bad' ? checked.faults.map(({ field }) => field) : [];
  assert.deepEqual(fields, ['secretKey']);
});

/** The movements of a list of one charge, which is answered to each request that `isAllowed`. */
async function listCharge(charge: object, isAllowed: (asked: string) => boolean = () => true) {
  const metadata = {
    ...{ paylink_company: request.companyId, paylink_connection: connection.connectionId },
    paylink_attempt: request.attemptId,
  };
  const whole = {
    ...{
      id: 'ch_1',
      object: 'charge',
      livemode: false,
      status: 'succeeded',
      payment_intent: 'pi_1',
      metadata,
    },
    ...{ amount_captured: 1999, currency: 'eur', ...charge },
  };
  asked = [];
  answer = (message, response) => {
    const isGiven = isAllowed(decodeURIComponent(message.url ?? ''));
    const error = { type: 'invalid_request_error', message: 'The provided key lacks permissions' };
    response.writeHead(isGiven ? 200 : 403, json);
    response.end(JSON.stringify(isGiven ? { object: 'list', has_more: false, data: [whole] } : { error }));
  };
  const span = { from: new Date(0), until: systemClock.now(), cursor: null };
  const list = kind()
    .connect(connection)
    .list({ companyId: request.companyId, ...span }, AbortSignal.timeout(20_000));
  return (await list).movements.map(({ feeMinor }) => feeMinor);
}

test('the fee of a charge is what Stripe took, in the currency of the charge', async () => {
  const took = (fee: unknown, currency = 'eur') => ({ balance_transaction: { id: 'txn_1', fee, currency } });
  assert.deepEqual(await listCharge(took(55)), [55]);
  assert.deepEqual(await listCharge(took(0)), [0]);
  assert.deepEqual(await listCharge(took(60, 'usd')), [undefined], 'booked in another currency');
  assert.deepEqual(await listCharge({ balance_transaction: null }), [undefined], 'not booked yet');
  for (const fee of ['55', -1, 5.5, null])
    assert.deepEqual(await listCharge(took(fee)), [undefined], `${fee}`);
});

test('a key that may not read fees still lists charges', async () => {
  const isWithoutFees = (url: string) => !url.includes('balance_transaction');
  assert.deepEqual(await listCharge({ balance_transaction: 'txn_1' }, isWithoutFees), [undefined]);
  assert.equal(asked.length, 2);
  await assert.rejects(
    listCharge({}, () => false),
    /refused with 403/,
  );
});

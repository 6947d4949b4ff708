// Invalid responses of Mollie: each throws, so the attempt is unknown. The server here returns what the test sets.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { systemClock } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import { createMollie, type MollieDeps } from '../../../src/processors/mollie/mollie.ts';
import type { Processor } from '../../../src/processors/processor.ts';
import { newConnection, newRequest } from '../kit/rig.ts';

type Thing = Record<string, unknown>;

const apiKey = 'test_aKeyThatIsInNoError0123456789';
const connection = newConnection({ apiKey });
const request = newRequest({ now: () => new Date(), cardFor: () => null }, connection);
const reference = 'tr_WDqYK6vllg';
const guard = () => AbortSignal.timeout(20_000);

let answer: (path: string) => { status: number; body: unknown } = () => ({ status: 500, body: {} });
const paths: string[] = [];
const server = createServer((incoming, response) => {
  paths.push(incoming.url ?? '');
  const { status, body } = answer(incoming.url ?? '');
  response.writeHead(status, { 'content-type': 'application/hal+json' }).end(JSON.stringify(body));
});
let processor: Processor;
const mollieAt = (apiUrl: string): MollieDeps => ({
  ...{ apiUrl, baseUrl: 'http://127.0.0.1:9', clock: systemClock, proveAddress: () => 'a-proof' },
});

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  processor = createMollie(mollieAt(apiUrl)).connect(connection);
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const marks = {
  company: connection.companyId,
  connection: connection.connectionId,
  attempt: request.attemptId,
};
const paid: Thing = {
  resource: 'payment',
  id: reference,
  mode: 'test',
  status: 'paid',
  amount: { currency: 'EUR', value: '19.99' },
  metadata: marks,
  createdAt: '2026-03-20T09:13:37+00:00',
  paidAt: '2026-03-20T09:28:37+00:00',
  _links: {},
};
const known = { ...request, processorReference: reference };

/** Whether an error, as it is logged, contains no key. */
function withoutKey(error: unknown): true {
  assert.ok(error instanceof Error);
  assert.ok(!inspect(error, { depth: 10 }).includes(apiKey), 'an error shows the key');
  assert.ok(!inspect(error, { depth: 10 }).includes('ada@shop.example'), 'an error shows a customer');
  return true;
}

test('the valid response is accepted', async () => {
  answer = () => ({ status: 200, body: paid });
  const outcome = { kind: 'succeeded', reference, amountMinor: 1999, currency: 'EUR' };
  assert.deepEqual(await processor.query(known, guard()), outcome);
});

const odd: [string, Thing][] = [
  ['another attempt', { metadata: { ...marks, attempt: newId('att', new Date()) } }],
  ['another company', { metadata: { ...marks, company: 'co_00000000' } }],
  ['another connection', { metadata: { ...marks, connection: 'con_another' } }],
  ['no metadata', { metadata: null }],
  ['metadata in a text', { metadata: JSON.stringify(marks) }],
  ['another mode', { mode: 'live' }],
  ['no mode', { mode: undefined }],
  ['another amount', { amount: { currency: 'EUR', value: '19.98' } }],
  ['another currency', { amount: { currency: 'USD', value: '19.99' } }],
  ['a captured amount that is not readable', { amountCaptured: { currency: 'EUR', value: '-1.00' } }],
  ['another payment', { id: 'tr_another12345' }],
  ['an id that leads elsewhere', { id: 'tr_/../../v2/me' }],
  ['another resource', { resource: 'refund' }],
  ['a status that nobody knows', { status: 'settled' }],
  ['a status by inheritance', { status: 'constructor' }],
  ['an amount as a number', { amount: { currency: 'EUR', value: 19.99 } }],
  ['an amount with an exponent', { amount: { currency: 'EUR', value: '1999e-2' } }],
  ['a negative amount', { amount: { currency: 'EUR', value: '-19.99' } }],
  ['an amount too precise', { amount: { currency: 'EUR', value: '19.990001' } }],
  ['an amount without a currency', { amount: { value: '19.99' } }],
  ['a currency that we do not take', { amount: { currency: 'JPY', value: '1999' } }],
  ['a page that is a script', { status: 'open', _links: { checkout: { href: 'javascript:alert(1)' } } }],
  [
    'a page that anybody on the way can change',
    { status: 'open', _links: { checkout: { href: 'http://www.mollie.com/checkout/x' } } },
  ],
  ['a page that is not a web address', { status: 'open', _links: { checkout: { href: '//mollie' } } }],
];
for (const [what, changes] of odd)
  test(`a payment with ${what} throws`, async () => {
    answer = () => ({ status: 200, body: { ...paid, ...changes } });
    await assert.rejects(processor.query(known, guard()), withoutKey);
    answer = () => ({ status: 201, body: { ...paid, ...changes } });
    // The response to a creation sets the ID of the payment.
    if (what !== 'another payment') await assert.rejects(processor.authorise(request, guard()), withoutKey);
  });

test('a response without an object throws', async () => {
  for (const body of [null, 7, 'paid', [paid], {}]) {
    answer = () => ({ status: 200, body });
    await assert.rejects(processor.query(known, guard()), withoutKey);
    await assert.rejects(processor.query(request, guard()), withoutKey, 'a list');
  }
});

test('a known payment that has disappeared is not treated as never created', async () => {
  for (const status of [401, 404, 410, 500]) {
    answer = () => ({ status, body: { status, title: 'No', detail: 'ada@shop.example', field: apiKey } });
    await assert.rejects(processor.query(known, guard()), withoutKey);
    await assert.rejects(processor.cancel(known, guard()), withoutKey);
  }
});

test('an attempt that Mollie refuses to create is void, and not queried for ever', async () => {
  let status = 422;
  answer = (path) => (path.includes('?') ? listOf([], null) : { status, body: { status } });
  assert.deepEqual(await processor.cancel(request, guard()), { kind: 'void' });
  for (status of [401, 403, 429, 500]) await assert.rejects(processor.cancel(request, guard()), withoutKey);
});

test('a malformed reference causes no request', async () => {
  paths.length = 0;
  const processorReference = 'tr_0123456789/../../refunds';
  await assert.rejects(processor.query({ ...request, processorReference }, guard()));
  await assert.rejects(processor.list({ ...span, cursor: 'payments:tr_0123456789&x=1' }, guard()));
  assert.deepEqual(paths, []);
});

const span = {
  companyId: connection.companyId,
  from: new Date('2026-03-20T00:00:00Z'),
  until: new Date('2026-03-21T00:00:00Z'),
};
const listOf = (payments: Thing[], next: string | null) => ({
  status: 200,
  body: { _embedded: { payments, refunds: [] }, _links: { next: next === null ? null : { href: next } } },
});

test('the next page is requested at the same host, whatever its address says', async () => {
  paths.length = 0;
  answer = (path) =>
    path.includes('from=') ? listOf([], null) : listOf([paid], 'http://evil.example/v3/x?from=tr_0123456789');
  const page = await processor.list({ ...span, cursor: null }, guard());
  await processor.list({ ...span, cursor: page.nextCursor }, guard());
  assert.deepEqual(paths, ['/v2/payments?limit=100', '/v2/payments?limit=100&from=tr_0123456789']);
});

test('a list that repeats, or has an unreadable next page, throws', async () => {
  answer = () => listOf([], 'https://api.mollie.com/v2/payments?from=tr_0123456789');
  const cursor = 'payments:tr_0123456789';
  await assert.rejects(processor.list({ ...span, cursor }, guard()), withoutKey);
  answer = () => listOf([], 'https://api.mollie.com/v2/payments?from=../../me');
  await assert.rejects(processor.query(request, guard()), withoutKey);
  let count = 0;
  answer = () => listOf([], `https://api.mollie.com/v2/payments?from=tr_${1_000_000 + count++}`);
  await assert.rejects(processor.query(request, guard()), withoutKey);
});

test('foreign entries of a list are skipped, whatever their form', async () => {
  const foreign: Thing[] = [
    { ...paid, metadata: 'order-7', amount: { currency: 'JPY', value: '7' } },
    { ...paid, metadata: { ...marks, company: 'co_00000000' }, amount: 7 },
    { ...paid, metadata: { ...marks, connection: 'con_another' }, status: 'settled' },
    { ...paid, metadata: [marks], id: 7 },
    {},
  ];
  answer = () => listOf([...foreign, paid], null);
  const { movements } = await processor.list({ ...span, cursor: null }, guard());
  const movement = { kind: 'charge', key: request.attemptId, reference, amountMinor: 1999, currency: 'EUR' };
  assert.deepEqual(movements, [movement]);
});

test('an unreadable payment of ours makes the list fail instead of being omitted', async () => {
  for (const changes of [{ paidAt: null }, { paidAt: 'yesterday' }, { amount: null }, { mode: 'live' }]) {
    answer = () => listOf([{ ...paid, ...changes }], null);
    await assert.rejects(processor.list({ ...span, cursor: null }, guard()), withoutKey);
  }
});

const refundId = newId('ref', new Date());
const asked = {
  ...{ companyId: connection.companyId, refundId, attemptId: request.attemptId },
  ...{ processorReference: reference, amountMinor: 500, currency: 'EUR' as const },
};
const made: Thing = {
  ...{ resource: 'refund', id: 're_4qqhO89gsT', status: 'refunded', mode: 'test', paymentId: reference },
  ...{ amount: { currency: 'EUR', value: '5.00' }, metadata: { ...marks, refund: refundId } },
};
const done = { kind: 'succeeded', reference: 're_4qqhO89gsT', amountMinor: 500, currency: 'EUR' };
const listOfRefunds = (refunds: Thing[]) => ({ status: 200, body: { _embedded: { refunds } } });

test('a refund is accepted only with our ID', async () => {
  const answered = (changes: Thing) => (path: string) =>
    path.includes('?') ? listOfRefunds([]) : { status: 201, body: { ...made, ...changes } };
  answer = answered({});
  assert.deepEqual(await processor.refund(asked, guard()), done);
  for (const changes of [
    { metadata: { ...marks, refund: newId('ref', new Date()) } },
    { metadata: marks },
    { status: 'done' },
    { id: reference },
    { amount: null },
    { amount: { currency: 'EUR', value: '5.01' } },
    { mode: 'live' },
    { paymentId: 'tr_another12345' },
  ]) {
    answer = answered(changes);
    await assert.rejects(processor.refund(asked, guard()), withoutKey);
  }
});

test('a refund refused because a concurrent request made it is that refund', async () => {
  for (const status of [400, 409, 422]) {
    let isMade = false;
    answer = (path) => {
      if (path.includes('?')) return listOfRefunds(isMade ? [made] : []);
      isMade = true;
      return { status, body: { status } };
    };
    assert.deepEqual(await processor.refund(asked, guard()), done);
  }
});

test('a key that does not fit into a header is refused before any call, and never appears in an error', async () => {
  const kind = createMollie(mollieAt('http://127.0.0.1:9'));
  const credentials = { apiKey: `${apiKey}\r\nx: y` };
  assert.throws(() => kind.connect({ ...connection, credentials }), withoutKey);
});

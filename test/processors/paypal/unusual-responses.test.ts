// Undocumented responses of PayPal: each throws and never becomes an outcome. The server here issues a token and
// returns what the test sets.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { createPaypal } from '../../../src/processors/paypal/paypal.ts';
import type { AttemptOutcome } from '../../../src/processors/processor.ts';
import { newConnection, newRequest } from '../kit/rig.ts';

type Answer = { status: number; body: unknown };

const token = { access_token: 'A21AA', token_type: 'Bearer', expires_in: 32_400 };
let answers: Record<string, Answer> = {};
const server = createServer((request, response) => {
  const path = request.url?.split('?')[0];
  const answer =
    path === '/v1/oauth2/token' ? { status: 200, body: token } : answers[`${request.method} ${path}`];
  response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer?.body ?? { name: 'RESOURCE_NOT_FOUND' }));
});
let url = '';
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const guard = () => AbortSignal.timeout(60_000);
const connection = newConnection({ clientId: 'AW', clientSecret: 'EJ', webhookId: '1FAKE' });
const request = {
  ...newRequest({ now: () => systemClock.now(), cardFor: () => null }, connection),
  processorReference: 'ORDER1',
};
const { attemptId, companyId } = request;
const connect = () => createPaypal({ apiUrl: url, clock: systemClock }).connect(connection);

const customId = `${attemptId}/${connection.connectionId}/${companyId}`;
const amount = { currency_code: 'EUR', value: '19.99' };
const capture = { id: 'CAPTURE1', status: 'COMPLETED', amount, custom_id: customId };
const unitOf = (captures: object[]) => ({ custom_id: customId, amount, payments: { captures } });
const orderOf = (changes: object, captures: object[] = []) => ({
  id: 'ORDER1',
  intent: 'CAPTURE',
  status: 'COMPLETED',
  purchase_units: [unitOf(captures)],
  links: [],
  ...changes,
});
const payerLink = (href: string) => [{ rel: 'payer-action', href }];

const queryWith = async (body: unknown, status = 200) => {
  answers = { 'GET /v2/checkout/orders/ORDER1': { status, body } };
  return await connect().query(request, guard());
};

test('an order of the documented form is accepted', async () => {
  const succeeded = { kind: 'succeeded', reference: 'ORDER1', amountMinor: 1999, currency: 'EUR' };
  assert.deepEqual(await queryWith(orderOf({}, [capture])), succeeded);
  assert.deepEqual(await queryWith(orderOf({}, [{ ...capture, status: 'REFUNDED' }])), succeeded);
  assert.deepEqual(await queryWith(orderOf({ status: 'VOIDED' })), { kind: 'void' });
});

test('the reported amount is that of the capture, not of the order', async () => {
  const less = { ...capture, amount: { currency_code: 'USD', value: '0.01' } };
  const outcome = { kind: 'succeeded', reference: 'ORDER1', amountMinor: 1, currency: 'USD' };
  assert.deepEqual(await queryWith(orderOf({}, [less])), outcome);
});

test('a fully refunded partial capture counts as nothing taken; otherwise it is reported as a part', async () => {
  const part = { ...capture, amount: { currency_code: 'EUR', value: '12.00' } };
  const received = { kind: 'succeeded', reference: 'ORDER1', amountMinor: 1200, currency: 'EUR' };
  assert.deepEqual(await queryWith(orderOf({}, [part])), received);
  assert.deepEqual(await queryWith(orderOf({}, [{ ...part, status: 'PARTIALLY_REFUNDED' }])), received);
  assert.deepEqual(await queryWith(orderOf({}, [{ ...part, status: 'REFUNDED' }])), { kind: 'void' });
});

test('a capture after a declined one counts', async () => {
  const declined = { ...capture, id: 'CAPTURE0', status: 'DECLINED' };
  assert.equal((await queryWith(orderOf({}, [declined, capture])))?.kind, 'succeeded');
  assert.equal((await queryWith(orderOf({}, [declined])))?.kind, 'declined');
});

const oddOrders: Record<string, unknown> = {
  'a list': [],
  nothing: null,
  'an order without an id': { ...orderOf({}, [capture]), id: undefined },
  'an order whose id would lead elsewhere': orderOf({ id: '../captures' }, [capture]),
  'a completed order without a capture': orderOf({}),
  'a state that nobody documented': orderOf({ status: 'ALMOST' }),
  'an order to be approved nowhere': orderOf({ status: 'PAYER_ACTION_REQUIRED' }),
  'an order of two units': orderOf({ purchase_units: [unitOf([capture]), unitOf([])] }),
  'an order without a note': orderOf({ purchase_units: [{ amount, payments: {} }] }),
  'money taken twice': orderOf({}, [capture, { ...capture, id: 'CAPTURE2' }]),
  'a capture in a state that nobody documented': orderOf({}, [{ ...capture, status: 'MAYBE' }]),
  'an amount as a number': orderOf({}, [{ ...capture, amount: { currency_code: 'EUR', value: 19.99 } }]),
  'an amount that is finer than a cent': orderOf({}, [
    { ...capture, amount: { currency_code: 'EUR', value: '19.999' } },
  ]),
  'a negative amount': orderOf({}, [{ ...capture, amount: { currency_code: 'EUR', value: '-19.99' } }]),
  'a currency that is no code': orderOf({}, [
    { ...capture, amount: { currency_code: 'euro', value: '1.00' } },
  ]),
  'captures that are no list': orderOf({ purchase_units: [{ ...unitOf([]), payments: { captures: {} } }] }),
};
for (const [what, body] of Object.entries(oddOrders)) {
  test(`a response is rejected: ${what}`, async () => {
    await assert.rejects(queryWith(body));
  });
}

for (const status of [204, 400, 403, 409, 429, 500, 503]) {
  test(`a query with status ${status} throws`, async () => {
    await assert.rejects(queryWith({}, status));
  });
}

test('a customer is only sent to addresses of PayPal', async () => {
  const hostile = [
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    'https://paypal.com.evil.example/',
  ];
  for (const href of hostile) {
    const body = orderOf({ status: 'PAYER_ACTION_REQUIRED', links: payerLink(href) });
    await assert.rejects(queryWith(body), href);
  }
  const links = payerLink(`${url}/checkoutnow?token=ORDER1`);
  const outcome = await queryWith(orderOf({ status: 'PAYER_ACTION_REQUIRED', links }));
  assert.equal((outcome as AttemptOutcome).kind, 'requires_action');
});

test('an order that a concurrent request is creating is not unavailable', async () => {
  for (const issue of ['PREVIOUS_REQUEST_IN_PROGRESS', 'PAYPAL_REQUEST_ID_PREVIOUSLY_USED']) {
    answers = { 'POST /v2/checkout/orders': { status: 422, body: { details: [{ issue }] } } };
    await assert.rejects(connect().authorise({ ...request, card: null }, guard()));
  }
});

test('an attempt that PayPal refuses to create is void, and not queried for ever', async () => {
  const unheard = { ...request, processorReference: null };
  for (const status of [400, 422]) {
    const body = { details: [{ issue: 'PAYEE_ACCOUNT_RESTRICTED' }] };
    answers = { 'POST /v2/checkout/orders': { status, body } };
    assert.equal(await connect().query(unheard, guard()), null);
    assert.deepEqual(await connect().cancel(unheard, guard()), { kind: 'void' });
  }
  for (const [status, issue] of [
    [422, 'PREVIOUS_REQUEST_IN_PROGRESS'],
    [403, 'PERMISSION_DENIED'],
    [429, 'RATE_LIMIT_REACHED'],
    [500, 'INTERNAL_SERVER_ERROR'],
  ] as const) {
    answers = { 'POST /v2/checkout/orders': { status, body: { details: [{ issue }] } } };
    await assert.rejects(connect().query(unheard, guard()));
    await assert.rejects(connect().cancel(unheard, guard()));
  }
});

test('a capture response without a capture, or about another order, is rejected', async () => {
  const path = 'POST /v2/checkout/orders/ORDER1/capture';
  for (const body of [orderOf({ status: 'APPROVED' }), orderOf({}), { ...capture }]) {
    answers = { [path]: { status: 201, body } };
    await assert.rejects(connect().capture(request, guard()));
  }
  const foreign = { ...capture, custom_id: 'att_1/con_1/co_1' };
  const units = [{ amount, payments: { captures: [foreign] } }];
  answers = { [path]: { status: 201, body: orderOf({ purchase_units: units }) } };
  await assert.rejects(connect().capture(request, guard()), { name: 'ResponseMismatchError' });
});

test('a capture response has its custom_id only in the capture', async () => {
  const units = [{ reference_id: request.linkCode, payments: { captures: [capture] } }];
  const body = { ...orderOf({ purchase_units: units }), intent: undefined };
  answers = { 'POST /v2/checkout/orders/ORDER1/capture': { status: 201, body } };
  assert.equal((await connect().capture(request, guard())).kind, 'succeeded');
});

const refundRequest = {
  companyId,
  refundId: 'ref_1',
  attemptId,
  processorReference: 'ORDER1',
  amountMinor: 500,
  currency: 'EUR' as const,
};
const refundWith = async (answer: Answer) => {
  answers = {
    'GET /v2/checkout/orders/ORDER1': { status: 200, body: orderOf({}, [capture]) },
    'POST /v2/payments/captures/CAPTURE1/refund': answer,
  };
  return await connect().refund(refundRequest, guard());
};

test('a refund response about another refund, or of an undocumented form, is rejected', async () => {
  const back = { currency_code: 'EUR', value: '5.00' };
  const made = { id: 'REFUND1', status: 'COMPLETED', amount: back, invoice_id: 'ref_1' };
  assert.equal((await refundWith({ status: 201, body: made })).kind, 'succeeded');
  const odd = [
    { ...made, invoice_id: 'ref_2' },
    { ...made, status: 'SOON' },
    { ...made, amount: null },
    { ...made, amount },
    {},
  ];
  for (const body of odd) await assert.rejects(refundWith({ status: 201, body }));
});

test('a refund rejected because of our field throws and does not fail', async () => {
  for (const [status, field] of [
    [400, '/custom_id'],
    [422, '/amount/value'],
  ] as const) {
    const body = { name: 'INVALID_REQUEST', details: [{ field, issue: 'INVALID_PARAMETER_SYNTAX' }] };
    await assert.rejects(refundWith({ status, body }), { name: 'RejectedRequestError', field });
  }
  // A refund above the remaining amount also names the amount, and is refused.
  const body = { details: [{ field: '/amount/value', issue: 'REFUND_AMOUNT_EXCEEDED' }] };
  assert.equal((await refundWith({ status: 422, body })).kind, 'failed');
});

test('a refund fails only for an issue that is final', async () => {
  const refusedBy = (issue: string) => ({ status: 422, body: { details: [{ issue }] } });
  const refused = await refundWith(refusedBy('REFUND_TIME_LIMIT_EXCEEDED'));
  assert.deepEqual(refused, { kind: 'failed', reference: 'CAPTURE1', code: 'refund_time_limit_exceeded' });
  await assert.rejects(refundWith(refusedBy('DUPLICATE_REFUND')));
  await assert.rejects(refundWith({ ...refusedBy('REFUND_NOT_ALLOWED'), status: 500 }));
});

test('a refund of disputed money or of too little fails; one that is too early is processing', async () => {
  const refusedBy = (issue: string) => ({ status: 422, body: { details: [{ issue }] } });
  for (const issue of ['TRANSACTION_DISPUTED', 'REFUND_AMOUNT_TOO_LOW'])
    assert.deepEqual(await refundWith(refusedBy(issue)), {
      ...{ kind: 'failed', reference: 'CAPTURE1', code: issue.toLowerCase() },
    });
  const early = await refundWith(refusedBy('PENDING_CAPTURE'));
  assert.deepEqual(early, { kind: 'processing', reference: 'CAPTURE1' });
});

const info = {
  transaction_id: 'T1',
  transaction_event_code: 'T0006',
  transaction_initiation_date: '2026-01-31T12:00:00+0000',
  transaction_amount: amount,
  transaction_status: 'S',
  custom_field: customId,
  invoice_id: attemptId,
};

test('the list has only completed payments and refunds of this connection', async () => {
  const back = {
    ...info,
    transaction_event_code: 'T1107',
    transaction_amount: { ...amount, value: '-5.00' },
  };
  const rows = [
    info,
    { ...info, transaction_status: 'P' },
    { ...info, transaction_status: 'D' },
    { ...info, transaction_event_code: 'T0400' },
    { ...info, transaction_amount: { ...amount, value: '-19.99' } },
    { ...info, custom_field: `${attemptId}/con_other/${companyId}` },
    { ...info, custom_field: 'INV-1', invoice_id: 'INV-1' },
    // An external refund: it has the attempt's ID, and no refund ID of ours.
    back,
    { ...back, invoice_id: 'ref_1', custom_field: undefined },
  ];
  const body = { transaction_details: rows.map((row) => ({ transaction_info: row })), total_pages: 1 };
  answers = { 'GET /v1/reporting/transactions': { status: 200, body } };
  const span = { from: new Date('2026-01-31T00:00:00Z'), until: new Date('2026-01-31T23:00:00Z') };
  const page = await connect().list({ companyId, ...span, cursor: null }, guard());
  assert.deepEqual(page.movements, [
    { kind: 'charge', key: attemptId, reference: 'T1', amountMinor: 1999, currency: 'EUR' },
    { kind: 'outside_refund', key: attemptId, reference: 'T1', amountMinor: 500, currency: 'EUR' },
    { kind: 'refund', key: 'ref_1', reference: 'T1', amountMinor: 500, currency: 'EUR' },
  ]);
  for (const odd of [{}, { ...body, total_pages: '1' }, { ...body, transaction_details: [{}] }]) {
    answers = { 'GET /v1/reporting/transactions': { status: 200, body: odd } };
    await assert.rejects(connect().list({ companyId, ...span, cursor: null }, guard()));
  }
});

test('the fee of a payment is what PayPal took, in the currency of the payment', async () => {
  const listFee = async (fee: unknown) => {
    const body = {
      transaction_details: [{ transaction_info: { ...info, fee_amount: fee } }],
      total_pages: 1,
    };
    answers = { 'GET /v1/reporting/transactions': { status: 200, body } };
    const span = { from: new Date('2026-01-31T00:00:00Z'), until: new Date('2026-01-31T23:00:00Z') };
    const { movements } = await connect().list({ companyId, ...span, cursor: null }, guard());
    return movements.map(({ feeMinor }) => feeMinor);
  };
  assert.deepEqual(await listFee({ currency_code: 'EUR', value: '-0.84' }), [84]);
  assert.deepEqual(await listFee({ currency_code: 'EUR', value: '0.00' }), [0]);
  assert.deepEqual(await listFee({ currency_code: 'USD', value: '-0.84' }), [undefined]);
  assert.deepEqual(await listFee(undefined), [undefined]);
  for (const value of ['-0.845', 'free', '-', '', '0.30'])
    assert.deepEqual(await listFee({ currency_code: 'EUR', value }), [undefined], value);
});

test('a movement in the second between two windows is listed once', async () => {
  const edge = { ...info, transaction_initiation_date: '2026-02-01T00:00:00+0000' };
  const body = { transaction_details: [{ transaction_info: edge }], total_pages: 1 };
  answers = { 'GET /v1/reporting/transactions': { status: 200, body } };
  const span = { from: new Date('2026-01-31T00:00:00Z'), until: new Date('2026-02-02T00:00:00Z') };
  const first = await connect().list({ companyId, ...span, cursor: null }, guard());
  const second = await connect().list({ companyId, ...span, cursor: first.nextCursor }, guard());
  assert.deepEqual([first.movements.length, second.movements.length], [0, 1]);
  assert.equal(second.nextCursor, null);
});

test('no error contains a token, a secret or a body', async () => {
  const secretive = newConnection({ clientId: 'AWclient', clientSecret: 'EJsecret', webhookId: '1FAKE' });
  const paypal = createPaypal({ apiUrl: url, clock: systemClock }).connect(secretive);
  const body = { name: 'ODD', message: 'EJsecret', details: [{ issue: 'ada@shop.example wants A21AA' }] };
  answers = { 'POST /v2/checkout/orders': { status: 500, body } };
  const error = await paypal.authorise({ ...request, card: null }, guard()).catch((reason: Error) => reason);
  assert.ok(error instanceof Error);
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /EJsecret|A21AA|ada@/);
});

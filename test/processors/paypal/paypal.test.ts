// What is specific to PayPal, with the adapter and the fake. ../contract.ts has what all processors share.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { newId } from '../../../src/base/ids.ts';
import { createPaypal } from '../../../src/processors/paypal/paypal.ts';
import type {
  AttemptOutcome,
  AttemptRequest,
  Processor,
  ProcessorRefundRequest,
} from '../../../src/processors/processor.ts';
import { newRequest, withReference } from '../kit/rig.ts';
import type { PaypalCommand } from './commands.ts';
import { type PaypalRig, startPaypalRig } from './paypal-rig.ts';

const guardMs = 120_000;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

let rig: PaypalRig;
let paypal: Processor;
const guard = () => AbortSignal.timeout(guardMs);
const usual: PaypalCommand = { nextCaptures: [], isPatchable: true, areRefundsPending: false, listLagMs: 0 };

before(async () => {
  rig = await startPaypalRig();
  paypal = rig.kind.connect(rig.connection);
});
afterEach(async () => {
  await rig.control({ reset: true, command: usual });
});
after(async () => await rig.stop());

/** A connection that has no token yet. */
const reconnect = () =>
  createPaypal({ apiUrl: rig.fakeUrl, clock: { now: rig.now } }).connect(rig.connection);

function requireAction(outcome: AttemptOutcome): string {
  assert.equal(outcome.kind, 'requires_action');
  return (outcome as Extract<AttemptOutcome, { kind: 'requires_action' }>).url;
}

async function begin() {
  const request = newRequest(rig, rig.connection);
  const outcome = await paypal.authorise(request, guard());
  return { request: withReference(request, outcome), url: requireAction(outcome) };
}

async function approve() {
  const { request, url } = await begin();
  await rig.customer.pay(url);
  return request;
}

async function pay() {
  const request = await approve();
  assert.equal((await paypal.capture(request, guard())).kind, 'succeeded');
  return request;
}

const chargesOf = async ({ attemptId }: AttemptRequest) =>
  (await rig.money()).filter(({ type, key }) => type === 'charge' && key === attemptId);
const refundsOf = async (refundId: string) =>
  (await rig.money()).filter(({ type, key }) => type === 'refund' && key === refundId);

function newRefund(
  request: AttemptRequest,
  changes: Partial<ProcessorRefundRequest> = {},
): ProcessorRefundRequest {
  const { companyId, attemptId, processorReference, amountMinor, currency } = request;
  assert.ok(processorReference);
  const refundId = newId('ref', rig.now());
  return { companyId, refundId, attemptId, processorReference, amountMinor, currency, ...changes };
}

test('20 concurrent calls share one token, which is used until shortly before it expires or is rejected', async () => {
  const known = await rig.countTokens();
  const fresh = reconnect();
  const ask = async () => await fresh.authorise(newRequest(rig, rig.connection), guard());
  const askTogether = async () => await Promise.all(Array.from({ length: 20 }, ask));
  assert.ok((await askTogether()).every(({ kind }) => kind === 'requires_action'));
  assert.equal(await rig.countTokens(), known + 1);
  for (const spend of [
    async () => await rig.advanceMs(9 * hourMs - 30_000),
    async () => await rig.command({ dropTokens: true }),
  ]) {
    const given = await rig.countTokens();
    await spend();
    assert.ok((await askTogether()).every(({ kind }) => kind === 'requires_action'));
    assert.equal(await rig.countTokens(), given + 1);
  }
});

test('a rejected token is replaced, and the call is repeated', async () => {
  const { request } = await begin();
  const known = await rig.countTokens();
  await rig.command({ dropTokens: true });
  assert.equal((await paypal.query(request, guard()))?.kind, 'requires_action');
  assert.equal(await rig.countTokens(), known + 1);
});

test('a caller that stops waiting for a token does not cancel it for others', async () => {
  const fresh = reconnect();
  const route = 'POST /v1/oauth2/token';
  await rig.control({ outage: { fault: { kind: 'slow', delayMs: 500, waits: 'before' }, route, times: 1 } });
  const hurried = new AbortController();
  const [first, second] = [hurried.signal, guard()].map(
    async (one) => await fresh.authorise(newRequest(rig, rig.connection), one),
  );
  hurried.abort(new Error('no more time'));
  await assert.rejects(first as Promise<AttemptOutcome>, /no more time/);
  assert.equal((await second)?.kind, 'requires_action');
});

test('without a token nothing was requested, so PayPal is unavailable', async () => {
  for (const fault of [{ kind: 'status', status: 500, isPerformed: false }, { kind: 'refuse' }] as const) {
    await rig.control({ outage: { fault, route: 'POST /v1/oauth2/token' } });
    const outcome = await reconnect().authorise(newRequest(rig, rig.connection), guard());
    assert.equal(outcome.kind, 'unavailable');
  }
});

test('an order that PayPal refuses is unavailable, and the reason has no customer data', async () => {
  const request = newRequest(rig, rig.connection);
  const customer = { ...request.customer, email: 'no address' };
  const outcome = await paypal.authorise({ ...request, customer }, guard());
  assert.deepEqual(outcome, {
    kind: 'unavailable',
    why: 'an order: PayPal responded with status 400 INVALID_REQUEST INVALID_PARAMETER_SYNTAX',
    isOfRequest: true,
  });
});

test('names and texts of any length and script are truncated to PayPal’s limits', async () => {
  const long = '🪑 Stühle '.repeat(40);
  const customer = { email: 'ada@shop.example', firstName: long, lastName: long, country: 'DE' };
  const changes = { merchantName: long, description: long, locale: 'en', customer };
  const outcome = await paypal.authorise(newRequest(rig, rig.connection, changes), guard());
  assert.equal(outcome.kind, 'requires_action');
});

test('a query about an unknown attempt returns that', async () => {
  const request = newRequest(rig, rig.connection);
  assert.equal(await paypal.query(request, guard()), null);
});

test('a customer who must act again at the capture returns to PayPal, and pays once', async () => {
  const request = await approve();
  await rig.command({ nextCaptures: [{ issue: 'PAYER_ACTION_REQUIRED' }] });
  const url = requireAction(await paypal.capture(request, guard()));
  assert.equal((await paypal.query(request, guard()))?.kind, 'requires_action');
  await rig.customer.challenge(url, 'pass');
  assert.equal((await paypal.capture(request, guard())).kind, 'succeeded');
  assert.equal((await chargesOf(request)).length, 1);
});

test('an unapproved order is not captured, and the customer is sent to PayPal again', async () => {
  const { request, url } = await begin();
  assert.equal(requireAction(await paypal.capture(request, guard())), url);
  assert.deepEqual(await chargesOf(request), []);
});

const declines = [
  { wish: { issue: 'INSTRUMENT_DECLINED' }, code: 'source_declined' },
  { wish: { issue: 'COMPLIANCE_VIOLATION' }, code: 'suspected_fraud' },
  { wish: { issue: 'CARD_EXPIRED' }, code: 'expired_card' },
  { wish: { issue: 'PAYER_CANNOT_PAY' }, code: 'processing_error' },
  { wish: { status: 'DECLINED', responseCode: '5120' }, code: 'source_declined' },
  { wish: { status: 'DECLINED', responseCode: '9520' }, code: 'lost_or_stolen' },
  { wish: { status: 'DECLINED', responseCode: '5110' }, code: 'incorrect_csc' },
  { wish: { status: 'DECLINED' }, code: 'source_declined' },
] as const;
for (const { wish, code } of declines) {
  test(`a capture refused with ${Object.values(wish).join(' ')} is the decline ${code}`, async () => {
    const request = await approve();
    await rig.command({ nextCaptures: [wish] });
    const reference = request.processorReference;
    assert.deepEqual(await paypal.capture(request, guard()), { kind: 'declined', reference, code });
    assert.deepEqual(await chargesOf(request), []);
  });
}

test('a refusal that is no decline ends nothing: the attempt is queried again', async () => {
  const request = await approve();
  await rig.command({ nextCaptures: [{ issue: 'DUPLICATE_INVOICE_ID' }] });
  await assert.rejects(paypal.capture(request, guard()), /422 UNPROCESSABLE_ENTITY DUPLICATE_INVOICE_ID$/);
  assert.equal((await paypal.query(request, guard()))?.kind, 'approved');
});

test('a capture under review is processing, and cannot be cancelled', async () => {
  const request = await approve();
  await rig.command({ nextCaptures: [{ status: 'PENDING' }] });
  const processing = { kind: 'processing', reference: request.processorReference };
  assert.deepEqual(await paypal.capture(request, guard()), processing);
  assert.deepEqual(await paypal.query(request, guard()), processing);
  assert.deepEqual(await paypal.cancel(request, guard()), processing);
});

test('money is captured once, even if PayPal has forgotten the first request', async () => {
  const request = await pay();
  await rig.advanceMs(7 * hourMs);
  const again = await paypal.capture(request, guard());
  assert.deepEqual(again, {
    kind: 'succeeded',
    reference: request.processorReference,
    amountMinor: request.amountMinor,
    currency: request.currency,
  });
  assert.equal((await chargesOf(request)).length, 1);
});

test('PayPal itself refuses to capture a cancelled order', async () => {
  const request = await approve();
  assert.deepEqual(await paypal.cancel(request, guard()), { kind: 'void' });
  assert.deepEqual(await paypal.query(request, guard()), { kind: 'void' });
  assert.deepEqual(await paypal.capture(request, guard()), { kind: 'void' });
  assert.deepEqual(await chargesOf(request), []);
});

test('a key cancelled before its use is used up: a late order is void', async () => {
  const request = newRequest(rig, rig.connection);
  assert.deepEqual(await paypal.cancel(request, guard()), { kind: 'void' });
  assert.deepEqual(await paypal.authorise(request, guard()), { kind: 'void' });
});

test('an uncaptured order that PayPal does not let us change is still void', async () => {
  await rig.command({ isPatchable: false });
  const request = await approve();
  assert.deepEqual(await paypal.cancel(request, guard()), { kind: 'void' });
  assert.deepEqual(await chargesOf(request), []);
});

test('a concurrent capture and cancel agree about the money', async () => {
  for (let round = 0; round < 5; round++) {
    const request = await approve();
    const [captured, cancelled] = await Promise.all([
      paypal.capture(request, guard()),
      paypal.cancel(request, guard()),
    ]);
    assert.deepEqual(captured, cancelled);
    assert.equal((await chargesOf(request)).length, captured.kind === 'succeeded' ? 1 : 0);
  }
});

test('an order that PayPal has forgotten is void after its expiry, and throws before', async () => {
  const { request } = await begin();
  await rig.advanceMs(3 * hourMs);
  assert.deepEqual(await paypal.query(request, guard()), { kind: 'void' });
  assert.deepEqual(await paypal.cancel(request, guard()), { kind: 'void' });
  const fresh = await begin();
  const unknown = { ...fresh.request, processorReference: '0UNKNOWN000000000' };
  await assert.rejects(paypal.query(unknown, guard()), /does not know/);
});

test('a malformed reference never becomes part of an address', async () => {
  const { request } = await begin();
  const hostile = { ...request, processorReference: '../../v1/oauth2/token' };
  await assert.rejects(paypal.query(hostile, guard()), /does not have the form/);
});

test('an order of another attempt or connection is rejected', async () => {
  const { request } = await begin();
  const other = { ...request, attemptId: newId('att', rig.now()) };
  await assert.rejects(paypal.query(other, guard()), { name: 'ResponseMismatchError' });
  const connection = { ...rig.connection, connectionId: rig.otherConnection.connectionId };
  await assert.rejects(rig.kind.connect(connection).query(request, guard()), {
    name: 'ResponseMismatchError',
  });
});

test('a refund that PayPal pays out later is processing, then succeeds once', async () => {
  await rig.command({ areRefundsPending: true });
  const request = newRefund(await pay(), { amountMinor: 500 });
  const first = await paypal.refund(request, guard());
  assert.equal(first.kind, 'processing');
  await rig.settle();
  const { reference } = first;
  const paid = { kind: 'succeeded', reference, amountMinor: 500, currency: 'EUR' };
  assert.deepEqual(await paypal.refund(request, guard()), paid);
  assert.equal((await refundsOf(request.refundId)).length, 1);
});

test('a refund is made once, even if PayPal has forgotten its request ID', async () => {
  const request = newRefund(await pay(), { amountMinor: 500 });
  const first = await paypal.refund(request, guard());
  await rig.advanceMs(46 * dayMs);
  assert.deepEqual(await paypal.refund(request, guard()), first);
  assert.equal((await refundsOf(request.refundId)).length, 1);
});

test('money found in the list can be refunded by the reference of the list', async () => {
  const request = await pay();
  const span = {
    from: new Date(rig.now().getTime() - hourMs),
    until: new Date(rig.now().getTime() + hourMs),
  };
  let cursor: string | null = null;
  let reference: string | undefined;
  do {
    const page = await paypal.list({ companyId: request.companyId, ...span, cursor }, guard());
    reference ??= page.movements.find(({ key }) => key === request.attemptId)?.reference;
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.ok(reference && reference !== request.processorReference);
  const back = await paypal.refund(newRefund({ ...request, processorReference: reference }), guard());
  assert.equal(back.kind, 'succeeded');
});

test('the list covers months, page by page, with each movement once', async () => {
  // PayPal's list knows whole seconds only.
  await rig.advanceMs(2_000);
  const from = rig.now();
  const paid: string[] = [];
  for (const waitMs of [0, 40 * dayMs, dayMs, 0, 0]) {
    await rig.advanceMs(waitMs);
    paid.push((await pay()).attemptId);
  }
  const until = new Date(rig.now().getTime() + 1);
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await paypal.list({ companyId: rig.connection.companyId, from, until, cursor }, guard());
    listed.push(...page.movements.map(({ key }) => key));
    cursor = page.nextCursor;
    assert.ok(page.completeUntil && page.completeUntil.getTime() <= rig.now().getTime() - 3 * hourMs);
  } while (cursor !== null);
  assert.deepEqual(listed.toSorted(), paid.toSorted());
});

test('a period that PayPal’s list has not reached is empty, without an error', async () => {
  await rig.advanceMs(2 * dayMs);
  await pay();
  await rig.command({ listLagMs: 3 * hourMs });
  const from = new Date(rig.now().getTime() - hourMs);
  const page = await paypal.list(
    { companyId: rig.connection.companyId, from, until: rig.now(), cursor: null },
    guard(),
  );
  assert.deepEqual([page.movements, page.nextCursor], [[], null]);
  assert.ok(page.completeUntil && page.completeUntil <= from);
});

test('credentials are checked with PayPal, and a webhook of another app is reported', async () => {
  const good = await rig.kind.check(rig.connection, guard());
  assert.deepEqual(good, {
    kind: 'good',
    holder: 'APP-FAKE000000000001T (AWfake-c…)',
    account: rig.connection.credentials.clientId,
  });
  for (const { field, connection } of rig.invalidConnections) {
    const bad = await rig.kind.check(connection, guard());
    assert.ok(bad.kind === 'bad' && bad.faults.some((fault) => fault.field === field), field);
  }
  await rig.control({ outage: { fault: { kind: 'status', status: 503, isPerformed: false } } });
  await assert.rejects(rig.kind.check(rig.connection, guard()));
});

test('PayPal gets the statement descriptor of the company, and none if the company has none', async () => {
  const { url } = await begin();
  assert.match(await (await fetch(url)).text(), /<p>MOEBEL\*MUELLER 24\.DE<\/p>/);
  const request = { ...newRequest(rig, rig.connection), statementDescriptor: null };
  const plain = requireAction(await paypal.authorise(request, guard()));
  assert.doesNotMatch(await (await fetch(plain)).text(), /MOEBEL\*/);
});

// What is specific to Stripe: keys, list pages, session lifetimes and slow methods.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { newId } from '../../../src/base/ids.ts';
import type {
  AttemptOutcome,
  AuthoriseRequest,
  Processor,
  ProcessorRefundRequest,
} from '../../../src/processors/processor.ts';
import { newRequest, unproven } from '../kit/rig.ts';
import { accounts } from './accounts.ts';
import { type StripeRig, sessionsOf, startStripe } from './stripe-rig.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let rig: StripeRig;
let stripe: Processor;
beforeEach(async () => {
  rig = await startStripe();
  stripe = rig.kind.connect(rig.connection);
});
afterEach(async () => await rig.stop());

const soon = () => AbortSignal.timeout(30_000);
const attempt = (changes: Partial<AuthoriseRequest> = {}) => newRequest(rig, rig.connection, changes);

async function begin(
  request: AuthoriseRequest,
): Promise<Extract<AttemptOutcome, { kind: 'requires_action' }>> {
  const outcome = await stripe.authorise(request, soon());
  assert.equal(outcome.kind, 'requires_action');
  return outcome as Extract<AttemptOutcome, { kind: 'requires_action' }>;
}

async function payFor(request: AuthoriseRequest): Promise<Extract<AttemptOutcome, { kind: 'succeeded' }>> {
  await rig.customer.pay((await begin(request)).url);
  const outcome = await stripe.query(request, soon());
  assert.equal(outcome?.kind, 'succeeded');
  return outcome as Extract<AttemptOutcome, { kind: 'succeeded' }>;
}

function refundOf(request: AuthoriseRequest, reference: string, amountMinor: number): ProcessorRefundRequest {
  const { companyId, attemptId, currency } = request;
  const refundId = newId('ref', rig.now());
  return { companyId, refundId, attemptId, processorReference: reference, amountMinor, currency };
}

test('an attempt without a reference is found behind any number of other sessions', async () => {
  const request = attempt();
  const { reference } = await begin(request);
  for (let other = 0; other < 7; other++) await begin(attempt());
  const found = await stripe.query(request, soon());
  assert.deepEqual(found && 'reference' in found && found.reference, reference);
  assert.equal(await stripe.query(attempt(), soon()), null);
});

test('an attempt is found by the ID of its session and of its payment intent', async () => {
  const request = attempt();
  const { reference: sessionId } = await begin(request);
  const paid = await payFor(request);
  assert.match(sessionId, /^cs_test_/);
  assert.match(paid.reference, /^pi_/);
  for (const processorReference of [sessionId, paid.reference])
    assert.deepEqual(await stripe.query({ ...request, processorReference }, soon()), paid);
});

test('the session of another attempt is rejected', async () => {
  const { reference } = await payFor(attempt());
  await assert.rejects(
    stripe.query(attempt({ processorReference: reference }), soon()),
    /a session of Stripe differs from the request in: attempt, reference/,
  );
  await assert.rejects(stripe.query(attempt({ processorReference: 'tr_1' }), soon()), /unknown form/);
  await assert.rejects(stripe.query(attempt({ processorReference: 'cs_test_unknown' }), soon()), /404/);
});

test('authorise, repeated after the customer paid, returns paid instead of the page', async () => {
  const request = attempt();
  const paid = await payFor(request);
  assert.deepEqual(await stripe.authorise(request, soon()), paid);
});

test('if the key was used with other parameters, the existing session is found', async () => {
  const request = attempt();
  const { reference, url } = await begin(request);
  const changed = { ...request, description: 'Something else' };
  assert.deepEqual(await stripe.authorise(changed, soon()), { kind: 'requires_action', reference, url });
  assert.equal((await sessionsOf(rig, request)).size, 1);
});

test('20 concurrent requests create one session, and none reports that there is none', async () => {
  const request = attempt();
  const result = await Promise.allSettled(
    Array.from({ length: 20 }, () => stripe.authorise(request, soon())),
  );
  const outcomes = result.flatMap((one) => (one.status === 'fulfilled' ? [one.value.kind] : []));
  assert.deepEqual(new Set(outcomes), new Set(['requires_action']));
  assert.equal((await sessionsOf(rig, request)).size, 1);
});

test('a key cancelled before its use creates nothing payable', async () => {
  const request = attempt();
  assert.deepEqual(await stripe.cancel(request, soon()), { kind: 'void' });
  assert.deepEqual(await stripe.authorise(request, soon()), { kind: 'void' });
  assert.equal((await sessionsOf(rig, request)).size, 1);
});

test('a session created too late for the search is still ended', async () => {
  const request = attempt();
  await rig.advanceMs(20 * minuteMs);
  const { url } = await begin(request);
  assert.deepEqual(await stripe.cancel(request, soon()), { kind: 'void' });
  await assert.rejects(rig.customer.pay(url), /no button/);
  assert.equal((await sessionsOf(rig, request)).size, 1);
});

test('an attempt that never started is void at its expiry, when Stripe refuses so short a session', async () => {
  const request = attempt();
  await rig.advanceMs(45 * minuteMs);
  assert.deepEqual(await stripe.cancel(request, soon()), { kind: 'void' });
  assert.equal((await stripe.authorise(request, soon())).kind, 'unavailable');
  assert.equal((await sessionsOf(rig, request)).size, 0);
});

test('an attempt that never started is void after its expiry, even if a failure used up its key', async () => {
  const request = attempt();
  const outage = {
    fault: { kind: 'status', status: 500, isPerformed: false },
    route: 'POST /v1/checkout/sessions',
  } as const;
  await rig.control({ outage });
  await assert.rejects(stripe.cancel(request, soon()));
  await rig.advanceMs(71 * minuteMs);
  assert.deepEqual(await stripe.cancel(request, soon()), { kind: 'void' });
});

test('a declined customer can pay with another card, once', async () => {
  const request = attempt();
  const { url } = await begin(request);
  await rig.customer.decline(url);
  await rig.customer.challenge(url, 'fail');
  assert.equal((await stripe.query(request, soon()))?.kind, 'requires_action');
  await rig.customer.pay(url);
  await assert.rejects(rig.customer.pay(url), /no button/);
  assert.equal((await stripe.query(request, soon()))?.kind, 'succeeded');
  assert.equal((await rig.money()).length, 1);
});

test('a session that ended after a decline has its reason', async () => {
  await rig.command({ declinesWith: 'insufficient_funds' });
  const request = attempt();
  await rig.customer.decline((await begin(request)).url);
  await rig.advanceMs(61 * minuteMs);
  const ended = await stripe.query(request, soon());
  assert.deepEqual(ended?.kind === 'declined' && ended.code, 'source_declined');
  const failed = attempt();
  await rig.customer.challenge((await begin(failed)).url, 'fail');
  const cancelled = await stripe.cancel(failed, soon());
  assert.deepEqual(cancelled.kind === 'declined' && cancelled.code, 'authentication_failed');
});

test('a slow method is processing until its money arrives, and cannot be cancelled meanwhile', async () => {
  await rig.command({ isSlow: true });
  const request = attempt();
  const { reference, url } = await begin(request);
  await rig.customer.pay(url);
  assert.deepEqual(await stripe.query(request, soon()), { kind: 'processing', reference });
  assert.deepEqual(await stripe.cancel(request, soon()), { kind: 'processing', reference });
  assert.deepEqual(await rig.money(), []);
  await rig.command({ settle: 'paid' });
  assert.equal((await stripe.query(request, soon()))?.kind, 'succeeded');
});

test('a slow method whose money never arrives is declined', async () => {
  await rig.command({ isSlow: true });
  const request = attempt();
  await rig.customer.pay((await begin(request)).url);
  await rig.command({ settle: 'failed' });
  const outcome = await stripe.query(request, soon());
  assert.deepEqual(outcome?.kind === 'declined' && outcome.code, 'processing_error');
});

test('an amount that Stripe refuses starts nothing, and names the limit', async () => {
  for (const [amountMinor, code] of [
    [49, /amount_too_small/],
    [100_000_000, /amount_too_large/],
  ] as const) {
    const outcome = await stripe.authorise(attempt({ amountMinor }), soon());
    assert.equal(outcome.kind, 'unavailable');
    assert.match(outcome.kind === 'unavailable' ? outcome.why : '', code);
  }
});

test('a key without permission, or an unknown one, starts nothing', async () => {
  for (const secretKey of [accounts.chairs.uselessKey, 'sk_test_nobody']) {
    const connection = { ...rig.connection, credentials: { ...rig.connection.credentials, secretKey } };
    const outcome = await rig.kind.connect(connection).authorise(attempt(), soon());
    assert.equal(outcome.kind, 'unavailable');
    assert.doesNotMatch(JSON.stringify(outcome), /sk_test|rk_test/);
  }
});

test('a refund whose response was lost is found a day later, when its key is forgotten', async () => {
  const request = attempt();
  const refund = refundOf(request, (await payFor(request)).reference, 500);
  await rig.control({
    outage: { fault: { kind: 'reset', isPerformed: true }, route: 'POST /v1/refunds', times: 1 },
  });
  await assert.rejects(stripe.refund(refund, soon()));
  await rig.advanceMs(2 * dayMs);
  assert.equal((await stripe.refund(refund, soon())).kind, 'succeeded');
  assert.equal((await rig.money()).filter(({ type }) => type === 'refund').length, 1);
});

test('a refund is found among any number of others of its payment', async () => {
  const request = attempt();
  const { reference } = await payFor(request);
  const first = refundOf(request, reference, 100);
  const given = await stripe.refund(first, soon());
  for (let other = 0; other < 5; other++) await stripe.refund(refundOf(request, reference, 10), soon());
  await rig.advanceMs(2 * dayMs);
  assert.deepEqual(await stripe.refund(first, soon()), given);
});

test('a refund that Stripe pays out later is processing until then', async () => {
  await rig.command({ refundsAtOnce: false });
  const request = attempt();
  const refund = refundOf(request, (await payFor(request)).reference, 500);
  assert.equal((await stripe.refund(refund, soon())).kind, 'processing');
  await rig.settle();
  const result = await stripe.refund(refund, soon());
  assert.deepEqual(result.kind === 'succeeded' && result.amountMinor, 500);
});

test("a refund returned by the customer's bank is failed, with the reason", async () => {
  await rig.command({ refundsAtOnce: false });
  const request = attempt();
  const refund = refundOf(request, (await payFor(request)).reference, 500);
  await stripe.refund(refund, soon());
  await rig.command({ settle: 'failed' });
  const result = await stripe.refund(refund, soon());
  assert.deepEqual(result.kind === 'failed' && result.code, 'lost_or_stolen_card');
  assert.equal((await rig.money()).filter(({ type }) => type === 'refund').length, 0);
});

test('a final refusal is a value with its reason', async () => {
  const request = attempt();
  const { reference } = await payFor(request);
  const refuse = async (amountMinor: number, on = reference, of = request) => {
    const result = await stripe.refund(refundOf(of, on, amountMinor), soon());
    return result.kind === 'failed' ? result.code : result.kind;
  };
  assert.equal(await refuse(2000), 'amount_too_large');
  assert.equal(await refuse(1999), 'succeeded');
  assert.equal(await refuse(1), 'charge_already_refunded');
  const unpaid = attempt();
  const open = await begin(unpaid);
  assert.equal(await refuse(100, open.reference, unpaid), 'nothing_to_give_back');
  await rig.customer.decline(open.url);
  assert.equal(await refuse(100, open.reference, unpaid), 'payment_intent_unexpected_state');
});

test('a payment of another account is not reported as refused', async () => {
  await assert.rejects(stripe.refund(refundOf(attempt(), 'pi_of_another_account', 100), soon()), /404/);
});

test('the list has only our movements, whatever else is on the account', async () => {
  const from = rig.now();
  const request = attempt();
  const { reference } = await payFor(request);
  await rig.customer.decline((await begin(attempt())).url);
  const refund = refundOf(request, reference, 500);
  await stripe.refund(refund, soon());
  await rig.command({ refundsAtOnce: false });
  await stripe.refund(refundOf(request, reference, 100), soon());
  for (let other = 0; other < 4; other++) await rig.createForeignCharge(700);
  const sameAccount = { ...rig.connection, connectionId: 'con_second' };
  const elsewhere = newRequest(rig, sameAccount);
  const begun = await rig.kind.connect(sameAccount).authorise(elsewhere, soon());
  await rig.customer.pay(begun.kind === 'requires_action' ? begun.url : '');

  const movements = [];
  let cursor: string | null = null;
  do {
    const until = new Date(rig.now().getTime() + 1000);
    const page = await stripe.list({ companyId: request.companyId, from, until, cursor }, soon());
    movements.push(...page.movements);
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(
    movements.map(({ reference: _, ...movement }) => movement),
    [
      { kind: 'charge', key: request.attemptId, amountMinor: 1999, currency: 'EUR', feeMinor: 55 },
      { kind: 'refund', key: refund.refundId, amountMinor: 500, currency: 'EUR' },
    ],
  );
  assert.equal(movements[0]?.reference, reference);
});

test('a cursor of another list throws', async () => {
  const span = { companyId: rig.connection.companyId, from: new Date(0), until: rig.now() };
  await assert.rejects(stripe.list({ ...span, cursor: 'charge:../refunds' }, soon()), /not of this list/);
});

test('a live connection uses a live account, and rejects objects of test mode', async () => {
  const { secretKey, webhookSecret } = accounts.shelves;
  const live = { ...rig.connection, mode: 'live', credentials: { secretKey, webhookSecret } } as const;
  const checked = await rig.kind.check(live, soon());
  assert.deepEqual(checked, {
    kind: 'good',
    holder: 'Shelves Ltd (acct_shelves)',
    account: 'acct_shelves',
  });
  assert.equal((await rig.kind.connect(live).authorise(attempt(), soon())).kind, 'requires_action');
  const mixed = rig.kind.connect({ ...live, mode: 'test' });
  await assert.rejects(mixed.authorise(attempt(), soon()), /differs from the request in: live/);
});

test('an account without a name is shown by its ID', async () => {
  const checked = await rig.kind.check(rig.otherConnection, soon());
  assert.deepEqual(checked, { kind: 'good', holder: 'acct_tables', account: 'acct_tables' });
});

test('a restricted key is tested for each required permission, and missing ones are named', async () => {
  const checkKey = async (secretKey: string) =>
    await rig.kind.check(
      { ...rig.connection, credentials: { ...rig.connection.credentials, secretKey } },
      soon(),
    );
  const refundless = await checkKey(accounts.chairs.refundlessKey);
  assert.equal(refundless.kind, 'bad');
  const [fault, ...others] = refundless.kind === 'bad' ? refundless.faults : [];
  assert.deepEqual([fault?.field, fault?.code, others], ['secretKey', 'not_permitted', []]);
  assert.match(fault?.detail ?? '', /lacks permissions for: Refunds\./);
  const useless = await checkKey(accounts.chairs.uselessKey);
  assert.match(
    JSON.stringify(useless),
    /lacks permissions for: Accounts, Checkout Sessions, Charges, Refunds\./,
  );
});

test('a webhook reaches the endpoint of the account, with a signature over the sent bytes', async () => {
  const { promise, resolve } = Promise.withResolvers<{ signature: string | undefined; body: Buffer }>();
  const endpoint = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray());
    response.end();
    resolve({ signature: incoming.headers['stripe-signature']?.toString(), body });
  });
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  try {
    const { port } = endpoint.address() as AddressInfo;
    await rig.command({ endpointUrl: `http://127.0.0.1:${port}/` });
    const request = attempt();
    await payFor(request);
    const { signature, body } = await promise;
    const headers = { 'stripe-signature': signature };
    const notice = await rig.kind.readNotice?.(
      rig.connection,
      { headers, body, now: rig.now(), ...unproven },
      soon(),
    );
    assert.deepEqual(notice?.kind === 'news' && notice.news[0]?.attemptId, request.attemptId);
  } finally {
    endpoint.closeAllConnections();
    endpoint.close();
  }
});

test('a power failure of the fake loses nothing that it has confirmed', async () => {
  const request = attempt();
  const paid = await payFor(request);
  const open = attempt();
  const begun = await begin(open);
  await rig.fake.restart();
  assert.deepEqual(await stripe.query(request, soon()), paid);
  assert.deepEqual(await stripe.authorise(open, soon()), begun);
  assert.equal((await sessionsOf(rig, open)).size, 1);
});

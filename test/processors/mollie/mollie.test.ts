// What is specific to Mollie: forgotten keys, slow and seemingly duplicate refunds, payments that cannot be cancelled, and
// unsigned webhooks.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { newId } from '../../../src/base/ids.ts';
import type {
  AttemptOutcome,
  AuthoriseRequest,
  Processor,
  ProcessorRefundRequest,
  ProcessorWebhookRequest,
} from '../../../src/processors/processor.ts';
import { newRequest, type Rig, unproven, withReference } from '../kit/rig.ts';
import { startMollieRig } from './mollie-rig.ts';

let rig: Rig;
let processor: Processor;
const guard = () => AbortSignal.timeout(20_000);
const hourMs = 60 * 60 * 1000;

before(async () => {
  rig = await startMollieRig();
  processor = rig.kind.connect(rig.connection);
});
after(async () => {
  await rig?.stop();
});
beforeEach(async () => {
  const usual = { isCancelable: false, failureReason: 'card_declined', staysOnDecline: false };
  const money = { paysAs: 'paid', takesCents: null, canCapture: true };
  await rig.control({ reset: true, command: { ...usual, ...money } });
});

type Begun = { request: AuthoriseRequest; url: string; reference: string };

async function begin(changes: Partial<AuthoriseRequest> = {}): Promise<Begun> {
  const request = newRequest(rig, rig.connection, changes);
  const outcome = await processor.authorise(request, guard());
  assert.equal(outcome.kind, 'requires_action');
  assert.ok(outcome.kind === 'requires_action');
  return { request: withReference(request, outcome), url: outcome.url, reference: outcome.reference };
}

async function beginPaid(changes: Partial<AuthoriseRequest> = {}): Promise<Begun> {
  const begun = await begin(changes);
  await rig.customer.pay(begun.url);
  return begun;
}

const chargesOf = async ({ attemptId }: AuthoriseRequest) =>
  (await rig.money()).filter(({ key, type }) => type === 'charge' && key === attemptId);

function newRefund({ request, reference }: Begun, amountMinor: number): ProcessorRefundRequest {
  const { companyId, attemptId, currency } = request;
  const refundId = newId('ref', rig.now());
  return { companyId, refundId, attemptId, processorReference: reference, amountMinor, currency };
}

test('authorise, repeated after the customer paid, returns paid instead of the first response', async () => {
  const { request, reference } = await beginPaid();
  const again: AttemptOutcome = { kind: 'succeeded', reference, amountMinor: 1999, currency: 'EUR' };
  assert.deepEqual(await processor.authorise(request, guard()), again);
});

test('a payment is found without its reference, behind pages of newer and foreign ones', async () => {
  const { request, reference } = await beginPaid();
  for (let count = 0; count < 5; count++) {
    await begin();
    await rig.createForeignCharge(700);
  }
  const outcome = await processor.query({ ...request, processorReference: null }, guard());
  assert.deepEqual(outcome, { kind: 'succeeded', reference, amountMinor: 1999, currency: 'EUR' });
});

test('an attempt cancelled before its start is void, and a late request creates nothing payable', async () => {
  const request = newRequest(rig, rig.connection);
  assert.deepEqual(await processor.cancel(request, guard()), { kind: 'void' });
  assert.deepEqual(await processor.authorise(request, guard()), { kind: 'void' });
  assert.deepEqual(await processor.query(request, guard()), { kind: 'void' });
  assert.deepEqual(await processor.cancel(request, guard()), { kind: 'void' });
  await rig.advanceMs(2 * hourMs);
  assert.deepEqual(await processor.query(request, guard()), { kind: 'void' });
});

test('an open payment that cannot be cancelled continues until Mollie ends it', async () => {
  const { request, url, reference } = await begin();
  assert.deepEqual(await processor.cancel(request, guard()), { kind: 'requires_action', reference, url });
  await rig.advanceMs(hourMs);
  assert.deepEqual(await processor.cancel(request, guard()), { kind: 'void' });
  await rig.customer.pay(url).catch(() => undefined);
  assert.deepEqual(await chargesOf(request), []);
});

test('a cancelled payment can no longer be paid', async () => {
  await rig.control({ command: { isCancelable: true } });
  const { request, url } = await begin();
  assert.deepEqual(await processor.cancel(request, guard()), { kind: 'void' });
  await rig.customer.pay(url).catch(() => undefined);
  assert.deepEqual(await chargesOf(request), []);
});

test('a decline that lets the customer choose another method does not end the attempt', async () => {
  await rig.control({ command: { staysOnDecline: true } });
  const { request, url } = await begin();
  const place = await rig.customer.decline(url);
  assert.equal(place.status, 200);
  assert.equal((await processor.query(request, guard()))?.kind, 'requires_action');
  await rig.customer.pay(url);
  assert.equal((await processor.query(request, guard()))?.kind, 'succeeded');
});

test('the reason of a decline is read from the payment, and without one it is a generic decline', async () => {
  for (const [failureReason, code] of [
    ['invalid_cvv', 'incorrect_csc'],
    [null, 'source_declined'],
  ] as const) {
    await rig.control({ command: { failureReason } });
    const { request, url, reference } = await begin();
    await rig.customer.decline(url);
    assert.deepEqual(await processor.query(request, guard()), { kind: 'declined', reference, code });
  }
});

test('authorised money is captured at once, in full and once, however often capture is called', async () => {
  await rig.control({ command: { paysAs: 'authorized' } });
  const { request, url, reference } = await begin();
  await rig.customer.pay(url);
  assert.deepEqual(await processor.query(request, guard()), { kind: 'approved', reference });
  assert.deepEqual(await processor.authorise(request, guard()), { kind: 'processing', reference });
  await Promise.allSettled([processor.capture(request, guard()), processor.capture(request, guard())]);
  // Mollie forgets the idempotency key of the capture.
  await rig.advanceMs(2 * hourMs);
  assert.deepEqual(await processor.capture(request, guard()), { kind: 'processing', reference });
  assert.deepEqual(await chargesOf(request), []);
  await rig.settle();
  const paid = { kind: 'succeeded', reference, amountMinor: 1999, currency: 'EUR' };
  assert.deepEqual(await processor.capture(request, guard()), paid);
  assert.equal((await chargesOf(request)).length, 1);
});

test('authorised money that Mollie does not capture is released, and so is that of a cancelled attempt', async () => {
  for (const end of ['capture', 'cancel'] as const) {
    await rig.control({ command: { paysAs: 'authorized', canCapture: end === 'cancel' } });
    const { request, url } = await begin();
    await rig.customer.pay(url);
    assert.deepEqual(await processor[end](request, guard()), { kind: 'void' });
    await rig.settle();
    assert.deepEqual(await processor.query(request, guard()), { kind: 'void' });
    assert.deepEqual(await chargesOf(request), []);
  }
});

test('a capture rejected because of our field releases nothing', async () => {
  await rig.control({ command: { paysAs: 'authorized' } });
  const { request, url, reference } = await begin();
  await rig.customer.pay(url);
  const linkCode = 'x'.repeat(300);
  await assert.rejects(processor.capture({ ...request, linkCode }, guard()), {
    name: 'RejectedRequestError',
  });
  assert.deepEqual(await processor.query(request, guard()), { kind: 'approved', reference });
});

test('a partial capture that was refunded counts as nothing taken', async () => {
  await rig.control({ command: { takesCents: 500 } });
  const begun = await beginPaid();
  const { request, reference } = begun;
  const part = { kind: 'succeeded', reference, amountMinor: 500, currency: 'EUR' };
  assert.deepEqual(await processor.query(request, guard()), part);
  await processor.refund(newRefund(begun, 500), guard());
  assert.deepEqual(await processor.query(request, guard()), { kind: 'void' });
});

test('a refund rejected because of our field does not fail: it is made after the fix', async () => {
  const begun = await beginPaid();
  const refund = newRefund(begun, 500);
  for (const named of ['description', 'metadata', 'amount.value']) {
    const body = { status: 422, title: 'Unprocessable Entity', detail: 'On purpose', field: named };
    const fault = { kind: 'status', status: 422, isPerformed: false, body } as const;
    await rig.control({ outage: { fault, route: 'POST /v2/payments/:id/refunds', times: 1 } });
    await assert.rejects(processor.refund(refund, guard()), { name: 'RejectedRequestError' });
  }
  assert.equal((await processor.refund(refund, guard())).kind, 'processing');
});

test('a refund is processing until the money has gone, and failed if the bank returned it', async () => {
  const begun = await beginPaid();
  const [first, second] = [newRefund(begun, 500), newRefund(begun, 700)];
  assert.equal((await processor.refund(first, guard())).kind, 'processing');
  await rig.settle();
  const done = await processor.refund(first, guard());
  assert.ok(done.kind === 'succeeded' && done.amountMinor === 500 && done.currency === 'EUR');
  await processor.refund(second, guard());
  await rig.control({ command: { settleRefunds: 'failed' } });
  const { kind } = await processor.refund(second, guard());
  assert.equal(kind, 'failed');
});

test('two refunds of one amount are both made: the second waits for the hour of Mollie’s duplicate check', async () => {
  const begun = await beginPaid();
  const [first, second] = [newRefund(begun, 500), newRefund(begun, 500)];
  await processor.refund(first, guard());
  await assert.rejects(processor.refund(second, guard()), /409/);
  await rig.advanceMs(hourMs);
  assert.equal((await processor.refund(second, guard())).kind, 'processing');
  await rig.settle();
  const keys = (await rig.money()).filter(({ type }) => type === 'refund').map(({ key }) => key);
  for (const { refundId } of [first, second]) assert.equal(keys.filter((key) => key === refundId).length, 1);
});

test('a refund whose response was lost is found after Mollie has forgotten its key', async () => {
  const begun = await beginPaid();
  const refund = newRefund(begun, 500);
  const outage = {
    fault: { kind: 'reset', isPerformed: true },
    route: 'POST /v2/payments/:id/refunds',
    times: 1,
  } as const;
  await rig.control({ outage });
  await assert.rejects(processor.refund(refund, guard()));
  await rig.advanceMs(2 * hourMs);
  await rig.settle();
  assert.equal((await processor.refund(refund, guard())).kind, 'succeeded');
  const moved = (await rig.money()).filter(({ key }) => key === refund.refundId);
  assert.equal(moved.length, 1);
});

test('a refund that takes days is listed at its creation time, once the money has gone', async () => {
  const from = new Date(rig.now().getTime() - 60_000);
  const begun = await beginPaid();
  const refund = newRefund(begun, 500);
  await processor.refund(refund, guard());
  const until = new Date(rig.now().getTime() + 60_000);
  const { companyId } = rig.connection;
  const isListed = async () => {
    let cursor: string | null = null;
    do {
      const page = await processor.list({ companyId, from, until, cursor }, guard());
      if (page.movements.some(({ key }) => key === refund.refundId)) return true;
      cursor = page.nextCursor;
    } while (cursor !== null);
    return false;
  };
  assert.equal(await isListed(), false);
  await rig.advanceMs(72 * hourMs);
  await rig.settle();
  assert.equal(await isListed(), true);
});

async function readNotice(body: string, connection = rig.connection) {
  const notice: ProcessorWebhookRequest = {
    headers: {},
    body: Buffer.from(body),
    now: rig.now(),
    ...unproven,
  };
  assert.ok(rig.kind.readNotice);
  return await rig.kind.readNotice(connection, notice, guard());
}

test('a webhook is read from the payment itself, and has the same ID until something changes', async () => {
  const begun = await beginPaid();
  const { request, reference } = begun;
  const charge = {
    attemptId: request.attemptId,
    refundId: null,
    connectionId: rig.connection.connectionId,
    amountMinor: 1999,
    currency: 'EUR',
  };
  const paid = await readNotice(`id=${reference}`);
  assert.ok(paid.kind === 'news');
  assert.deepEqual(paid.news, [charge]);
  assert.deepEqual(await readNotice(`id=${reference}`), paid);
  const refund = newRefund(begun, 500);
  await processor.refund(refund, guard());
  const asked = await readNotice(`id=${reference}`);
  await rig.settle();
  const done = await readNotice(`id=${reference}`);
  assert.ok(asked.kind === 'news' && done.kind === 'news');
  assert.deepEqual(done.news, [
    charge,
    { ...charge, attemptId: null, refundId: refund.refundId, amountMinor: 500 },
  ]);
  assert.equal(new Set([paid.noticeId, asked.noticeId, done.noticeId]).size, 3);
});

test('a webhook about an unknown payment is forged, and about another shop’s payment irrelevant', async () => {
  const { reference } = await beginPaid();
  assert.equal((await readNotice(`id=${reference}`, rig.otherConnection)).kind, 'forged');
  assert.equal((await readNotice('id=tr_0123456789')).kind, 'forged');
  const { id } = (await rig.control({ command: { createForeignCharge: 700 } })) as { id: string };
  assert.equal((await readNotice(`id=${id}`)).kind, 'irrelevant');
});

test('a malformed webhook is forged without a call', async () => {
  await rig.control({ outage: { fault: { kind: 'refuse' } } });
  const bodies = [
    '',
    'id=',
    'id=tr_1',
    'id=re_0123456789',
    'id=tr_0123456789/refunds',
    'id=tr_0123456789%3Fembed%3Drefunds',
    'id=tr_0123456789&id=tr_9876543210',
    '{"id":"tr_0123456789"}',
    `id=tr_0123456789&more=${'x'.repeat(2000)}`,
  ];
  for (const body of bodies) assert.equal((await readNotice(body)).kind, 'forged', body);
  await assert.rejects(readNotice('id=tr_9876543210'), 'one that must be asked about is not decided');
});

test('the outcome is unavailable only if Mollie is unreachable or refuses', async () => {
  await rig.control({ outage: { fault: { kind: 'refuse' } } });
  const request = newRequest(rig, rig.connection);
  assert.equal((await processor.authorise(request, guard())).kind, 'unavailable');
  for (const status of [401, 403, 422, 429]) {
    await rig.control({ outage: { fault: { kind: 'status', status, isPerformed: false }, times: 1 } });
    assert.equal((await processor.authorise(request, guard())).kind, 'unavailable', String(status));
  }
  for (const status of [302, 400, 408, 409, 500, 502, 503]) {
    await rig.control({ outage: { fault: { kind: 'status', status, isPerformed: false }, times: 1 } });
    await assert.rejects(processor.authorise(request, guard()), String(status));
  }
});

test('a valid key is accepted, and names its account', async () => {
  assert.deepEqual(await rig.kind.check(rig.connection, guard()), {
    kind: 'good',
    holder: 'Möbel Müller',
    account: 'pfl_QkEhN94Ba',
    offers: ['iDEAL', 'Apple Pay'],
  });
  const codes: string[] = [];
  for (const { connection } of rig.invalidConnections) {
    const check = await rig.kind.check(connection, guard());
    assert.ok(check.kind === 'bad');
    codes.push(...check.faults.map(({ code }) => code));
  }
  assert.deepEqual(codes, ['refused', 'malformed', 'wrong_mode', 'malformed']);
});

test('an attempt whose key has a stored 500 and no payment is cancelled at once, and no late request creates one', async () => {
  await rig.control({ command: { failsPayment: true } });
  const request = newRequest(rig, rig.connection);
  await assert.rejects(processor.authorise(request, guard()), /status 500/);
  assert.equal(await processor.query(request, guard()), null);
  assert.deepEqual(await processor.cancel(request, guard()), { kind: 'void' });
  await assert.rejects(processor.authorise(request, guard()), /status 500/);
  assert.deepEqual(await chargesOf(request), []);
});

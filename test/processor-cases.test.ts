// Cases of a live processor: a refund that it rejects as malformed, and a partial capture. With the service and the
// fakes as processes.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { refreshAttempt } from '../src/attempts/refresh-attempt.ts';
import { type Answer, call, createLinkAs, type Json } from './harness/client.ts';
import { listAttempts, statusOf } from './harness/payment-methods.ts';
import { liveMakers, payAt, startLiveService } from './processors/live.ts';

const hangGuardMs = 60_000;

const { paylink, owner, connectionTo } = await startLiveService({
  processorTimeoutMs: 5_000,
  firstReconcileSeconds: 6,
  workTimings: { pollMs: 500, firstPauseMs: 1_000 },
});

const ask = async (method: string, path: string, body?: Json): Promise<Answer> =>
  await call(paylink, owner, [method, path], body);
const listOf = async (path: string) => (await ask('GET', path)).body.data as Json[];
const casesOf = async (code: string) =>
  (await listOf('/v1/cases')).filter(({ PaymentLinkCode }) => PaymentLinkCode === code);
const eventsOf = async (code: string, type: string) =>
  (await listOf(`/v1/payments/${code}/events`)).filter((event) => event.type === type);

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const guard = AbortSignal.timeout(hangGuardMs);
  while (!(await isDone())) {
    assert.ok(!guard.aborted, 'it never came');
    await sleep(100);
  }
}

/** How each processor reports that a field of our request is malformed, by its public reference. */
const rejections: Readonly<Record<string, { status: number; body: object; field: string }>> = {
  stripe: {
    status: 400,
    body: { error: { type: 'invalid_request_error', param: 'metadata', message: 'Invalid metadata' } },
    field: 'metadata',
  },
  mollie: {
    status: 422,
    body: { status: 422, title: 'Unprocessable Entity', detail: 'Invalid', field: 'description' },
    field: 'description',
  },
  paypal: {
    status: 400,
    body: {
      name: 'INVALID_REQUEST',
      details: [{ field: '/custom_id', issue: 'INVALID_STRING_LENGTH', location: 'body' }],
    },
    field: '/custom_id',
  },
};

function testRejected(name: string): void {
  test(`a refund that ${name} rejects because of our field is a case, and succeeds after the fix`, async () => {
    const connected = connectionTo(name);
    const { rig } = connected;
    const { link, code } = await createLinkAs(paylink, owner);
    await payAt(link, connected);
    const rejection = rejections[name];
    assert.ok(rejection);
    const fault = {
      kind: 'status',
      isPerformed: false,
      status: rejection.status,
      body: rejection.body,
    } as const;
    await rig.control({ outage: { fault, route: rig.routes?.refund ?? '' } });
    const asked = await ask('POST', `/v1/payments/${code}/refunds`, { amount: 7 });
    assert.deepEqual([asked.status, asked.body.status], [200, 'unknown']);
    const [waiting, ...others] = await casesOf(code);
    assert.deepEqual(
      [waiting?.refundId, waiting?.status, others.length],
      [asked.body.refundId, 'unknown', 0],
    );
    // The amount is still reserved.
    const more = await ask('POST', `/v1/payments/${code}/refunds`, { amount: 13 });
    assert.equal(more.body.code, 'refund_too_large');
    // The job has retried: the refund has neither failed nor become a second case.
    const before = Number((await rig.control({})).hits);
    await until(async () => Number((await rig.control({})).hits) > before);
    const [event, ...repeats] = await eventsOf(code, 'refund.escalated');
    assert.equal(repeats.length, 0);
    assert.equal((event?.data as Json).rejectedField, rejection.field);
    assert.equal((await listOf(`/v1/payments/${code}/refunds`))[0]?.status, 'unknown');

    await rig.control({ outage: null });
    await until(async () => {
      await rig.settle();
      return (await listOf(`/v1/payments/${code}/refunds`))[0]?.status === 'succeeded';
    });
    assert.deepEqual(await casesOf(code), []);
    const back = (await rig.money()).filter(({ key }) => key === asked.body.refundId);
    assert.deepEqual(
      back.map(({ amountMinor }) => amountMinor),
      [700],
    );
  });
}

function testPart(name: string): void {
  test(`a partial capture by ${name} is a case: nothing is refunded, and the link cannot be paid again`, async () => {
    const connected = connectionTo(name);
    const { rig } = connected;
    const { link, code } = await createLinkAs(paylink, owner);
    await rig.setCaptureResult({ partMinor: 1200 });
    await payAt(link, connected);
    await until(async () => (await casesOf(code)).length > 0);
    await rig.setCaptureResult('whole');
    const [waiting, ...others] = await casesOf(code);
    const [attempt, ...attempts] = await listAttempts(paylink, code);
    assert.deepEqual([waiting?.attemptId, waiting?.refundId, others.length], [attempt?.id, null, 0]);
    assert.deepEqual([attempt?.state, attempts.length], ['processing', 0]);
    assert.equal(await statusOf(paylink, owner, code), 'processing');
    // Reported repeatedly by the job and by the waiting page, it is recorded once.
    const { companyId } = owner;
    const about = { companyId, mode: 'test' as const, attemptId: attempt?.id ?? '', actor: 'test' };
    for (let times = 0; times < 2; times++) await refreshAttempt(paylink.app.deps, about);
    const [reported, ...repeats] = await eventsOf(code, 'attempt.contradicted');
    assert.deepEqual([(reported?.data as Json).amount, repeats.length], [12, 0]);
    assert.equal((await eventsOf(code, 'attempt.escalated')).length, 1);
    assert.deepEqual(await listOf(`/v1/payments/${code}/refunds`), []);
    const moved = (await rig.money()).filter(({ key }) => key === attempt?.id);
    assert.deepEqual(
      moved.map(({ type, amountMinor }) => [type, amountMinor]),
      [['charge', 1200]],
    );
  });
}

for (const { name } of liveMakers)
  describe(name, () => {
    beforeEach(async () => {
      const { rig } = connectionTo(name);
      await rig.control({ reset: true });
      await rig.setCaptureResult('whole');
    });
    testRejected(name);
    testPart(name);
  });

// Refunds with each live processor, and the nightly comparison. With the service and the fakes as processes.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareAllProcessors, verifyAllLedgers } from '../src/verify-companies.ts';
import { type Answer, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { listAttempts, statusOf } from './harness/payment-methods.ts';
import { visit } from './harness/visitor.ts';
import type { Fault } from './processors/kit/control.ts';
import {
  type Connected,
  goToProcessor,
  type Live,
  liveMakers,
  payAt,
  startLiveService,
} from './processors/live.ts';

const hangGuardMs = 60_000;
const hourMs = 60 * 60 * 1000;

let aheadMs = 0;
const service = await startLiveService({
  clock: { now: () => new Date(Date.now() + aheadMs) },
  processorTimeoutMs: 5_000,
  // Longer than the time of a processor: an unknown attempt would be cancelled while the customer pays.
  firstReconcileSeconds: 6,
  workTimings: { pollMs: 500, firstPauseMs: 1_000 },
});
const { lives, paylink, connectionTo } = service;
// Replaced when the clock moves.
let { owner } = service;
// The nightly job, if it is due during these tests, would find first what they look for.
await paylink.app.work.sweep('calendar');
await paylink.app.deps.db.asOwner.query(
  `update scheduled_jobs set due_at = due_at + interval '1 day' where name = 'compare-processors'`,
);

/** A link that was paid at a processor, and its attempt. */
async function payLink(connected: Connected): Promise<{ code: string; attemptId: string }> {
  const { link, code } = await createLinkAs(paylink, owner);
  assert.match((await payAt(link, connected)).url, /shop\.example\/thanks/);
  const [attempt] = await listAttempts(paylink, code);
  assert.equal(attempt?.state, 'succeeded');
  return { code, attemptId: attempt.id };
}

const sendRefund = async (code: string, amount?: number): Promise<Answer> =>
  await call(
    paylink,
    owner,
    ['POST', `/v1/payments/${code}/refunds`],
    amount === undefined ? {} : { amount },
  );

async function refundsOf(code: string): Promise<Json[]> {
  const { body } = await call(paylink, owner, ['GET', `/v1/payments/${code}/refunds`]);
  return body.data as Json[];
}

/** Waits until every refund of a link is final; the processor settles at once. */
async function awaitRefunds(code: string, { rig }: Live): Promise<Json[]> {
  const guard = AbortSignal.timeout(hangGuardMs);
  for (;;) {
    await rig.settle();
    const refunds = await refundsOf(code);
    if (refunds.every(({ status }) => status === 'succeeded' || status === 'failed')) return refunds;
    assert.ok(!guard.aborted, JSON.stringify(refunds));
    await sleep(100);
  }
}

/** The refunded amounts of a link, by the processor's journal. */
async function moneyBack(code: string, { rig }: Live): Promise<number[]> {
  const ids = (await refundsOf(code)).map(({ refundId }) => refundId);
  const lines = (await rig.money()).filter(({ type, key }) => type === 'refund' && ids.includes(key));
  return lines.map(({ amountMinor }) => amountMinor).sort((a, b) => a - b);
}

/** Faults without a usable response to a refund. */
const silences: readonly { what: string; fault: Fault; isDown?: boolean }[] = [
  { what: 'is down', fault: { kind: 'refuse' }, isDown: true },
  { what: 'acts and truncates the response', fault: { kind: 'half' } },
  { what: 'acts and returns 500', fault: { kind: 'status', status: 500, isPerformed: true } },
  { what: 'neither acts nor responds', fault: { kind: 'hang', isPerformed: false } },
];

/** The tests of one processor. They do not affect the other fakes, so they can run concurrently. */
function testRefunds(name: string): void {
  beforeEach(async () => {
    await connectionTo(name).rig.control({ reset: true });
  });

  test('a partial refund, then the rest, and never more than was paid', async () => {
    const connected = connectionTo(name);
    const { code } = await payLink(connected);
    assert.equal((await sendRefund(code, 5)).status, 200);
    const tooMuch = await sendRefund(code, 15);
    assert.deepEqual([tooMuch.status, tooMuch.body.code], [409, 'refund_too_large']);
    await awaitRefunds(code, connected);
    assert.equal((await sendRefund(code)).body.amount, 14.99);
    assert.equal((await sendRefund(code)).body.code, 'refund_too_large');
    const refunds = await awaitRefunds(code, connected);
    assert.deepEqual(
      refunds.map(({ status, amount }) => [status, amount]),
      [
        ['succeeded', 5],
        ['succeeded', 14.99],
      ],
    );
    assert.deepEqual(await moneyBack(code, connected), [500, 1499]);
  });

  for (const { what, fault, isDown = false } of silences)
    test(`a refund whose processor ${what} succeeds, once`, async () => {
      const connected = connectionTo(name);
      const { rig } = connected;
      const { code } = await payLink(connected);
      await rig.control({
        outage: isDown ? { fault } : { fault, route: rig.routes?.refund ?? '', times: 1 },
      });
      const asked = await sendRefund(code, 7);
      assert.equal(asked.status, 200);
      if (isDown) assert.equal(asked.body.status, 'unknown');
      else assert.equal((await rig.control({})).hits, 1, 'the fault struck');
      await rig.control({ outage: null });
      const refunds = await awaitRefunds(code, connected);
      assert.deepEqual(
        refunds.map(({ status }) => status),
        ['succeeded'],
      );
      assert.deepEqual(await moneyBack(code, connected), [700]);
    });
}

/** Waits until the refunded amount of a payment has a value, which a webhook reports. */
async function awaitRefunded(code: string, amount: number): Promise<void> {
  const guard = AbortSignal.timeout(hangGuardMs);
  for (;;) {
    const { refundedAmount } = (await call(paylink, owner, ['GET', `/v1/payments/${code}`])).body;
    if (refundedAmount === amount) return;
    assert.ok(!guard.aborted, `${refundedAmount} instead of ${amount}`);
    await sleep(100);
  }
}

for (const { name } of liveMakers)
  test(`a refund in the dashboard of ${name} is imported by a webhook, and reversed when it fails`, async () => {
    const { rig, ...connected } = connectionTo(name);
    const { code, attemptId } = await payLink({ ...connected, rig });
    await rig.createExternalRefund(attemptId, 500);
    await awaitRefunded(code, 5);
    assert.equal((await refundsOf(code)).length, 1);
    await rig.failExternalRefunds(attemptId);
    await awaitRefunded(code, 0);
    assert.deepEqual(
      (await refundsOf(code)).map(({ status }) => status),
      ['failed'],
    );
  });

describe('refunds', { concurrency: liveMakers.length }, () => {
  for (const { name } of liveMakers) describe(`by ${name}`, { concurrency: 1 }, () => testRefunds(name));
});

/** The findings of the nightly comparison, once the lists are complete. */
async function compareTonight() {
  aheadMs += 2 * hourMs;
  await Promise.all(lives.map(async ({ rig }) => await rig.advanceMs(2 * hourMs)));
  owner = await logIn(paylink);
  return (await compareAllProcessors(paylink.app.deps)).findings;
}

test('the nightly comparison then finds no differences, and the ledger is consistent', async () => {
  const lines = (await Promise.all(lives.map(async ({ rig }) => await rig.money()))).flat();
  assert.ok(lines.length > 20, 'much has moved');
  assert.deepEqual(await compareTonight(), []);
  assert.deepEqual((await verifyAllLedgers(paylink.app.deps.db)).findings, []);
});

/** Waits until no worker is checking an attempt: one that queries it now would find the money first. */
async function awaitChecks(): Promise<void> {
  const guard = AbortSignal.timeout(hangGuardMs);
  const isWaiting = async () =>
    (
      await paylink.app.deps.db.asOwner.query(
        'select from attempts where leased_until > clock_timestamp() limit 1',
      )
    ).length > 0;
  while (await isWaiting()) {
    assert.ok(!guard.aborted, 'the checks end');
    await sleep(100);
  }
}

test('money captured after a cancel is found by the nightly comparison and refunded', async () => {
  const lost: { connected: Connected; code: string; attemptId: string }[] = [];
  for (const connected of liveMakers.map(({ name }) => connectionTo(name))) {
    const { rig } = connected;
    await rig.control({ webhooks: { isOn: false } });
    const { link, code } = await createLinkAs(paylink, owner);
    await visit((await rig.customer.turnBack(await goToProcessor(link, connected))).url);
    const [attempt] = await listAttempts(paylink, code);
    assert.equal(attempt?.state, 'cancelled');
    lost.push({ connected, code, attemptId: attempt.id });
  }
  await awaitChecks();
  for (const { connected, attemptId } of lost) await connected.rig.forceCapture(attemptId);
  const found = await compareTonight();
  assert.deepEqual(
    new Set(found.map(({ fault }) => `${fault?.processor} ${fault?.key}: ${fault?.fault}`)),
    new Set(
      lost.map(
        ({ connected, attemptId }) =>
          `${connected.name} ${attemptId}: a charge for an attempt with status cancelled; recorded now`,
      ),
    ),
  );
  for (const { connected, code } of lost) {
    await awaitRefunds(code, connected);
    assert.deepEqual(await moneyBack(code, connected), [1999]);
    assert.equal(await statusOf(paylink, owner, code), 'open');
  }
  assert.deepEqual(await compareTonight(), []);
  assert.deepEqual((await verifyAllLedgers(paylink.app.deps.db)).findings, []);
});

// Money on its way back by each live processor, and the nightly look at their lists, on the real service with the
// fakes as processes of their own.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareAllProcessors, verifyAllLedgers } from '../src/verify-companies.ts';
import { type Answer, type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { listAttempts, statusOf } from './harness/payment-methods.ts';
import { visit } from './harness/visitor.ts';
import type { Fault } from './processors/kit/control.ts';
import {
  type Connected,
  connect,
  goToProcessor,
  type Live,
  liveMakers,
  payAt,
  settingsOf,
  startFakes,
  stopFakes,
} from './processors/live.ts';

const hangGuardMs = 60_000;
const hourMs = 60 * 60 * 1000;

let lives: Live[] = [];
let paylink: Paylink;
let owner: Credentials;
let aheadMs = 0;
const connections = new Map<string, Connected>();

before(async () => {
  lives = await startFakes();
  paylink = await startPaylink('server', {
    settings: settingsOf(lives),
    clock: { now: () => new Date(Date.now() + aheadMs) },
    processorTimeoutMs: 2_000,
    // No sooner: what is still being asked would be given up under the customer.
    firstReconcileSeconds: 3,
    jobPace: { pollSeconds: 0.5, retryDelaySeconds: 1 },
  });
  owner = await logIn(paylink);
  for (const live of lives) connections.set(live.name, await connect(paylink, owner, live));
});
after(async () => {
  await paylink?.stop();
  await stopFakes(lives);
});
function connectionTo(name: string): Connected {
  const connected = connections.get(name);
  assert.ok(connected, `${name} is connected`);
  return connected;
}

/** A link that was paid at a processor, and the attempt that it was paid by. */
async function payLink(connected: Connected): Promise<{ code: string; attemptId: string }> {
  const { link, code } = await createLinkAs(paylink, owner);
  assert.match((await payAt(link, connected)).url, /shop\.example\/thanks/);
  const [attempt] = await listAttempts(paylink, code);
  assert.equal(attempt?.state, 'succeeded');
  return { code, attemptId: attempt.id };
}

const giveBack = async (code: string, amount?: number): Promise<Answer> =>
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

/** Waits until every refund of a link has ended; what takes its processor days is done at once. */
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

/** The money that went back under the ids of a link's refunds, by the processor's journal. */
async function moneyBack(code: string, { rig }: Live): Promise<number[]> {
  const ids = (await refundsOf(code)).map(({ refundId }) => refundId);
  const lines = (await rig.money()).filter(({ type, key }) => type === 'refund' && ids.includes(key));
  return lines.map(({ amountMinor }) => amountMinor).sort((a, b) => a - b);
}

/** Ways in which a processor gives no answer to a refund; each ends, and by one refund. */
const silences: readonly { what: string; fault: Fault; isDown?: boolean }[] = [
  { what: 'is down', fault: { kind: 'refuse' }, isDown: true },
  { what: 'does it and breaks its answer off', fault: { kind: 'half' } },
  { what: 'does it and answers 500', fault: { kind: 'status', status: 500, does: true } },
  { what: 'does nothing and never answers', fault: { kind: 'hang', does: false } },
];

/** All that is asked of one processor; the others' fakes are left alone, so that they may be asked meanwhile. */
function testRefunds(name: string): void {
  beforeEach(async () => {
    await connectionTo(name).rig.control({ reset: true });
  });

  test('money goes back in part, then the rest, and never more than was paid', async () => {
    const connected = connectionTo(name);
    const { code } = await payLink(connected);
    assert.equal((await giveBack(code, 5)).status, 200);
    const tooMuch = await giveBack(code, 15);
    assert.deepEqual([tooMuch.status, tooMuch.body.code], [409, 'refund_too_large']);
    await awaitRefunds(code, connected);
    assert.equal((await giveBack(code)).body.amount, 14.99);
    assert.equal((await giveBack(code)).body.code, 'refund_too_large');
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
    test(`a refund whose processor ${what} ends, and money goes back once`, async () => {
      const connected = connectionTo(name);
      const { rig } = connected;
      const { code } = await payLink(connected);
      await rig.control({
        outage: isDown ? { fault } : { fault, route: rig.routes?.refund ?? '', times: 1 },
      });
      const asked = await giveBack(code, 7);
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

/** Waits until what a payment has given back is an amount; that of a webhook comes by itself. */
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
  test(`a refund made in the dashboard of ${name} is taken over as a webhook tells, and moved back when it fails`, async () => {
    const { rig, ...connected } = connectionTo(name);
    const { code, attemptId } = await payLink({ ...connected, rig });
    await rig.refundElsewhere(attemptId, 500);
    await awaitRefunded(code, 5);
    assert.equal((await refundsOf(code)).length, 1);
    await rig.failElsewhere(attemptId);
    await awaitRefunded(code, 0);
    assert.deepEqual(
      (await refundsOf(code)).map(({ status }) => status),
      ['failed'],
    );
  });

describe('refunds', { concurrency: liveMakers.length }, () => {
  for (const { name } of liveMakers) describe(`by ${name}`, { concurrency: 1 }, () => testRefunds(name));
});

/** What the nightly look finds, after so long that its lists must be whole. */
async function compareTonight() {
  aheadMs += 2 * hourMs;
  await Promise.all(lives.map(async ({ rig }) => await rig.advanceMs(2 * hourMs)));
  owner = await logIn(paylink);
  return (await compareAllProcessors(paylink.app.deps)).findings;
}

test('the nightly look at the processors’ lists finds nothing after all this, and the ledger agrees', async () => {
  const lines = (await Promise.all(lives.map(async ({ rig }) => await rig.money()))).flat();
  assert.ok(lines.length > 20, 'much has moved');
  assert.deepEqual(await compareTonight(), []);
  assert.deepEqual((await verifyAllLedgers(paylink.app.deps.db)).findings, []);
});

/** Waits until no job looks at an attempt any more: one that asks right now would learn of the money first. */
async function awaitJobs(): Promise<void> {
  const guard = AbortSignal.timeout(hangGuardMs);
  const isWaiting = async () =>
    (
      await paylink.app.deps.db.asOwner.query(
        "select from pgboss.job where name = 'reconcile-attempt' and state < 'completed' limit 1",
      )
    ).length > 0;
  while (await isWaiting()) {
    assert.ok(!guard.aborted, 'the jobs end');
    await sleep(100);
  }
}

test('money that a processor took after we had given up is found by the nightly look, and sent back', async () => {
  const lost: { connected: Connected; code: string; attemptId: string }[] = [];
  for (const connected of connections.values()) {
    const { rig } = connected;
    await rig.control({ webhooks: { isOn: false } });
    const { link, code } = await createLinkAs(paylink, owner);
    await visit((await rig.customer.turnBack(await goToProcessor(link, connected))).url);
    const [attempt] = await listAttempts(paylink, code);
    assert.equal(attempt?.state, 'cancelled');
    lost.push({ connected, code, attemptId: attempt.id });
  }
  await awaitJobs();
  for (const { connected, attemptId } of lost) await connected.rig.chargeAnyway(attemptId);
  const found = await compareTonight();
  assert.deepEqual(
    new Set(found.map(({ fault }) => `${fault?.processor} ${fault?.key}: ${fault?.fault}`)),
    new Set(
      lost.map(
        ({ connected, attemptId }) =>
          `${connected.name} ${attemptId}: a charge of an attempt that was cancelled; recorded now`,
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

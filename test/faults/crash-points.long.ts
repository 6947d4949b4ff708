// The service is killed at each crash point of a payment and of a refund, and restarted. It must settle the open
// attempts and refunds without a visitor; then the oracle checks the records.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Script } from '../acquirer/scripts.ts';
import { payCrashPoints, refundCrashPoints } from './crash-points.ts';
import { type FaultRig, type Link, openFaultRig, statusOf } from './fault-rig.ts';
import { awaitDeath } from './processes.ts';

let rig: FaultRig;
before(async () => {
  rig = await openFaultRig();
});
after(async () => await rig.close());

/**
 * Creates a link, runs `work` until the service dies at the crash point, and restarts it. It has time for every response,
 * because most points come after one.
 */
async function crash(crashAt: string, work: (link: Link) => Promise<unknown>): Promise<Link> {
  const service = await rig.start({ crashAt, processorTimeoutMs: 20_000 });
  assert.ok(service);
  const link = await rig.createLink(await rig.logIn());
  await work(link).catch(() => undefined);
  await awaitDeath(service);
  await rig.makeDue();
  assert.ok(await rig.start(), 'the service starts again');
  return link;
}

describe('a payment whose service is killed', () => {
  // If the acquirer has charged, the job finds the charge; otherwise the link is open again.
  const left: Record<(typeof payCrashPoints)[number], string> = {
    before_reserve: 'open',
    in_reserve_before_commit: 'open',
    after_reserve: 'open',
    before_ask: 'open',
    after_charge_before_answer: 'paid',
    after_answer_before_record: 'paid',
    in_record_before_commit: 'paid',
    after_record_commit: 'paid',
  };
  for (const point of payCrashPoints) {
    test(`${point}: the job completes it as ${left[point]}, and the order is captured once`, async () => {
      const script: Script = point === 'after_charge_before_answer' ? 'timeout_after' : 'approve';
      const link = await crash(point, async (made) => await rig.pay(made, script));
      await rig.settle();
      assert.equal((await rig.statesOf(link)).payment, left[point]);
      if (left[point] === 'open') assert.equal(await rig.payWell(link), 'paid');
      else assert.equal(statusOf(await rig.look(link)), 'paid');
      assert.deepEqual(await rig.findFaults(), []);
    });
  }
});

describe('a refund whose service is killed', () => {
  for (const point of refundCrashPoints) {
    test(`${point}: the money is refunded once, as in the ledger`, async () => {
      const link = await crash(point, async (made) => {
        assert.equal(await rig.payWell(made), 'paid');
        await rig.refund(made, 5);
      });
      await rig.settle();
      const [row] = await rig.db.asOwner.query<{ refunded: number; refunding: number }>(
        'select refunded_minor as refunded, refunding_minor as refunding from payments where code = $1',
        [link.code],
      );
      assert.deepEqual(row, { refunded: 500, refunding: 0 });
      assert.deepEqual(await rig.findFaults(), []);
    });
  }
});

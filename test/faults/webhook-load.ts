// Webhooks under kills and load. The campaign and its short form share this file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendEvent } from '../../src/events/append-event.ts';
import { createLinkAs, logIn } from '../harness/client.ts';
import { startPaylink } from '../harness/paylink.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { startReceiver } from '../receiver/receiver.ts';
import { webhookCrashPoints } from './crash-points.ts';
import { openFaultRig } from './fault-rig.ts';
import { awaitDeath } from './processes.ts';

const batch = 50;

/** Kills the service between the commit of an event and the record of its delivery. */
function testKills(kills: number): void {
  test(`${kills} kills between commit and send: each event arrives at least once, with one ID`, async (t) => {
    const rig = await openFaultRig();
    try {
      for (let kill = 0; kill < kills; kill++) {
        const crashAt = webhookCrashPoints[kill % webhookCrashPoints.length] ?? 'after_link_commit';
        const service = await rig.start({ crashAt });
        // It may die at any time after its start, even before it is ready: it claims at once what the last one left.
        const play = async () => await rig.createLink(await rig.logIn());
        await play().catch(() => undefined);
        if (service) await awaitDeath(service);
      }
      assert.ok(await rig.start());
      assert.deepEqual(await rig.findFaults(), []);
      const ids = new Set(rig.received().map(({ headers }) => headers['webhook-id']));
      t.diagnostic(`${ids.size} events in ${rig.received().length} messages`);
    } finally {
      await rig.close();
    }
  });
}

function testEvents(events: number): void {
  test(`${events} events reach a healthy receiver, and the rate is reported`, async (t) => {
    const paylink = await startPaylink('server', { settings: loopbackSettings });
    const receiver = await startReceiver();
    try {
      const credentials = await logIn(paylink);
      await createTestEndpoint(paylink, credentials, { url: receiver.at('many') });
      await createLinkAs(paylink, credentials);
      await receiver.waitFor('many', 1);
      const { db } = paylink.app.deps;
      const beganMs = performance.now();
      for (let made = 0; made < events; made += batch)
        await db.inTenant({ companyId: credentials.companyId, mode: 'test' }, async (tx) => {
          const [payment] = await tx.query<{ paymentId: string }>(
            'select payment_id as "paymentId" from payments',
          );
          const about = {
            type: 'payment.processing',
            isPublic: true,
            actor: 'test',
            data: {},
            at: new Date(),
          };
          for (let event = 0; event < batch; event++)
            await appendEvent(tx, { ...about, ...(payment ? { paymentId: payment.paymentId } : {}) });
        });
      const writtenMs = performance.now() - beganMs;
      for (let arrived = 0; arrived <= events; arrived = receiver.messages('many').length)
        await receiver.waitFor('many', Math.min(events + 1, arrived + 100));
      const tookMs = performance.now() - beganMs;
      const rate = Math.round((events / tookMs) * 1000);
      t.diagnostic(
        `written in ${Math.round(writtenMs)} ms; all arrived in ${Math.round(tookMs)} ms: ${rate} a second`,
      );
      const ids = new Set(receiver.messages('many').map(({ headers }) => headers['webhook-id']));
      assert.equal(ids.size, events + 1);
    } finally {
      await receiver.close();
      await paylink.stop();
    }
  });
}

function testDelay(links: number): void {
  test('the delay of single events from the commit to the receiver is reported', async (t) => {
    const paylink = await startPaylink('server', { settings: loopbackSettings });
    const receiver = await startReceiver();
    try {
      const credentials = await logIn(paylink);
      await createTestEndpoint(paylink, credentials, { url: receiver.at('paced') });
      const delaysMs: number[] = [];
      for (let made = 1; made <= links; made++) {
        await createLinkAs(paylink, credentials);
        const committedMs = performance.now();
        const last = (await receiver.waitFor('paced', made)).at(-1);
        delaysMs.push((last?.atMs ?? 0) - committedMs);
      }
      delaysMs.sort((a, b) => a - b);
      const at = (share: number) => (delaysMs[Math.floor(delaysMs.length * share)] ?? 0).toFixed(1);
      t.diagnostic(
        `from the answer of process to the receiver: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms`,
      );
    } finally {
      await receiver.close();
      await paylink.stop();
    }
  });
}

export function testWebhookLoad(plan: { kills: number; events: number; links: number }): void {
  testKills(plan.kills);
  testEvents(plan.events);
  testDelay(plan.links);
}

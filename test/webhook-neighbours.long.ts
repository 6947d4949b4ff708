// Endpoints that never respond do not delay deliveries to a healthy one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { LaneLimits } from '../src/work/work-kind.ts';
import { createLinkAs, type Json, logIn } from './harness/client.ts';
import { startPaylink } from './harness/paylink.ts';
import { createTestEndpoint, loopbackSettings, read } from './harness/webhook-endpoints.ts';
import { startReceiver } from './receiver/receiver.ts';

// A silent endpoint keeps its connections open until the receiver closes, so the test does not depend on time.
const silentNeighbours = 30;
const linksOfEach = 4;
const unbounded: LaneLimits = { perNew: 1_000, perLane: 1_000, total: 60, failingTotal: 60 };
const bounded: LaneLimits = { perNew: 2, perLane: 8, total: 80, failingTotal: 40 };

/** The delays of deliveries to a healthy receiver in ms. Missing deliveries have none. */
async function deliverBeside(
  neighbours: number,
  bounds: LaneLimits,
  wanted: { payments: number; patienceMs: number },
): Promise<number[]> {
  const own = await startPaylink('server', {
    settings: loopbackSettings,
    webhookTimings: { timeoutMs: 120_000 },
    webhookLimits: bounds,
  });
  const around = await startReceiver();
  try {
    const dead = await Promise.all(
      Array.from({ length: neighbours }, async () => await own.createMerchant()),
    );
    for (const [index, merchant] of dead.entries()) {
      const credentials = await logIn(own, merchant);
      await createTestEndpoint(own, credentials, { url: around.at(`dead-${index}`, 'silent') });
      for (let link = 0; link < linksOfEach; link++) await createLinkAs(own, credentials);
    }
    const held = Math.min(bounds.total, neighbours * Math.min(bounds.perNew, linksOfEach));
    await around.waitForAll(held);
    const credentials = await logIn(own);
    await createTestEndpoint(own, credentials, { url: around.at('alive'), events: ['payment.created'] });
    const sentAtMs = new Map<string, number>();
    for (let link = 0; link < wanted.payments; link++) {
      const { code } = await createLinkAs(own, credentials);
      sentAtMs.set(code, performance.now());
    }
    const deadline = performance.now() + wanted.patienceMs;
    while (around.messages('alive').length < wanted.payments && performance.now() < deadline) await pause(20);
    return around
      .messages('alive')
      .map(
        (message) =>
          message.atMs - (sentAtMs.get(String((read(message).data.payment as Json).PaymentLinkCode)) ?? 0),
      );
  } finally {
    await around.close();
    await own.stop();
  }
}

const percentile = (values: readonly number[], share: number) =>
  Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN);

test('silent neighbours do not delay messages to a healthy receiver', async (t) => {
  const wanted = { payments: 40, patienceMs: 30_000 };
  const alone = await deliverBeside(0, bounded, wanted);
  const beside = await deliverBeside(silentNeighbours, bounded, wanted);
  for (const [what, delays] of [
    ['alone', alone],
    [`beside ${silentNeighbours} silent ones`, beside],
  ] as const)
    t.diagnostic(
      `${what}: median ${percentile(delays, 0.5)} ms, 95th percentile ${percentile(delays, 0.95)} ms`,
    );
  assert.deepEqual([alone.length, beside.length], [40, 40]);
});

test('the neighbour test fails if one endpoint may use all capacity', async () => {
  const arrived = await deliverBeside(silentNeighbours, unbounded, { payments: 5, patienceMs: 2_000 });
  assert.ok(arrived.length < 5, 'the neighbours use all capacity');
});

// One payment from its creation to its webhook, many at once: each link is created, opened and paid, and its event
// goes to one endpoint. Must not: count a payment whose webhook did not arrive.

import { type BenchEnvironment, createTarget, measurePlan } from './measure.ts';
import { journeyOf } from './scenarios.ts';
import { waitForAll, withReceiver } from './webhooks.ts';

export type JourneyThroughput = {
  /** Payments whose webhook arrived, for each second from the first request to the last webhook. */
  perSecond: number;
  /** Write-ahead log of PostgreSQL in kilobytes, for each payment from its creation to the end of its emails. */
  walKbPerPayment: number;
  /** CPU of the service and of PostgreSQL in milliseconds, for each payment, emails included. */
  serviceCpuMs: number;
  postgresCpuMs: number;
};

const connections = 64;

export async function measureJourney(stand: BenchEnvironment, seconds: number): Promise<JourneyThroughput> {
  const target = await createTarget(stand);
  return await withReceiver(stand, target, { endpoints: 1, events: ['payment.paid'] }, async (receiver) => {
    const startedAtMs = Date.now();
    const plan = { cycle: [0, 1, 2], connections, seconds, isJourney: true };
    const { written, walBytes, serviceCpuSeconds, postgresCpuSeconds } = await measurePlan(
      stand,
      journeyOf(target),
      plan,
    );
    const { lastAtMs } = await waitForAll(receiver, written.paid);
    return {
      perSecond: (written.paid / (lastAtMs - startedAtMs)) * 1_000,
      walKbPerPayment: walBytes / written.paid / 1_000,
      serviceCpuMs: (serviceCpuSeconds / written.paid) * 1_000,
      postgresCpuMs: (postgresCpuSeconds / written.paid) * 1_000,
    };
  });
}

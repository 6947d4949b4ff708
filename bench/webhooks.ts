// Webhooks to a fast receiver: a burst of payments whose events go to several endpoints, and the rate of
// messages, from the first to the last. Must not: count a message twice.

import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../test/harness/client.ts';
import { createTestEndpoint, endpointsPath } from '../test/harness/webhook-endpoints.ts';
import { type BenchEnvironment, createTarget, measurePlan } from './measure.ts';
import type { Count } from './receiver-process.ts';
import { type LoadTarget, scenariosFor } from './scenarios.ts';
import { type HelperProcess, startHelper } from './spawn-child.ts';

export type WebhookThroughput = { perSecond: number; messages: number; endpoints: number };

const endpoints = 4;
const ordersPerSecond = 100;
const pollIntervalMs = 100;
const quietLimitMs = 15_000;

async function readCount(receiver: HelperProcess): Promise<Count> {
  return (await (await fetch(receiver.url)).json()) as Count;
}

/** Waits until all messages have arrived. Throws when none arrives for a while, or too many do. */
export async function waitForAll(receiver: HelperProcess, messages: number): Promise<Count> {
  let [count, changedAt] = [await readCount(receiver), performance.now()];
  while (count.distinct < messages) {
    if (performance.now() - changedAt > quietLimitMs)
      throw new Error(`of ${messages} webhooks ${count.distinct} came, and then no more`);
    await sleep(pollIntervalMs);
    const next = await readCount(receiver);
    if (next.messages !== count.messages) changedAt = performance.now();
    count = next;
  }
  if (count.messages !== messages)
    throw new Error(`a healthy receiver got ${count.messages} webhooks instead of ${messages}`);
  return count;
}

/** Runs work while `count` endpoints of a receiver get these events. Ends the receiver, and deletes the endpoints. */
export async function withReceiver<T>(
  { service }: BenchEnvironment,
  { credentials }: LoadTarget,
  wanted: { endpoints: number; events: readonly string[] },
  work: (receiver: HelperProcess) => Promise<T>,
): Promise<T> {
  const receiver = await startHelper('receiver-process.ts');
  const at = { baseUrl: service.url };
  const hooks = [];
  try {
    for (let index = 0; index < wanted.endpoints; index++) {
      const url = `${receiver.url}/${index}`;
      hooks.push(await createTestEndpoint(at, credentials, { url, events: [...wanted.events] }));
    }
    return await work(receiver);
  } finally {
    for (const { id } of hooks) await call(at, credentials, ['DELETE', `${endpointsPath}/${id}`]);
    await receiver.stop();
  }
}

/** Measures the deliveries of a burst of payments; more seconds give a larger burst. */
export async function measureWebhooks(stand: BenchEnvironment, seconds: number): Promise<WebhookThroughput> {
  const target = await createTarget(stand);
  const create = scenariosFor(target).find(({ name }) => name === 'create-64');
  if (!create) throw new Error('there is no scenario that creates');
  return await withReceiver(stand, target, { endpoints, events: ['payment.created'] }, async (receiver) => {
    const limit = ordersPerSecond * seconds;
    const { requests, cycle, connections } = create;
    const { answered } = await measurePlan(stand, requests, { cycle, connections, seconds: 60, limit });
    const { firstAtMs, lastAtMs, messages } = await waitForAll(receiver, answered * endpoints);
    return { perSecond: (messages / (lastAtMs - firstAtMs)) * 1_000, messages, endpoints };
  });
}

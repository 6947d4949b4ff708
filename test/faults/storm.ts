// Load with disruptions: customers pay, also in two tabs and with every card, merchants repeat calls and refund, and at
// random times the service, PostgreSQL or the network fails. The seed repeats the customers' choices, not the
// interleaving.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../scripts/cluster.mjs';
import { type Script, scripts } from '../acquirer/scripts.ts';
import type { Credentials } from '../harness/client.ts';
import { type FaultRig, hasCardForm, type Link, statusOf } from './fault-rig.ts';
import type { Running } from './processes.ts';
import { pick, type Random, seeded } from './seeded.ts';
import type { NetworkFault, TcpProxy } from './tcp-proxy.ts';

type StormState = { isOver: boolean; credentials: Credentials };

/** Retries until `work` succeeds or the storm is over, because the service may be down. */
async function retryUntilOver<T>(storm: StormState, work: () => Promise<T>): Promise<T | null> {
  while (!storm.isOver) {
    try {
      return await work();
    } catch {
      await sleep(100);
    }
  }
  return null;
}

function chooseScript(random: Random): Script {
  if (random() < 0.4) return 'approve';
  return pick(random, scripts);
}

/** One customer pays one link. Returns its final status, or null without one after 40 rounds. */
async function payThrough(
  rig: FaultRig,
  storm: StormState,
  link: Link,
  random: Random,
): Promise<string | null> {
  for (let round = 0; round < 40 && !storm.isOver; round++) {
    const page = await retryUntilOver(storm, async () => await rig.look(link));
    if (!page) return null;
    const status = statusOf(page);
    if (status) return status;
    if (hasCardForm(page)) {
      const tabs = random() < 0.3 ? 2 : 1;
      const chosen = Array.from({ length: tabs }, () => chooseScript(random));
      // Ignore errors: the next round reads the status.
      await Promise.allSettled(chosen.map(async (script) => await rig.pay(link, script)));
    } else await sleep(200);
  }
  return null;
}

async function shopOnce(rig: FaultRig, storm: StormState, random: Random): Promise<void> {
  const orderId = randomUUID();
  for (let round = 0; round < 2; round++) {
    const copies = random() < 0.3 ? 2 : 1;
    const made = await Promise.all(
      Array.from(
        { length: copies },
        async () => await retryUntilOver(storm, async () => await rig.createLink(storm.credentials, orderId)),
      ),
    );
    const link = made[0];
    if (!link) return;
    const status = await payThrough(rig, storm, link, random);
    if (status === 'paid' && random() < 0.4) {
      const parts = random() < 0.5 ? [undefined] : [5, 8, 12];
      await Promise.allSettled(parts.map(async (part) => await rig.refund(link, part)));
    }
    // After a failure the merchant creates a second link for the same order.
    if (status !== 'failed') return;
  }
}

/** Waits until a customer starts to pay: killing an idle service proves nothing. */
async function awaitLoad(rig: FaultRig): Promise<void> {
  const before = await rig.countAttempts();
  for (let round = 0; round < 100 && (await rig.countAttempts()) === before; round++) await sleep(50);
}

/** Causes one disruption and ends it. Returns how many attempts and refunds were in progress when it began. */
export type Disruption = (rig: FaultRig, random: Random, isLast: boolean) => Promise<number>;

/** Kills and restarts the service. */
export function killService(first: Running | null): Disruption {
  let service = first;
  return async (rig, random, isLast) => {
    let interrupted = 0;
    if (service) {
      await awaitLoad(rig);
      await sleep(random() * 900);
      await service.kill();
      interrupted = await rig.countInProgress();
    }
    // One in ten is killed again while it starts, except for the last.
    const diesStarting = !isLast && random() < 0.1;
    service = await rig.start(diesStarting ? { killAfterMs: 200 + random() * 800 } : {});
    return interrupted;
  };
}

/** Waits until the database responds. */
export async function waitForDatabase(rig: FaultRig): Promise<void> {
  for (const until = performance.now() + 30_000; ; await sleep(50)) {
    try {
      return await rig.db.ping();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

/** Settings that make acknowledged commits survive a kill. They are PostgreSQL's defaults. */
export const durableSettings = ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'];

/** Waits a random time, then for attempts or refunds in progress. Returns their number. */
export async function awaitWorkInFlight(rig: FaultRig, random: Random): Promise<number> {
  await awaitLoad(rig);
  await sleep(random() * 900);
  for (let round = 0; round < 200; round++) {
    const count = await rig.countInProgress();
    if (count > 0) return count;
    await sleep(25);
  }
  return 0;
}

/** Kills the rig's PostgreSQL, and restarts it on the same data. */
export function killPostgres(cluster: Cluster): Disruption {
  return async (rig, random) => {
    const interrupted = await awaitWorkInFlight(rig, random);
    await cluster.crash();
    await sleep(random() * 1_000);
    await cluster.restart();
    await waitForDatabase(rig);
    return interrupted;
  };
}

/** Causes a random one of the faults while `meanwhile` runs. */
export function breakNetwork(
  proxy: TcpProxy,
  faults: readonly NetworkFault[],
  meanwhile: () => Promise<unknown>,
): Disruption {
  return async (rig, random) => {
    const interrupted = await awaitWorkInFlight(rig, random);
    await proxy.breakDown(pick(random, faults));
    await meanwhile();
    await proxy.heal();
    return interrupted;
  };
}

/** How many charges the acquirer has made. */
export function countCharges(rig: FaultRig): number {
  return rig.acquirerJournal().filter((line) => line.type === 'charge' && line.state === 'charged').length;
}

export type StormReport = {
  seed: number;
  disruptions: number;
  /** Attempts and refunds in progress when a disruption began, summed. */
  interrupted: number;
  orders: number;
  charges: number;
  /** From the end of the last disruption until nothing was in progress. */
  settledMs: number;
};

const settleLimitMs = 60_000;

/** Logs in. The service may refuse it on a busy machine. */
async function logInAtLast(rig: FaultRig): Promise<Credentials> {
  for (let left = 10; left > 0; left--) {
    const found = await rig.logIn().catch(() => null);
    if (found) return found;
    await sleep(500);
  }
  return await rig.logIn();
}

/** Runs customers during `disruptions`, by default kills of the service, then waits until everything is settled. */
export async function runStorm(
  rig: FaultRig,
  options: { disruptions: number; customers: number; seed: number; disrupt?: Disruption },
): Promise<StormReport> {
  const { disruptions, customers, seed } = options;
  const random = seeded(seed);
  const disrupt = options.disrupt ?? killService(await rig.start());
  const storm: StormState = { isOver: false, credentials: await logInAtLast(rig) };
  let orders = 0;
  let interrupted = 0;
  const shopping = Array.from({ length: customers }, async (_, index) => {
    const own = seeded(seed + index + 1);
    while (!storm.isOver) {
      await shopOnce(rig, storm, own);
      orders += 1;
    }
  });
  for (let number = 1; number <= disruptions; number++)
    interrupted += await disrupt(rig, random, number === disruptions);
  const recoveredAt = performance.now();
  storm.isOver = true;
  await Promise.all(shopping);
  await rig.settle(settleLimitMs - (performance.now() - recoveredAt));
  const settledMs = Math.round(performance.now() - recoveredAt);
  return { seed, disruptions, interrupted, orders, charges: countCharges(rig), settledMs };
}

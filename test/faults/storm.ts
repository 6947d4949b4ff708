// Load with blows in it: customers pay, in two tabs and with every card, merchants repeat their calls
// and give money back, and all the while something is struck at random moments: the service, PostgreSQL,
// the network. It prints its seed; the customers' choices follow from it, the interleaving does not.

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

/** Tries until it works or the storm is over; the service may be dead at any moment. */
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

/** One customer with one link, until it is paid, has failed, or patience ends. */
async function payThrough(
  field: FaultRig,
  storm: StormState,
  link: Link,
  random: Random,
): Promise<string | null> {
  for (let look = 0; look < 40 && !storm.isOver; look++) {
    const page = await retryUntilOver(storm, async () => await field.look(link));
    if (!page) return null;
    const status = statusOf(page);
    if (status) return status;
    if (hasCardForm(page)) {
      const tabs = random() < 0.3 ? 2 : 1;
      const chosen = Array.from({ length: tabs }, () => chooseScript(random));
      // A lost answer is no reason to stop: the next look tells how the link stands.
      await Promise.allSettled(chosen.map(async (script) => await field.pay(link, script)));
    } else await sleep(200);
  }
  return null;
}

async function shopOnce(field: FaultRig, storm: StormState, random: Random): Promise<void> {
  const orderId = randomUUID();
  for (let round = 0; round < 2; round++) {
    const copies = random() < 0.3 ? 2 : 1;
    const made = await Promise.all(
      Array.from(
        { length: copies },
        async () =>
          await retryUntilOver(storm, async () => await field.createLink(storm.credentials, orderId)),
      ),
    );
    const link = made[0];
    if (!link) return;
    const status = await payThrough(field, storm, link, random);
    if (status === 'paid' && random() < 0.4) {
      const parts = random() < 0.5 ? [undefined] : [5, 8, 12];
      await Promise.allSettled(parts.map(async (part) => await field.refund(link, part)));
    }
    // After a failure the merchant makes a second link for the same order.
    if (status !== 'failed') return;
  }
}

/** Waits until a customer has begun to pay at this service: to kill one that is idle proves nothing. */
async function awaitLoad(field: FaultRig): Promise<void> {
  const before = await field.countAttempts();
  for (let look = 0; look < 100 && (await field.countAttempts()) === before; look++) await sleep(50);
}

/**
 * Strikes once and leaves everything running. Gives how many attempts and refunds were under way when the
 * blow fell; one that outlives several counts each time.
 */
export type Disruption = (field: FaultRig, random: Random, isLast: boolean) => Promise<number>;

/** Kills the service, and starts it again. */
export function killService(first: Running | null): Disruption {
  let service = first;
  return async (field, random, isLast) => {
    let struck = 0;
    if (service) {
      await awaitLoad(field);
      await sleep(random() * 900);
      await service.kill();
      struck = await field.countUnderWay();
    }
    // Now and then the next one is killed while it starts; the last one lives.
    const isStillborn = !isLast && random() < 0.1;
    service = await field.start(isStillborn ? { killAfterMs: 200 + random() * 800 } : {});
    return struck;
  };
}

/** Waits until the database answers again. */
export async function waitForDatabase(field: FaultRig): Promise<void> {
  for (const until = performance.now() + 30_000; ; await sleep(50)) {
    try {
      return await field.db.ping();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

/** Settings of a server whose word holds when it is killed; PostgreSQL's own defaults, said aloud. */
export const durableSettings = ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'];

/** Waits a while at random, and then for something to be under way; gives how much of it there is. */
async function awaitWorkInFlight(field: FaultRig, random: Random): Promise<number> {
  await awaitLoad(field);
  await sleep(random() * 900);
  for (let look = 0; look < 200; look++) {
    const count = await field.countUnderWay();
    if (count > 0) return count;
    await sleep(25);
  }
  return 0;
}

/** Kills the server that the field is on, and starts it again on what is on its disk. */
export function killPostgres(cluster: Cluster): Disruption {
  return async (field, random) => {
    const struck = await awaitWorkInFlight(field, random);
    await cluster.crash();
    await sleep(random() * 1_000);
    await cluster.restart();
    await waitForDatabase(field);
    return struck;
  };
}

/** Breaks the network down, in a way drawn by lot, for as long as `meanwhile` takes. */
export function breakNetwork(
  proxy: TcpProxy,
  faults: readonly NetworkFault[],
  meanwhile: () => Promise<unknown>,
): Disruption {
  return async (field, random) => {
    const struck = await awaitWorkInFlight(field, random);
    await proxy.breakDown(pick(random, faults));
    await meanwhile();
    await proxy.heal();
    return struck;
  };
}

export type StormReport = {
  seed: number;
  strikes: number;
  /** Attempts and refunds that were under way when a blow fell, added up. */
  struck: number;
  orders: number;
  charges: number;
  /** From the end of the last blow until nothing was under way any more. */
  settledMs: number;
};

const settleLimitMs = 60_000;

/**
 * Runs customers against the service while `strike` falls `strikes` times, by default on the service
 * itself, then lets everything settle. What the field tells afterwards is for the oracle.
 */
export async function runStorm(
  field: FaultRig,
  options: { strikes: number; customers: number; seed: number; strike?: Disruption },
): Promise<StormReport> {
  const { strikes, customers, seed } = options;
  const random = seeded(seed);
  const strike = options.strike ?? killService(await field.start());
  const storm: StormState = { isOver: false, credentials: await field.logIn() };
  let orders = 0;
  let struck = 0;
  const shopping = Array.from({ length: customers }, async (_, index) => {
    const own = seeded(seed + index + 1);
    while (!storm.isOver) {
      await shopOnce(field, storm, own);
      orders += 1;
    }
  });
  for (let blow = 1; blow <= strikes; blow++) struck += await strike(field, random, blow === strikes);
  const recoveredAt = performance.now();
  storm.isOver = true;
  await Promise.all(shopping);
  await field.settle(settleLimitMs - (performance.now() - recoveredAt));
  const settledMs = Math.round(performance.now() - recoveredAt);
  const charges = field
    .acquirerJournal()
    .filter((line) => line.type === 'charge' && line.state === 'charged').length;
  return { seed, strikes, struck, orders, charges, settledMs };
}

// Two processes of the service behind HAProxy, on a primary and its standby, which are behind HAProxy too. Under load the
// primary is lost, and the standby is promoted. failover.campaign.ts and its short form share this file.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { type FaultRig, openFaultRig } from './fault-rig.ts';
import type { Running } from './processes.ts';
import { type DatabaseMember, leadsToPrimary, startDatabaseProxy, startProxy } from './proxies.ts';
import { awaitWorkInFlight, type Disruption, runStorm, waitForDatabase } from './storm.ts';
import { startTraffic, type Traffic } from './traffic.ts';

export type Fleet = {
  rig: FaultRig;
  services: readonly [Running, Running];
  /** A superuser's address of the primary, through HAProxy. */
  databaseUrl: string;
  close(): Promise<void>;
};

/** Opens the fleet on a primary and its standby. The rig reaches the database through HAProxy, too. */
export async function openFleet(members: readonly [DatabaseMember, DatabaseMember]): Promise<Fleet> {
  const databases = await startDatabaseProxy(members);
  // Each of them is closed even if closing another one fails.
  const closing = new AsyncDisposableStack();
  const close = async () => await closing.disposeAsync();
  closing.defer(databases.stop);
  try {
    const databaseUrl = `postgres://postgres@127.0.0.1:${databases.port}/postgres`;
    const rig = await openFaultRig({ clusterUrl: databaseUrl, settings: { TRUSTED_PROXIES: 'loopback' } });
    closing.defer(rig.close);
    const ports = [await freePort(), await freePort()] as const;
    const first = await rig.start({ settings: { PORT: String(ports[0]) } });
    const second = await rig.startBeside({ PORT: String(ports[1]) });
    assert.ok(first && second, 'both processes started');
    const front = await startProxy('haproxy', ports, { port: Number(new URL(rig.baseUrl).port) });
    closing.defer(front.stop);
    return { rig, services: [first, second], databaseUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loses the primary and has the standby promoted. Returns when both began, as `performance.now()`. */
export type LosePrimary = () => Promise<{ lostAt: number; promotedAt: number }>;

/** For each loss, in milliseconds: until the promotion, and from there to the first acknowledged order. */
type Times = { promotedMs: number[]; resumedMs: number[] };

function losePrimaryUnder(
  traffic: Traffic,
  { databaseUrl }: Fleet,
  lose: LosePrimary,
  times: Times,
): Disruption {
  return async (rig, random) => {
    await sleep(2_000);
    const interrupted = await awaitWorkInFlight(rig, random);
    const { lostAt, promotedAt } = await lose();
    const before = traffic.orders().length;
    await until(() => traffic.orders().length > before, 'an order after the promotion');
    times.promotedMs.push(Math.round(promotedAt - lostAt));
    times.resumedMs.push(Math.round(performance.now() - promotedAt));
    await until(() => leadsToPrimary(databaseUrl), 'HAProxy to lead to the new primary');
    await waitForDatabase(rig);
    return interrupted;
  };
}

/** How many payments there are for these orders. */
async function countPayments({ db }: FaultRig, orders: readonly string[]): Promise<number> {
  const text = 'select count(*)::int as count from payments where customer_order_id = any($1)';
  const [row] = await db.asOwner.query<{ count: number }>(text, [orders]);
  return row?.count ?? 0;
}

/**
 * Runs merchants and customers while the primary is lost, and asserts: callers get nothing worse than 503 with
 * Retry-After, writes resume in time, nothing acknowledged is lost, nothing is done twice, and no process has ended.
 */
export async function loseUnderLoad(
  t: TestContext,
  fleet: Fleet,
  plan: {
    lose: LosePrimary;
    losses: number;
    customers: number;
    /** How long after a promotion the first write may take. */
    resumeLimitMs: number;
  },
): Promise<void> {
  const { rig, services } = fleet;
  const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
  const options = { mayRefuse: true, thinkMs: { least: 200, most: 600 } };
  const traffic = await startTraffic(rig.baseUrl, await rig.logIn(), options);
  const times: Times = { promotedMs: [], resumedMs: [] };
  const disrupt = losePrimaryUnder(traffic, fleet, plan.lose, times);
  const storm = { disruptions: plan.losses, customers: plan.customers, seed, disrupt };
  const report = await runStorm(rig, storm).finally(traffic.stop);
  const found = [...traffic.failures(), ...rig.invalidResponses, ...(await rig.findFaults())];
  const counts = { sent: traffic.sent(), refused: traffic.refusals(), orders: traffic.orders().length };
  const messages = rig.received().length;
  t.diagnostic(JSON.stringify({ ...report, ...counts, messages, ...times, found }));
  assert.deepEqual(found, [], `seed ${seed}`);
  assert.equal(await countPayments(rig, traffic.orders()), counts.orders, 'each acknowledged order, once');
  assert.ok(report.charges > 0 && report.interrupted > 0, 'payments were in progress');
  assert.ok(counts.refused > 0, 'callers noticed the loss of the primary');
  assert.ok(messages > 0, 'webhooks were delivered');
  for (const took of times.resumedMs)
    assert.ok(took < plan.resumeLimitMs, `an order was accepted ${took} ms after the promotion`);
  assert.deepEqual(
    services.map((service) => service.hasEnded()),
    [false, false],
    'both processes still run',
  );
  const link = await rig.createLink(await rig.logIn());
  assert.equal(await rig.payWell(link), 'paid');
}

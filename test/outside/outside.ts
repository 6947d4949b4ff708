// The installation from outside: an upgrade of the last release, restarts in turn, then a third of the load that it can
// bear, for long. Nothing may fail, be lost or be doubled, and memory and disk must not grow. outside.campaign.ts and its
// short form share this file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../harness/services.ts';
import { awaitRest, findContradictions } from './oracle.ts';
import { findMissedPlants } from './planted.ts';
import { bytesPerPurchase, findGrowth, memoryGains, readMemory, readUsage, type Usage } from './resources.ts';
import { enterShop, type Hooks, openShop, receiveHooks, type Shop, trade } from './shop.ts';
import { openSite, type Site } from './site.ts';

export type OutsidePlan = {
  soakMinutes: number;
  /** How often both processes are restarted. */
  restarts: number;
  /** How long the capacity is measured, of which the load is a third; null: the load is one order a second. */
  capacitySeconds: number | null;
  /** Whether faults are planted into copies of the tables at the end. */
  plantsFaults: boolean;
};

/** Orders a second during the upgrade, which the last release bears on any machine. */
const upgradeRate = 3;
const capacityBuyers = 12;
const sampleEveryMs = 5_000;
/** A shorter soak is one of warming up: its memory is reported, not judged. */
const judgedMinutes = 10;

/** Trades while `work` runs. Returns the completed orders a second. */
async function tradeWhile(
  shop: Shop,
  pace: Parameters<typeof trade>[1],
  work: () => Promise<unknown>,
): Promise<number> {
  const [before, startedAt] = [shop.journal.purchases, performance.now()];
  const trading = trade(shop, pace);
  await work().finally(trading.stop);
  return ((shop.journal.purchases - before) * 1_000) / (performance.now() - startedAt);
}

const round = (value: number) => Math.round(value * 10) / 10;

function percentiles(tookMs: readonly number[]): Record<string, number> {
  const sorted = [...tookMs].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1 - Number.EPSILON) };
}

type Soak = { before: Usage; after: Usage; samples: Usage['processes'][]; purchases: number };

/** The soak: samples of memory during it, and the usage before and after it, without open requests. */
async function soak(site: Site, shop: Shop, perSecond: number, minutes: number): Promise<Soak> {
  await awaitRest(site.databaseUrl);
  const before = await readUsage(site.databaseUrl, site.pids());
  const [started, samples]: [number, Usage['processes'][]] = [shop.journal.purchases, []];
  await tradeWhile(shop, { perSecond }, async () => {
    for (const end = performance.now() + minutes * 60_000; performance.now() < end; ) {
      await sleep(sampleEveryMs);
      samples.push(readMemory(site.pids()));
    }
  });
  await awaitRest(site.databaseUrl);
  const after = await readUsage(site.databaseUrl, site.pids());
  return { before, after, samples, purchases: shop.journal.purchases - started };
}

/** Memory, open files, tables and log that grew during a soak. */
function judgeSoak({ before, after, samples }: Soak, minutes: number): string[] {
  const found = findGrowth(before, after);
  for (const [index, { openFiles }] of after.processes.entries()) {
    const was = before.processes[index]?.openFiles ?? 0;
    if (openFiles > was + 50) found.push(`a process had ${was} open files, and has ${openFiles}`);
  }
  // The server's own limit, and one checkpoint's writes.
  if (after.walBytes > 1.5 * 1024 ** 3) found.push(`the write-ahead log has ${after.walBytes} bytes`);
  if (minutes < judgedMinutes) return found;
  for (const { fromMb, toMb } of memoryGains(samples))
    if (toMb > fromMb * 1.15 + 10) found.push(`a process grew from ${fromMb} MB to ${toMb} MB`);
  return found;
}

/** `SOAK_RATE` is the number of orders a second instead of a third of the capacity; `SOAK_MINUTES` replaces the plan's. */
const optionOf = (name: string) => (process.env[name] ? Number(process.env[name]) : null);

async function runPhases(t: TestContext, site: Site, shop: Shop, plan: OutsidePlan): Promise<Soak> {
  const { journal } = shop;
  const report = (phase: string, figures: object) =>
    t.diagnostic(
      JSON.stringify({ phase, ...figures, requests: journal.requests, failures: journal.failures.length }),
    );
  const { capacitySeconds } = plan;
  const fixed = optionOf('SOAK_RATE') ?? (capacitySeconds === null ? 1 : null);
  const pace = { perSecond: Math.min(upgradeRate, fixed ?? upgradeRate) };
  report('upgrade', { ordersPerSecond: round(await tradeWhile(shop, pace, site.upgrade)) });
  const measure = async () => await sleep((capacitySeconds ?? 0) * 1_000);
  const capacity = fixed === null ? await tradeWhile(shop, { buyers: capacityBuyers }, measure) : null;
  if (capacity !== null)
    report('capacity', { ordersPerSecond: round(capacity), tookMs: percentiles(journal.tookMs.splice(0)) });
  const perSecond = fixed ?? (capacity ?? 0) / 3;
  await tradeWhile(shop, { perSecond }, async () => {
    for (let count = 0; count < plan.restarts; count++) await site.restart();
  });
  report('restarts', { restarts: 2 * plan.restarts, tookMs: percentiles(journal.tookMs.splice(0)) });
  const soaked = await soak(site, shop, perSecond, plan.soakMinutes);
  report('soak', {
    ...{ minutes: plan.soakMinutes, ordersPerSecond: round(perSecond), orders: soaked.purchases },
    ...{ tookMs: percentiles(journal.tookMs), memory: memoryGains(soaked.samples) },
    bytesPerOrder: bytesPerPurchase(soaked.before, soaked.after, soaked.purchases),
    walMb: [soaked.before, soaked.after].map(({ walBytes }) => Math.round(walBytes / 1024 ** 2)),
  });
  return soaked;
}

async function checkPlants(site: Site, shop: Shop, hooks: Hooks): Promise<void> {
  const url = new URL(site.databaseUrl);
  const template = url.pathname.slice(1);
  url.pathname = '/postgres';
  const copy = async () => await createDatabase({ clusterUrl: url.href, template });
  assert.deepEqual(await findMissedPlants(copy, shop.journal, hooks), [], 'each planted fault was found');
}

/** Declares the tests. */
export function testFromOutside(asked: OutsidePlan): void {
  const plan = { ...asked, soakMinutes: optionOf('SOAK_MINUTES') ?? asked.soakMinutes };

  test('the oracle and its shop share no code with the service', () => {
    for (const file of ['oracle.ts', 'shop.ts', 'resources.ts']) {
      const source = readFileSync(new URL(file, import.meta.url), 'utf8');
      const imported = [...source.matchAll(/^(?:import .*|\}) from '([^']+)';$/gm)].map(
        ([, from = '']) => from,
      );
      assert.ok(imported.length > 0);
      assert.deepEqual(
        imported.filter((from) => !/^(node:[\w/]+|pg|\.\/shop\.ts)$/.test(from)),
        [],
        file,
      );
    }
  });

  test('HAProxy, two processes, PgBouncer: an upgrade, restarts and a long load lose nothing, double nothing, fail no request and do not grow', async (t) => {
    const site = await openSite();
    const hooks = await receiveHooks();
    try {
      const shop = openShop(site);
      await enterShop(shop, hooks);
      const soaked = await runPhases(t, site, shop, plan);
      const { journal } = shop;
      await awaitRest(site.databaseUrl);
      const repeated = [...hooks.arrivals.values()].filter((times) => times > 1).length;
      const { size: messages } = hooks.arrivals;
      const found = await findContradictions(site.databaseUrl, journal, hooks);
      const grown = judgeSoak(soaked, plan.soakMinutes);
      const { links, ends, refunds } = journal;
      t.diagnostic(
        JSON.stringify({ links: links.length, ends: ends.size, refunds: refunds.length, messages, repeated }),
      );
      assert.deepEqual([...journal.failures.slice(0, 20), ...found, ...grown], [], site.log());
      assert.ok(refunds.length > 0 && messages > links.length, 'links were paid and refunded');
      await site.stopProcesses();
      if (plan.plantsFaults) await checkPlants(site, shop, hooks);
    } finally {
      hooks.close();
      await site.close();
    }
  });
}

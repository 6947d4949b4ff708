// Sets up what is measured: a PostgreSQL to throw away with a filled database, and the service on it. Whatever
// it starts it names in `ends`, so that nothing outlives the bench.

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startCluster } from '../scripts/cluster.mjs';
import type { findBenchTools } from '../scripts/machine.mjs';
import { say } from '../scripts/toolchain.mjs';
import { createBench } from './database.ts';
import { fillPayments, makeLinks } from './fill.ts';
import { openTarget, type Stand } from './measure.ts';
import { startService } from './run-paylink.ts';
import { createYardsticks } from './yardsticks.ts';

/** Links that are looked at again and again. */
const viewedLinks = 1_000;

/** Numbers of links begin above those of the payments that fill the table. */
const firstLink = 60_000_000;

/** What has to be ended when the bench ends, however it does; the last one first. */
export type Ends = (() => Promise<void>)[];

/** Ends all of it. */
export async function endAll(ends: Ends): Promise<void> {
  for (let end = ends.pop(); end; end = ends.pop()) await end();
}

/** Fills the tables up to a number of payments, with no service on them. */
export async function fillTo(stand: Stand, size: number): Promise<void> {
  const { bench, companyId, filled } = stand;
  if (size <= filled) return;
  say(`Filling the tables up to ${size.toLocaleString('en')} payments…`);
  await stand.restart(async () => await fillPayments(bench, companyId, { from: filled, to: size }));
  stand.filled = size;
}

/** A database that a service has made its tables and its company in, filled to a size; of 0, it has no payment at all. */
export async function openStand(
  size: number,
  { postgresBin, wrk, pgbench }: ReturnType<typeof findBenchTools>,
  ends: Ends,
): Promise<Stand> {
  // As PostgreSQL comes: a commit is on disk before it is acknowledged.
  const cluster = await startCluster(postgresBin, ['synchronous_commit=on']);
  ends.push(cluster.stop);
  const folder = path.join(cluster.folder, 'bench');
  await mkdir(folder, { mode: 0o700 });
  const bench = await createBench(cluster.url);
  ends.push(async () => await bench.admin.end());
  const masterKey = randomBytes(32);
  const settings = {
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: bench.url,
    PAYLINK_MASTER_KEY: masterKey.toString('base64'),
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    // What floods the service does so from many addresses.
    TRUSTED_PROXIES: 'loopback',
  };
  const start = async () => await startService(folder, settings);
  const service = await start();
  ends.push(async () => await service.stop());
  const { companyId } = (await openTarget({ service })).credentials;
  await createYardsticks(bench);
  const viewed = { first: firstLink, count: viewedLinks };
  const views = size === 0 ? [] : await makeLinks(bench, companyId, viewed);
  const stand: Stand = {
    tools: { wrk, pgbench, folder },
    bench,
    service,
    companyId,
    masterKey,
    views,
    nextLink: firstLink + viewedLinks,
    filled: 0,
    restart: async (meanwhile) => {
      await stand.service.stop();
      await meanwhile?.();
      stand.service = await start();
    },
  };
  ends.push(async () => await stand.service.stop());
  await fillTo(stand, size);
  return stand;
}

// Sets up the measured system: a temporary PostgreSQL with a filled database, and the service on it. Must
// not: start anything without an entry in `ends`, so that nothing outlives the bench.

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startCluster } from '../scripts/cluster.mjs';
import type { findBenchTools } from '../scripts/system-packages.mjs';
import { say } from '../scripts/toolchain.mjs';
import { createBaselineTables } from './baselines.ts';
import { createBenchDatabase } from './database.ts';
import { fillPayments, makeLinks } from './fill.ts';
import { type BenchEnvironment, createTarget } from './measure.ts';
import { startService } from './run-paylink.ts';

const viewedLinks = 1_000;

/** Numbers of links begin above those of the filled payments. */
const firstLink = 60_000_000;

/** What to end after the bench, however it ends, last first. */
export type Cleanups = (() => Promise<void>)[];

export async function runCleanups(cleanups: Cleanups): Promise<void> {
  for (let end = cleanups.pop(); end; end = cleanups.pop()) await end();
}

/** Fills the tables up to a number of payments while no service runs. */
export async function fillToSize(environment: BenchEnvironment, size: number): Promise<void> {
  const { bench, companyId, filled } = environment;
  if (size <= filled) return;
  say(`Filling the tables up to ${size.toLocaleString('en')} payments…`);
  await environment.restart(async () => await fillPayments(bench, companyId, { from: filled, to: size }));
  environment.filled = size;
}

/** A database with the tables and company of a service, filled to a size; with size 0 it has no payment. */
export async function openEnvironment(
  size: number,
  { postgresBin, wrk, pgbench }: ReturnType<typeof findBenchTools>,
  cleanups: Cleanups,
): Promise<BenchEnvironment> {
  // The default of PostgreSQL: a commit is on disk before it is acknowledged.
  const cluster = await startCluster(postgresBin, ['synchronous_commit=on']);
  cleanups.push(cluster.stop);
  const folder = path.join(cluster.folder, 'bench');
  await mkdir(folder, { mode: 0o700 });
  const bench = await createBenchDatabase(cluster.url);
  cleanups.push(async () => await bench.admin.end());
  const masterKey = randomBytes(32);
  const settings = {
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: bench.url,
    PAYLINK_MASTER_KEY: masterKey.toString('base64'),
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    // The flood comes from many client addresses.
    TRUSTED_PROXIES: 'loopback',
  };
  const start = async () => await startService(folder, settings);
  const service = await start();
  cleanups.push(async () => await service.stop());
  const { companyId } = (await createTarget({ service })).credentials;
  await createBaselineTables(bench);
  const viewed = { first: firstLink, count: viewedLinks };
  const views = size === 0 ? [] : await makeLinks(bench, companyId, viewed);
  const environment: BenchEnvironment = {
    tools: { wrk, pgbench, folder },
    bench,
    service,
    companyId,
    masterKey,
    views,
    nextLink: firstLink + viewedLinks,
    filled: 0,
    restart: async (whileStopped) => {
      await environment.service.stop();
      await whileStopped?.();
      environment.service = await start();
    },
  };
  cleanups.push(async () => await environment.service.stop());
  await fillToSize(environment, size);
  return environment;
}

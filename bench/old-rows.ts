// What a payment costs the database as its tables grow over the years: pages, write-ahead log and rows, which do not depend
// on how busy the machine is. And what grows: the nightly check, vacuum, the size. Must not: count what a checkpoint or
// another process did.

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '../scripts/cluster.mjs';
import { PlainFault, say } from '../scripts/toolchain.mjs';
import { systemClock } from '../src/base/clock.ts';
import { createCompany } from '../src/create-company.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { sealEvents } from '../src/events/seal-events.ts';
import { openPasswordPool } from '../src/passwords/password-pool.ts';
import { verifyAllLedgers } from '../src/verify-companies.ts';
import { type Credentials, createLinkAs, logIn } from '../test/harness/client.ts';
import { cheapPasswordCost, type Merchant, password } from '../test/harness/paylink.ts';
import { payWith } from '../test/harness/visitor.ts';
import { type Cleanups, runCleanups } from './bench-environment.ts';
import { type BenchDatabase, createBenchDatabase, queryOne } from './database.ts';
import { withFastSettings } from './fill.ts';
import {
  addHistory,
  fillHistory,
  growingTables,
  readTemplate,
  settleHistory,
  type Template,
  templateOrder,
} from './fill-history.ts';
import {
  countBuffers,
  countImages,
  type IndexDepth,
  type PageImages,
  readIndexes,
  readStatements,
  readTables,
  readWalPosition,
  type StatementCost,
  type TableSize,
  walBytesBetween,
} from './old-rows-readings.ts';
import { cpuSeconds } from './process-usage.ts';
import { startService } from './run-paylink.ts';

/** All per payment, of the statements that write, its emails, words and seals included. */
export type WriteCost = StatementCost;

/** Rows of whole payments that are added between two checkpoints; figures are per payment. */
export type BurstCost = {
  payments: number;
  compression: string;
  walKb: number;
  /** Whole pages in the log, because it was their first change since the checkpoint. */
  images: number;
};

export type OldRows = {
  payments: number;
  fillSeconds: number;
  write: WriteCost;
  bursts: BurstCost[];
  /** In which tables and indexes the pages of the first burst are. */
  images: PageImages[];
  indexes: IndexDepth[];
  tables: TableSize[];
  /** The nightly check of all ledgers. */
  verifySeconds: number;
  verifyCpuSeconds: number;
  /** Pages that the two read after the payments through the service, which are few. */
  analyzeBuffers: number;
  vacuumBuffers: number;
};

const companies = 50;
const measuredPayments = 150;
const warmUpPayments = 30;
const bursts = [
  { payments: 20_000, compression: 'off' },
  { payments: 20_000, compression: 'lz4' },
  { payments: 100_000, compression: 'off' },
] as const;
const burstPayments = bursts.reduce((sum, { payments }) => sum + payments, 0);
/** Payments whose rows are written table by table: few, as when the service writes them. */
const burstRows = 200;
const card = { number: '4242 4242 4242 4242' };
const settleLimitMs = 60_000;

type Stand = {
  bench: BenchDatabase;
  db: Database;
  template: Template;
  merchants: Merchant[];
  companyIds: string[];
  start(): ReturnType<typeof startService>;
};

/** Waits until the service has filled the words of all payments, and seals their events. */
async function settle({ bench, db }: Pick<Stand, 'bench' | 'db'>): Promise<void> {
  const until = performance.now() + settleLimitMs;
  for (;;) {
    const { left } = await queryOne<{ left: number }>(
      bench,
      `select (select count(*)::integer from mails where state = 'pending')
            + (select count(*)::integer from events, payment_word_progress where xact >= filled_below) as left`,
    );
    if (left === 0) break;
    if (performance.now() > until) throw new PlainFault(`${left} events or emails were not worked on`);
    await sleep(200);
  }
  await sealEvents({ db, clock: systemClock });
}

async function createCompanies(db: Database): Promise<Merchant[]> {
  const passwords = openPasswordPool({}, cheapPasswordCost);
  try {
    const made = [];
    // The last one has only the payment that the others are copies of.
    for (let place = 0; place <= companies; place++) {
      const email = `owner-${place}@example.com`;
      const company = { name: `Company ${place}`, country: 'DE', email, password };
      const { companyId, accountId } = await createCompany({ db, clock: systemClock, passwords }, company);
      made.push({ companyId, accountId, email });
    }
    return made;
  } finally {
    await passwords.close();
  }
}

async function openStand(postgresBin: string, cleanups: Cleanups): Promise<Stand> {
  const cluster = await startCluster(postgresBin, [
    'synchronous_commit=on',
    'shared_preload_libraries=pg_stat_statements',
    // It would write at a time of its own.
    'autovacuum=off',
  ]);
  cleanups.push(cluster.stop);
  const folder = path.join(cluster.folder, 'bench');
  await mkdir(folder, { mode: 0o700 });
  const bench = await createBenchDatabase(cluster.url);
  cleanups.push(async () => await bench.admin.end());
  // safe: the names are literals.
  for (const name of ['pg_stat_statements', 'pageinspect', 'pg_walinspect'])
    await bench.admin.query(`create extension ${name}`);
  const settings = {
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URL: bench.url,
    PAYLINK_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const start = async () => await startService(folder, settings);
  const service = await start();
  cleanups.push(async () => await service.stop());
  const db = await openDatabase({
    databaseUrl: bench.url,
    dataDir: 'unused',
    poolSize: 2,
    log: () => undefined,
  });
  cleanups.push(async () => await db.close());
  const merchants = await createCompanies(db);
  const last = merchants.pop();
  if (!last) throw new Error('there is no company for the template');
  const at = { baseUrl: service.url, merchant: last };
  await payWith((await createLinkAs(at, await logIn(at), templateOrder)).link, card);
  await settle({ bench, db });
  const template = await readTemplate(bench, last.companyId);
  await service.stop();
  const companyIds = merchants.map(({ companyId }) => companyId);
  return { bench, db, template, merchants, companyIds, start };
}

/** Companies take turns, the first ones more often: like the filled payments. */
function companyOf(credentials: readonly Credentials[], turn: number): Credentials {
  const place = Math.floor(credentials.length ** ((turn * 0.618) % 1)) - 1;
  const found = credentials[place];
  if (!found) throw new Error(`there is no company ${place}`);
  return found;
}

type Shop = { baseUrl: string; credentials: readonly Credentials[] };

async function payMany({ baseUrl, credentials }: Shop, turns: readonly number[]): Promise<void> {
  for (const turn of turns) {
    const fields = { lastName: `Lovelace ${turn}`, email: `anna${turn}@example.com` };
    const { link } = await createLinkAs({ baseUrl }, companyOf(credentials, turn), fields);
    await payWith(link, card);
  }
}

const countUp = (from: number, count: number) => Array.from({ length: count }, (_, each) => from + each);

/** Payments one after the other, through the service. Without page images, which depend on the last checkpoint. */
async function measureWrites(stand: Stand): Promise<WriteCost> {
  const { bench, start } = stand;
  const { admin } = bench;
  await admin.query('alter system set full_page_writes = off');
  await admin.query('select pg_reload_conf()');
  const service = await start();
  try {
    // Tokens contain the address, which has another port after each start.
    const credentials = [];
    for (const merchant of stand.merchants) credentials.push(await logIn({ baseUrl: service.url, merchant }));
    const shop = { baseUrl: service.url, credentials };
    await payMany(shop, countUp(0, warmUpPayments));
    await settle(stand);
    await admin.query('select pg_stat_statements_reset()');
    await payMany(shop, countUp(warmUpPayments, measuredPayments));
    await settle(stand);
    const { buffers, walBytes, walRecords } = await readStatements(bench);
    return {
      buffers: buffers / measuredPayments,
      walBytes: walBytes / measuredPayments,
      walRecords: walRecords / measuredPayments,
    };
  } finally {
    await service.stop();
    await admin.query('alter system reset full_page_writes');
    await admin.query('select pg_reload_conf()');
  }
}

async function measureBurst(
  { bench, template, companyIds }: Stand,
  { from, payments, compression }: { from: number; payments: number; compression: string },
): Promise<{ cost: BurstCost; start: string; end: string }> {
  const { admin } = bench;
  // safe: the value is a literal of this file.
  await admin.query(`set wal_compression = '${compression}'`);
  const countAll = 'select wal_fpi::float8 as images from pg_stat_get_wal()';
  const readImages = async () => {
    await admin.query('select pg_stat_force_next_flush()');
    return (await queryOne<{ images: number }>(bench, countAll)).images;
  };
  await admin.query('checkpoint');
  const before = { at: await readWalPosition(bench), images: await readImages() };
  await addHistory(bench, template, { companyIds, from, to: from + payments, rows: burstRows });
  const after = { at: await readWalPosition(bench), images: await readImages() };
  await admin.query('reset wal_compression');
  const bytes = await walBytesBetween(bench, before.at, after.at);
  const images = (after.images - before.images) / payments;
  return {
    cost: { payments, compression, walKb: bytes / payments / 1_000, images },
    start: before.at,
    end: after.at,
  };
}

async function measureBursts(
  stand: Stand,
  from: number,
): Promise<{ costs: BurstCost[]; images: PageImages[] }> {
  const { bench } = stand;
  const costs: BurstCost[] = [];
  let images: PageImages[] | null = null;
  let done = from;
  await withFastSettings(bench.admin, async () => {
    // The log is read up to the last commit, so it must have been written.
    await bench.admin.query('set synchronous_commit = on');
    for (const burst of bursts) {
      const { cost, start, end } = await measureBurst(stand, { from: done, ...burst });
      images ??= await countImages(bench, { from: start, to: end });
      costs.push(cost);
      done += burst.payments;
    }
  });
  await settleHistory(bench);
  return { costs, images: images ?? [] };
}

/** The nightly check. Throws if it finds a fault: then the filled rows are unlike real ones. */
async function measureCheck({ bench, db }: Stand): Promise<{ seconds: number; cpu: number }> {
  const startedAt = performance.now();
  const cpuBefore = cpuSeconds(bench.postmasterPid);
  const { findings } = await verifyAllLedgers(db);
  if (findings[0]) throw new PlainFault(`the filled rows are not right: ${findings[0].sentence}`);
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    cpu: cpuSeconds(bench.postmasterPid) - cpuBefore,
  };
}

async function measureAt(stand: Stand, from: number, payments: number): Promise<OldRows> {
  const { bench, template, companyIds } = stand;
  say(`Filling the tables up to ${payments.toLocaleString('en')} payments…`);
  const startedAt = performance.now();
  await fillHistory(bench, template, { companyIds, from, to: payments });
  const fillSeconds = (performance.now() - startedAt) / 1_000;
  const tables = await readTables(bench);
  const indexes = await readIndexes(bench);
  say('Measuring payments through the service, then many at once, then the nightly work…');
  const write = await measureWrites(stand);
  const names = growingTables.join(', ');
  const vacuumBuffers = await countBuffers(bench, `vacuum ${names}`);
  const analyzeBuffers = await countBuffers(bench, `analyze ${names}`);
  const { seconds: verifySeconds, cpu: verifyCpuSeconds } = await measureCheck(stand);
  const { costs, images } = await measureBursts(stand, payments);
  return {
    payments,
    fillSeconds,
    write,
    bursts: costs,
    images,
    indexes,
    tables,
    verifySeconds,
    verifyCpuSeconds,
    analyzeBuffers,
    vacuumBuffers,
  };
}

/** Measures at each size, the smallest first. */
export async function measureOldRows(postgresBin: string, sizes: readonly number[]): Promise<OldRows[]> {
  const cleanups: Cleanups = [];
  try {
    const stand = await openStand(postgresBin, cleanups);
    const results: OldRows[] = [];
    let filled = 0;
    for (const size of sizes) {
      results.push(await measureAt(stand, filled, size));
      filled = size + burstPayments;
    }
    return results;
  } finally {
    await runCleanups(cleanups);
  }
}

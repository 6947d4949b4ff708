// Throughput with one, two and three cells, each a PostgreSQL server that gets the same small share of a core. One process of
// the service, without a limit, serves all. Must not: return a figure that differs from the rows in the cells.

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startCluster } from '../scripts/cluster.mjs';
import type { findBenchTools } from '../scripts/system-packages.mjs';
import { PlainFault, say } from '../scripts/toolchain.mjs';
import { systemClock } from '../src/base/clock.ts';
import { openKeyring } from '../src/base/keyring.ts';
import { addCell } from '../src/cell-admin/add-cell.ts';
import { updateWeight } from '../src/cells/directory-store.ts';
import { issueFormToken } from '../src/checkout/form-token.ts';
import { readConfig } from '../src/config.ts';
import { createCompany } from '../src/create-company.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate, migrationsDir } from '../src/db/migrate.ts';
import { openConfiguredDatabase, prepareForService } from '../src/open-database.ts';
import { openPasswordPool } from '../src/passwords/password-pool.ts';
import { type Credentials, logIn } from '../test/harness/client.ts';
import { cheapPasswordCost, type Merchant, password } from '../test/harness/paylink.ts';
import { type Cleanups, runCleanups } from './bench-environment.ts';
import { type CpuShare, limitCpu } from './cpu-share.ts';
import { analyzeTables, type BenchDatabase, createBenchDatabase, queryOne } from './database.ts';
import { makeLinks } from './fill.ts';
import { cpuSeconds, watchUntilIdle } from './process-usage.ts';
import { type PaylinkService, startService } from './run-paylink.ts';
import { scenariosFor } from './scenarios.ts';
import { type BenchTools, type PayLink, runWrk } from './wrk.ts';

/** One measurement: the load goes to the companies of the first `loaded` of `cells` cells. */
export type CellsReading = {
  cells: number;
  loaded: number;
  /** Links and payments acknowledged, for each second of the load, and until all work on them was finished. */
  perSecond: number;
  finishedPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  serviceCpuSeconds: number;
  /** Of each loaded cell. */
  postgresCpuSeconds: number[];
  /** The share of the kernel's periods in which the server of each loaded cell used up its share. */
  throttled: number[];
};

export type CellsThroughput = { shareOfCore: number; readings: CellsReading[] };

/** So small that the servers of three cells are full before the service and wrk use up two cores. */
const shareOfCore = 0.2;
const cellNames = ['a', 'b', 'c'] as const;
const companiesPerCell = 8;
/** For each loaded cell, so that each is as busy as one alone. */
const connectionsPerCell = 32;
const warmUp = { seconds: 5, connections: 8 } as const;
const linksPerSecond = 150;
const firstLink = 60_000_000;

type Cell = { name: string; bench: BenchDatabase; share: CpuShare; merchants: Merchant[] };

type Stand = {
  folder: string;
  tools: BenchTools;
  postgresBin: string;
  masterKey: Buffer;
  cleanups: Cleanups;
  cells: Cell[];
  nextLink: number;
};

const silent = () => undefined;

function settingsOf({ folder, masterKey, cells }: Stand): Record<string, string> {
  return {
    DATA_DIR: path.join(folder, 'data'),
    DATABASE_URLS: cells.map(({ name, bench }) => `${name}=${bench.url}`).join('\n'),
    PAYLINK_MASTER_KEY: masterKey.toString('base64'),
  };
}

const openRaw = async (url: string) =>
  await openDatabase({ databaseUrl: url, dataDir: 'unused', poolSize: 2, log: silent });

/** Companies of one cell: all others take no new ones meanwhile. */
async function createCompanies(stand: Stand, { name }: Cell): Promise<Merchant[]> {
  const options = { log: silent, prepare: async () => undefined };
  const db = await openConfiguredDatabase(readConfig(settingsOf(stand)), options);
  const passwords = openPasswordPool({}, cheapPasswordCost);
  try {
    for (const cell of stand.cells) await updateWeight(db.asOwner, cell.name, cell.name === name ? 100 : 0);
    const merchants = [];
    for (let place = 0; place < companiesPerCell; place++) {
      const email = `owner-${name}${place}@example.com`;
      const company = { name: `Company ${name}${place}`, country: 'DE', email, password };
      const { companyId, accountId } = await createCompany({ db, clock: systemClock, passwords }, company);
      merchants.push({ companyId, accountId, email });
    }
    return merchants;
  } finally {
    await passwords.close();
    await db.close();
  }
}

/** Makes the database a cell. */
async function register(stand: Stand, { name, bench }: Cell): Promise<void> {
  const first = stand.cells[0];
  if (!first) throw new Error('there is no first cell');
  const opened: Database[] = [await openRaw(bench.url)];
  try {
    const database = opened[0] as Database;
    await migrate(database, { dir: migrationsDir, log: silent });
    if (first.name !== name) opened.push(await openRaw(first.bench.url));
    const directory = opened.at(-1) as Database;
    const masterKeys = { current: stand.masterKey, old: null };
    const prepare = async (each: Database) => await prepareForService(each, { masterKeys, log: silent });
    const openCell = async (other: string) => {
      throw new Error(`${other} has no address of a new cell`);
    };
    const deps = { directory, directoryCell: first.name, prepare, openCell };
    await addCell(deps, { name, weight: 100, database });
  } finally {
    for (const database of opened) await database.close();
  }
}

/** Starts one more cell, with its companies. It is limited only afterwards. */
async function openCell(stand: Stand, name: string): Promise<void> {
  say(`Starting the cell ${name}…`);
  const { cleanups } = stand;
  const cluster = await startCluster(stand.postgresBin, ['synchronous_commit=on', 'wal_level=logical']);
  cleanups.push(cluster.stop);
  const bench = await createBenchDatabase(cluster.url);
  cleanups.push(async () => await bench.admin.end());
  const share = { readThrottledShare: () => 0, remove: silent };
  const cell: Cell = { name, bench, share, merchants: [] };
  stand.cells.push(cell);
  await register(stand, cell);
  cell.merchants = await createCompanies(stand, cell);
  await analyzeTables(bench);
  cell.share = limitCpu(bench.postmasterPid, shareOfCore, name);
  // Last of all, when the server has ended.
  cleanups.unshift(async () => cell.share.remove());
}

const countSql = `select (select count(*)::integer from payments where search_order >= $1 and search_order < $1 || '~')
                  as links, (select count(*)::integer from attempts where state = 'succeeded') as paid`;

async function countWritten(cells: readonly Cell[], run: string): Promise<{ links: number; paid: number }> {
  const counts = await Promise.all(
    cells.map(async ({ bench }) => await queryOne<{ links: number; paid: number }>(bench, countSql, [run])),
  );
  return {
    links: counts.reduce((sum, { links }) => sum + links, 0),
    paid: counts.reduce((sum, { paid }) => sum + paid, 0),
  };
}

/** Links to pay, of all companies in turn. */
async function makePayLinks(stand: Stand, loaded: readonly Cell[], seconds: number): Promise<PayLink[]> {
  const count = Math.ceil((linksPerSecond * (seconds + 1)) / companiesPerCell);
  const links = { first: stand.nextLink, count };
  stand.nextLink += count;
  const made: string[][] = [];
  for (const { bench, merchants } of loaded)
    for (const { companyId } of merchants) made.push(await makeLinks(bench, companyId, links));
  const keyring = await openKeyring(stand.masterKey);
  const codes = Array.from({ length: count }, (_, turn) => made.flatMap((each) => each[turn] ?? [])).flat();
  return codes.map((code) => ({ code, token: issueFormToken(keyring, code, new Date()) }));
}

/** One link and one payment in turn, for each company in turn. */
function requestsFor(service: PaylinkService, credentials: readonly Credentials[]) {
  const pick = (of: Credentials, name: string) => {
    const found = scenariosFor({ host: service.host, credentials: of }).find((each) => each.name === name);
    if (!found?.requests[0]) throw new Error(`there is no scenario ${name}`);
    return found.requests[0];
  };
  return credentials.flatMap((each) => [pick(each, 'create-64'), pick(each, 'pay')]);
}

async function logInAll(service: PaylinkService, cells: readonly Cell[]): Promise<Credentials[]> {
  const credentials = [];
  for (const place of Array.from({ length: companiesPerCell }).keys())
    for (const { merchants } of cells) {
      const merchant = merchants[place];
      if (merchant) credentials.push(await logIn({ baseUrl: service.url, merchant }));
    }
  return credentials;
}

async function measureLoad(
  stand: Stand,
  service: PaylinkService,
  { loaded: count, seconds, connections }: { loaded: number; seconds: number; connections: number },
): Promise<CellsReading> {
  const { cells, tools } = stand;
  const loaded = cells.slice(0, count);
  const templates = requestsFor(service, await logInAll(service, loaded));
  const pays = await makePayLinks(stand, loaded, seconds);
  const written = await countWritten(cells, '~');
  const readCpu = () => loaded.map(({ bench }) => cpuSeconds(bench.postmasterPid));
  const before = { postgres: readCpu(), service: cpuSeconds(service.pid) };
  for (const { share } of loaded) share.readThrottledShare();
  const cycle = [...templates.keys()];
  const driving = runWrk(tools, service.url, { templates, cycle, connections, seconds, pays }).then(
    (driven) => ({
      driven,
      // While the load ran: afterwards the servers rest.
      throttled: loaded.map(({ share }) => share.readThrottledShare()),
    }),
  );
  const { result, seconds: untilIdle } = await watchUntilIdle(service.pid, driving);
  const { driven, throttled } = result;
  const after = await countWritten(cells, driven.run);
  const sent = (isOf: (index: number) => boolean) =>
    driven.sent.reduce((sum, each, index) => sum + (isOf(index) ? each : 0), 0);
  const [links, paid] = [sent((index) => index % 2 === 0), sent((index) => index % 2 === 1)];
  if (links !== after.links || paid !== after.paid - written.paid)
    throw new PlainFault(
      `${links} links and ${paid} payments were acknowledged, and ${after.links} and ${after.paid - written.paid} are there`,
    );
  const cpu = readCpu();
  return {
    cells: cells.length,
    loaded: count,
    perSecond: driven.perSecond,
    finishedPerSecond: (links + paid) / untilIdle,
    p50Ms: driven.p50Ms,
    p99Ms: driven.p99Ms,
    serviceCpuSeconds: cpuSeconds(service.pid) - before.service,
    postgresCpuSeconds: cpu.map((each, index) => each - (before.postgres[index] ?? 0)),
    throttled,
  };
}

/** Measures with all cells so far, on a fresh service that was warmed up by the same load. */
async function measureWith(
  stand: Stand,
  { loaded, seconds, repeat }: { loaded: number; seconds: number; repeat: number },
): Promise<CellsReading[]> {
  const service = await startService(stand.folder, settingsOf(stand));
  stand.cleanups.push(service.stop);
  await measureLoad(stand, service, { loaded, ...warmUp });
  for (const { bench } of stand.cells) await analyzeTables(bench);
  const readings = [];
  for (let round = 1; round <= repeat; round++) {
    say(`  load on ${loaded} of ${stand.cells.length} cells, ${round} of ${repeat}`);
    const connections = loaded * connectionsPerCell;
    readings.push(await measureLoad(stand, service, { loaded, seconds, connections }));
  }
  await service.stop();
  return readings;
}

/**
 * Adds cells one by one and measures with each number. At the end only the first cell gets load again, which shows whether
 * the machine itself was steady.
 */
export async function measureCells(
  { postgresBin, wrk, pgbench }: ReturnType<typeof findBenchTools>,
  { seconds, repeat }: { seconds: number; repeat: number },
): Promise<CellsThroughput> {
  const cleanups: Cleanups = [];
  try {
    const keeper = await startCluster(postgresBin);
    cleanups.push(keeper.stop);
    const folder = path.join(keeper.folder, 'bench');
    await mkdir(folder, { mode: 0o700 });
    const tools = { wrk, pgbench, folder };
    const masterKey = randomBytes(32);
    const stand: Stand = { folder, tools, postgresBin, masterKey, cleanups, cells: [], nextLink: firstLink };
    const readings: CellsReading[] = [];
    for (const [place, name] of cellNames.entries()) {
      await openCell(stand, name);
      readings.push(...(await measureWith(stand, { loaded: place + 1, seconds, repeat })));
    }
    readings.push(...(await measureWith(stand, { loaded: 1, seconds, repeat })));
    return { shareOfCore, readings };
  } finally {
    await runCleanups(cleanups);
  }
}

// Runs the previous release and this code on one database under load, through an upgrade and its rollback as in
// docs/operations.md, and reports the faults.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createHome } from '../harness/cli.ts';
import { type Credentials, call, type Json, logIn } from '../harness/client.ts';
import { openLateChargeDeps, refundLateCharges } from '../harness/late-charges.ts';
import { type Backend, type LoadBalancer, startLoadBalancer } from '../harness/load-balancer.ts';
import { password } from '../harness/paylink.ts';
import {
  createProcessGroup,
  type ProcessGroup,
  root,
  type ServiceProcess,
  stopRun,
} from '../harness/process.ts';
import { readSandboxJournal } from '../harness/sandbox-journal.ts';
import { createDatabase, type TestDatabase } from '../harness/services.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { awaitDeliveries, countInProgress } from './fault-fixture.ts';
import { type Load, startLoad } from './mixed-load.ts';
import { findFaults } from './oracle.ts';

export type Version = 'old' | 'new';

export type MixedOptions = {
  /** The folder of the previous release, with its packages. */
  oldCode: string;
  customers: number;
  seed: number;
  /** How long each phase lasts. */
  phaseMs: number;
  /** How long everything may take to settle after the load. */
  settleLimitMs: number;
  /** SQL that runs after the migrations of the new code, as one more migration. */
  plant?: string;
  /** Whether to roll back to the old code at the end. */
  rollsBack: boolean;
};

export type MixedReport = {
  faults: string[];
  /** The phases, with the number of requests that each version served. */
  phases: { name: string; served: Record<string, number> }[];
  done: Readonly<Record<string, number>>;
  /** Versions that worked on jobs and on webhooks. */
  atWork: { jobs: string[]; webhooks: string[] };
  payments: number;
  paid: number;
};

type WorkWatch = { hasSeen(version: Version): boolean; stop(): Promise<MixedReport['atWork']> };

type Service = { version: Version; run: ServiceProcess; behind: Backend };

type Rig = {
  options: MixedOptions;
  database: TestDatabase;
  db: Database;
  stage: ProcessGroup;
  front: LoadBalancer;
  receiver: Receiver;
  faults: string[];
  services: Service[];
  phases: MixedReport['phases'];
};

const email = 'owner@example.com';
const masterKey = Buffer.alloc(32, 7).toString('base64');

/** The name that a version's connections have at the server. */
const nameAt = (version: Version) => `paylink-${version}`;

function settingsOf(
  { database, front }: Pick<Rig, 'database' | 'front'>,
  version: Version,
): Record<string, string> {
  const address = new URL(database.url);
  address.searchParams.set('application_name', nameAt(version));
  return {
    DATABASE_URL: address.href,
    BASE_URL: front.url,
    PAYLINK_MASTER_KEY: masterKey,
    RATE_LIMIT_PROCESS_PER_SECOND: '0',
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    RATE_LIMIT_API_PER_SECOND: '0',
    RATE_LIMIT_REFUSALS_PER_MINUTE: '0',
    MAX_CONNECTIONS_PER_CLIENT: '0',
    ...loopbackSettings,
    LOG_LEVEL: 'warn',
  };
}

const codeOf = ({ options }: Pick<Rig, 'options'>, version: Version) =>
  version === 'old' ? options.oldCode : root;

/** Runs a command of a version's command line. A failure is recorded as a fault. */
async function runCommand(
  rig: Pick<Rig, 'options' | 'database' | 'front' | 'faults'>,
  version: Version,
  words: readonly string[],
): Promise<void> {
  const home = await createHome(join(codeOf(rig, version), 'src', 'cli', 'main.ts'));
  try {
    const settings = { ...settingsOf(rig, version), DATA_DIR: home.folder, PAYLINK_PASSWORD: password };
    const { code, out, err } = await home.run(settings, ...words);
    if (code !== 0)
      rig.faults.push(`${version}: paylink ${words.join(' ')} ended with ${code}: ${out}${err}`);
  } finally {
    await home.remove();
  }
}

async function start(rig: Rig, version: Version): Promise<Service> {
  const run = await rig.stage.start({
    through: 'server',
    code: codeOf(rig, version),
    settings: settingsOf(rig, version),
  });
  await run.ready();
  const service = { version, run, behind: { name: version, port: run.port } };
  rig.services.push(service);
  rig.front.add(service.behind);
  return service;
}

/** The errors that a service logged, with their counts. Clients don't see the errors of workers. */
function errorsOf({ version, run }: Service): string[] {
  const counts = new Map<string, number>();
  for (const line of run
    .stdout()
    .split('\n')
    .filter((text) => text.startsWith('{'))) {
    const { level, msg, err } = JSON.parse(line) as { level: string; msg: string; err?: { message: string } };
    const text = `${version} logged: ${msg} ${err?.message ?? ''}`;
    if (level === 'error' || level === 'fatal') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, times]) => `${text}, ${times} times`);
}

/** The attempts and refunds without an outcome. */
async function listUnsettled(db: Database): Promise<string[]> {
  const rows = await db.asOwner.query<{ id: string }>(
    `select attempt_id as id from attempts where state not in ('succeeded', 'declined', 'cancelled')
     union all select refund_id from refunds where state not in ('succeeded', 'failed')`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Waits until what is unsettled now is settled: for a rollback, docs/operations.md says to let the new version finish. The
 * queue of the old version does not have what the new one began.
 */
async function finishUnsettled(rig: Rig): Promise<void> {
  const begun = new Set(await listUnsettled(rig.db));
  const until = performance.now() + rig.options.settleLimitMs;
  while ((await listUnsettled(rig.db)).some((id) => begun.has(id)))
    if (performance.now() > until) return void rig.faults.push('the new version did not finish its work');
    else await sleep(200);
}

/** Removes a service from the load balancer, and stops it, when its work is finished if `finishes`. */
async function stop(rig: Rig, service: Service, { finishes = false } = {}): Promise<void> {
  await rig.front.retire(service.behind);
  if (finishes) await finishUnsettled(rig);
  const { code } = await stopRun(service.run);
  if (code !== 0) rig.faults.push(`${service.version} ended with ${code}`);
}

/**
 * Records which versions work on jobs and on webhooks, by their statements in pg_stat_activity. It shows only the last
 * statement of each connection, so a short one may be missed.
 */
function watchWork(db: Database): WorkWatch {
  const jobs = new Set<string>();
  const webhooks = new Set<string>();
  let isOver = false;
  const look = async () => {
    const rows = await db.asOwner.query<{ name: string; query: string }>(
      `select application_name as name, query from pg_stat_activity
       where datname = current_database() and application_name like 'paylink-%'`,
    );
    for (const { name, query } of rows) {
      if (/\bpgboss\.|\bscheduled_jobs\b/i.test(query)) jobs.add(name);
      if (/webhook_(deliveries|tries)/.test(query)) webhooks.add(name);
    }
  };
  const watching = (async () => {
    for (; !isOver; await sleep(20)) await look();
  })();
  return {
    hasSeen: (version) => jobs.has(nameAt(version)) && webhooks.has(nameAt(version)),
    stop: async () => {
      isOver = true;
      await watching;
      return { jobs: [...jobs].sort(), webhooks: [...webhooks].sort() };
    },
  };
}

/** How much longer a phase lasts at most, until it has shown what it should. */
const phaseLimitMs = 60_000;

type Served = Record<string, number>;
const bothServe = ({ old = 0, new: current = 0 }: Served) => old > 0 && current > 0;

/** Waits for the time of a phase under load, and records the served requests. */
async function runPhase(
  rig: Rig,
  name: string,
  isComplete: (served: Served) => boolean = () => true,
): Promise<void> {
  const before = rig.front.served();
  const servedSince = (): Served => {
    const after = Object.entries(rig.front.served());
    return Object.fromEntries(after.map(([version, count]) => [version, count - (before[version] ?? 0)]));
  };
  const end = performance.now() + rig.options.phaseMs;
  await sleep(rig.options.phaseMs);
  while (!isComplete(servedSince()) && performance.now() < end + phaseLimitMs) await sleep(100);
  rig.phases.push({ name, served: servedSince() });
}

/** Runs the upgrade and the rollback under load. Returns the old service at the end. */
async function upgrade(rig: Rig, first: Service, work: WorkWatch): Promise<Service> {
  const { plant, rollsBack } = rig.options;
  await runPhase(rig, 'old alone', () => work.hasSeen('old'));
  await runCommand(rig, 'new', ['admin', 'migrate']);
  if (plant) await rig.db.asOwner.query(plant);
  await runPhase(rig, 'old alone, database migrated');
  const newer = await start(rig, 'new');
  await runPhase(rig, 'old and new', bothServe);
  if (!rollsBack) return first;
  await stop(rig, first);
  await runPhase(rig, 'new alone', () => work.hasSeen('new'));
  const again = await start(rig, 'old');
  await runPhase(rig, 'new, and old again', bothServe);
  await stop(rig, newer, { finishes: true });
  await runPhase(rig, 'old alone, rolled back');
  return again;
}

/** Reads all pages of a list. */
async function readAll(rig: Rig, service: Service, who: Credentials, path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor: unknown = '', isFirst = true; isFirst || cursor; isFirst = false) {
    const page = `${path}?limit=100${cursor ? `&cursor=${encodeURIComponent(String(cursor))}` : ''}`;
    const { status, body } = await call({ baseUrl: service.run.url }, who, ['GET', page]);
    if (status !== 200) {
      rig.faults.push(`${service.version} can't read ${path}: ${status}`);
      return found;
    }
    found.push(...(body.data as Json[]));
    cursor = body.nextCursor;
  }
  return found;
}

/** Reads every payment, ledger entry and event through a version. A failed read is recorded as a fault. */
async function readRecords(rig: Rig, service: Service, who: Credentials): Promise<string[]> {
  const texts: string[] = [];
  for (const { PaymentLinkCode: code } of await readAll(rig, service, who, '/v1/payments')) {
    const { status, body } = await call({ baseUrl: service.run.url }, who, ['GET', `/v1/payments/${code}`]);
    if (status !== 200) rig.faults.push(`${service.version} can't read a payment: ${status}`);
    texts.push([code, body.status, body.amount, body.refundedAmount, body.version].join(' '));
  }
  for (const { entryId } of await readAll(rig, service, who, '/v1/ledger/entries'))
    texts.push(String(entryId));
  for (const { id, type } of await readAll(rig, service, who, '/v1/audit-events'))
    texts.push(`${id} ${type}`);
  return texts;
}

/** Checks that both versions read the same of every row. */
async function compareReadings(rig: Rig, services: readonly [Service, Service]): Promise<void> {
  const merchant = { companyId: '', accountId: '', email };
  const logInAt = async ({ run }: Service) => await logIn({ baseUrl: run.url, merchant });
  // A login writes an event, so log in to both before reading.
  const [one, other] = [await logInAt(services[0]), await logInAt(services[1])];
  const texts = await readRecords(rig, services[0], one);
  const again = new Set(await readRecords(rig, services[1], other));
  const differing = texts.filter((text) => !again.has(text));
  if (texts.length !== again.size || differing.length > 0)
    rig.faults.push(
      `the versions read ${differing.length} of ${texts.length} rows differently: ${differing[0]}`,
    );
}

async function settle(rig: Rig): Promise<void> {
  const until = performance.now() + rig.options.settleLimitMs;
  for (let left = 1; left > 0; await sleep(200)) {
    left = await countInProgress(rig.db);
    if (left > 0 && performance.now() > until) {
      rig.faults.push(`${left} attempts and refunds are not settled after ${rig.options.settleLimitMs} ms`);
      return;
    }
  }
}

/** Checks that the feed returned every public event exactly once. */
async function checkFeed(rig: Rig, load: Load): Promise<void> {
  const events = await rig.db.asOwner.query<{ id: string }>(
    "select event_id as id from events where is_public and mode = 'test'",
  );
  await load.endFollowing(events.length);
  const seen = new Set(load.followed);
  const missing = events.filter(({ id }) => !seen.has(id)).length;
  if (missing > 0) rig.faults.push(`the feed left out ${missing} events`);
  const twice = load.followed.length - seen.size;
  if (twice > 0) rig.faults.push(`the feed gave ${twice} events twice`);
}

async function checkRun(rig: Rig, load: Load): Promise<void> {
  const { db, faults, receiver } = rig;
  // On a busy machine a charge after a decline may not have been recorded in time.
  faults.push(...(await refundLateCharges(await openLateChargeDeps(db))));
  await awaitDeliveries(db);
  const journal = await readSandboxJournal(db);
  faults.push(...(await findFaults({ db, reports: load.reported, journal, received: receiver.received })));
  await checkFeed(rig, load);
  faults.push(...load.faults(), ...rig.front.misanswers(), ...rig.services.flatMap(errorsOf));
  for (const version of ['old', 'new'] as const)
    for (const what of ['ledger', 'audit']) await runCommand(rig, version, [what, 'verify']);
}

async function openRig(options: MixedOptions): Promise<Rig> {
  const database = await createDatabase();
  const front = await startLoadBalancer();
  const receiver = await startReceiver();
  const faults: string[] = [];
  // The old version creates the database.
  const base = { options, database, front, faults };
  await runCommand(base, 'old', ['admin', 'migrate']);
  const company = ['--name', 'Café Zürich', '--country', 'DE', '--email', email];
  await runCommand(base, 'old', ['admin', 'company', 'create', ...company]);
  const db = await openDatabase({
    databaseUrl: database.url,
    dataDir: 'unused',
    poolSize: 3,
    log: () => undefined,
  });
  return { ...base, db, stage: createProcessGroup(), receiver, services: [], phases: [] };
}

/** Runs the upgrade on a new database. Without faults no client noticed it. */
export async function runMixed(options: MixedOptions): Promise<MixedReport> {
  const rig = await openRig(options);
  const { db, front } = rig;
  try {
    const first = await start(rig, 'old');
    const owner = await logIn({ baseUrl: front.url, merchant: { companyId: '', accountId: '', email } });
    await createTestEndpoint({ baseUrl: front.url }, owner, { url: rig.receiver.at('all') });
    const load = startLoad({ baseUrl: front.url, email, ...options });
    const work = watchWork(db);
    const last = await upgrade(rig, first, work);
    await load.end();
    await settle(rig);
    const atWork = await work.stop();
    await checkRun(rig, load);
    if (options.rollsBack) await compareReadings(rig, [last, await start(rig, 'new')]);
    const [counts] = await db.asOwner.query<{ payments: number; paid: number }>(
      "select count(*)::int as payments, (count(*) filter (where state = 'paid'))::int as paid from payments",
    );
    const { faults, phases } = rig;
    return {
      faults,
      phases,
      done: load.done,
      atWork,
      payments: counts?.payments ?? 0,
      paid: counts?.paid ?? 0,
    };
  } finally {
    await rig.stage.clear();
    await front.close();
    await rig.receiver.close();
    await db.close();
    await rig.database.drop();
  }
}

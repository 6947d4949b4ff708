// The field on which faults are tried: a database, the fake acquirer and the service, each a process of
// its own, with a merchant and a journal of what clients were told. It outlives every kill of the service.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import { openKeyring } from '../../src/base/keyring.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createCompany } from '../../src/merchants/create-company.ts';
import { createEndpoint } from '../../src/webhooks/change-endpoint.ts';
import { type Line, readJournal } from '../acquirer/journal.ts';
import { cardOf, type Script } from '../acquirer/scripts.ts';
import { type Credentials, logIn, orderOf, processPayment } from '../harness/client.ts';
import { loopbackSettings } from '../harness/hooks.ts';
import { freePort, type Merchant, password } from '../harness/paylink.ts';
import { createDatabase } from '../harness/services.ts';
import { fillCard, formsOf, type Page, visit } from '../harness/visitor.ts';
import { type Received, readReceived } from '../receiver/journal.ts';
import { findFaults, type Told } from './oracle.ts';
import { type Running, startProcess } from './processes.ts';

export type Link = { link: string; code: string };
export type Field = {
  db: Database;
  merchant: Merchant;
  baseUrl: string;
  told: readonly Told[];
  /** Answers that no client may get, whatever has broken: a 5xx other than 503 with Retry-After. */
  misanswers: readonly string[];
  /** Starts the service; what runs of it must have ended. Null when it died before it was ready. */
  start(options?: { crashAt?: string; plantedBug?: string; killAfterMs?: number }): Promise<Running | null>;
  logIn(): Promise<Credentials>;
  createLink(credentials: Credentials, orderId?: string): Promise<Link>;
  /** Posts a card to an open link. Returns where that led, and notes what the customer was told. */
  pay(link: Link, script: Script): Promise<Page>;
  /** Looks at a link as a customer who waits; notes what it told. */
  look(link: Link): Promise<Page>;
  refund(link: Link, amount?: number): Promise<{ refundId?: string; state?: string; error?: string }>;
  control(settings: { refusesQuestions?: boolean; refundScript?: Script }): Promise<void>;
  acquirerJournal(): Line[];
  /** What came to the merchant's receiver of webhooks, which wants all events. */
  received(): Received[];
  /** The states of a link and of its attempts, oldest first. */
  statesOf(link: Link): Promise<{ payment: string; attempts: string[] }>;
  /** Kills the acquirer and starts it again on its journal, at another port; the service must restart, too. */
  restartAcquirer(): Promise<void>;
  countUnderWay(): Promise<number>;
  countAttempts(): Promise<number>;
  /** Waits until no attempt and no refund is under way. Returns how long that took, in milliseconds. */
  settle(limitMs?: number): Promise<number>;
  /** Waits, a while, until nothing is to be delivered any more; then asks the oracle. */
  findFaults(): Promise<string[]>;
  close(): Promise<void>;
};

export type FieldOptions = {
  /** The superuser's address of the cluster to be on; by default that of the whole run. */
  clusterUrl?: string;
  /** Leads the service to another port of this machine instead; the field itself goes straight. */
  reroute?: (to: 'database' | 'acquirer', port: number) => Promise<number>;
};

const migrationsDir = new URL('../../migrations/', import.meta.url).pathname;
const amount = 19.99;
const masterKey = Buffer.alloc(32, 7);

/** Whether a page lets somebody pay. */
export function hasCardForm(page: Page): boolean {
  return formsOf(page).some((form) => form.inputs.some((input) => input.autocomplete === 'cc-number'));
}

/** What the shop was told by the address that a customer arrived with. */
export function statusOf(page: Page): string | null {
  return page.status === 0 ? new URL(page.url).searchParams.get('status') : null;
}

async function countUnderWay(db: Database): Promise<number> {
  const [row] = await db.asOwner.query<{ left: number }>(
    `select (select count(*) from attempts where state not in ('succeeded', 'declined', 'cancelled'))
          + (select count(*) from refunds where state not in ('succeeded', 'failed')) as left`,
  );
  return Number(row?.left);
}

async function prepare(
  options: FieldOptions,
): Promise<{ db: Database; url: string; folder: string; drop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paylink-faults-'));
  const { url, drop } = await createDatabase(options);
  const db = await openDatabase({ databaseUrl: url, dataDir: folder, poolSize: 3, log: () => undefined });
  await migrate(db, { dir: migrationsDir, log: () => undefined });
  return { db, url, folder, drop };
}

/** The service's own way to its database. */
async function serviceUrlOf(url: string, { reroute }: FieldOptions): Promise<string> {
  const address = new URL(url);
  if (reroute) address.port = String(await reroute('database', Number(address.port)));
  return address.href;
}

type Stage = { baseUrl: string; merchant: Merchant; told: Told[]; misanswers: string[] };

function isMisanswer(answer: { status: number; headers: Headers }): boolean {
  return answer.status >= 500 && !(answer.status === 503 && answer.headers.has('retry-after'));
}

/** What merchants and customers do on the field; everything that they are told is noted. */
function createClients(stage: Stage, doorPort: () => number) {
  const { baseUrl, merchant, told, misanswers } = stage;
  const at = { baseUrl, merchant };
  const judge = <T extends { status: number; headers: Headers }>(what: string, answer: T) => {
    if (isMisanswer(answer)) misanswers.push(`${what} answered ${answer.status}`);
    return answer;
  };
  const note = (link: Link, page: Page) => {
    judge(page.url, page);
    const status = statusOf(page);
    if (status === 'paid' || status === 'failed') told.push({ kind: status, code: link.code });
    return page;
  };
  const createLink: Field['createLink'] = async (credentials, orderId) => {
    const order = orderOf({ amount, ...(orderId ? { customerOrderId: orderId } : {}) });
    const { status, body } = judge('process', await processPayment(at, credentials, order));
    if (status !== 200) throw new Error(`process answered ${status}: ${JSON.stringify(body)}`);
    const link = { link: String(body.PaymentLink), code: String(body.PaymentLinkCode) };
    const { customerOrderId } = order;
    told.push({
      kind: 'link',
      code: link.code,
      orderId: String(customerOrderId),
      amountMinor: 1999,
      currency: 'EUR',
    });
    return link;
  };
  const pay: Field['pay'] = async (link, script) => {
    const page = judge(link.link, await visit(link.link));
    if (!hasCardForm(page)) return page;
    const { action, body } = fillCard(page, { number: cardOf(script) });
    return note(link, await visit(action, { method: 'POST', body }));
  };
  const refund: Field['refund'] = async ({ code }, wanted) => {
    const order = { companyId: merchant.companyId, code, ...(wanted ? { amount: wanted } : {}) };
    const response = await fetch(`http://127.0.0.1:${doorPort()}/`, {
      method: 'POST',
      body: JSON.stringify(order),
    });
    const answer = (await response.json()) as { refundId?: string; state?: string; error?: string };
    if (answer.refundId) told.push({ kind: 'refund', refundId: answer.refundId, state: answer.state ?? '' });
    return answer;
  };
  return {
    createLink,
    pay,
    refund,
    logIn: async () => await logIn(at),
    look: async (link: Link) => note(link, await visit(`${link.link}/wait`)),
  };
}

async function statesOf(db: Database, link: Link): Promise<{ payment: string; attempts: string[] }> {
  const rows = await db.asOwner.query<{ payment: string; attempt: string | null }>(
    `select p.state as payment, a.state as attempt from payments p left join attempts a using (company_id, payment_id)
     where p.code = $1 order by a.attempt_id`,
    [link.code],
  );
  return {
    payment: rows[0]?.payment ?? '',
    attempts: rows.flatMap(({ attempt }) => (attempt ? [attempt] : [])),
  };
}

async function settle(db: Database, limitMs: number): Promise<number> {
  const startedAt = performance.now();
  while ((await countUnderWay(db)) > 0) {
    assert.ok(performance.now() - startedAt < limitMs, `something is unsettled after ${limitMs} ms`);
    await sleep(50);
  }
  return performance.now() - startedAt;
}

const deliveryLimitMs = 20_000;

/** Waits until no delivery is pending, but not for ever: what never comes is for the oracle to say. */
async function awaitDeliveries(db: Database): Promise<void> {
  const deadline = performance.now() + deliveryLimitMs;
  const isPending = async () =>
    (await db.asOwner.query("select from webhook_deliveries where state = 'pending' limit 1")).length > 0;
  while (performance.now() < deadline && (await isPending())) await sleep(50);
}

/** Starts the merchant's receiver, and makes it an endpoint for all events. */
async function startListening(
  db: Database,
  merchant: Merchant,
  journalFile: string,
): Promise<Pick<Field, 'received'> & { stop(): Promise<void> }> {
  const receiver = await startProcess('../receiver/receiver-process.ts', { args: [journalFile] });
  const deps = { db, clock: systemClock, keyring: await openKeyring(masterKey), webhooksAllowLoopback: true };
  const { companyId, accountId } = merchant;
  const caller = { companyId, accountId, mode: 'test' as const };
  const endpointId = newId('whe', systemClock.now());
  const url = `http://127.0.0.1:${receiver?.ready.port}/`;
  await createEndpoint(deps, caller, { endpointId, url, events: ['*'] });
  return { received: () => readReceived(journalFile), stop: async () => await receiver?.kill() };
}

/** What the service is started with; who starts it adds where the acquirer is. */
function settingsOf(at: { port: number; baseUrl: string; folder: string; databaseUrl: string }) {
  return {
    PORT: String(at.port),
    BASE_URL: at.baseUrl,
    DATABASE_URL: at.databaseUrl,
    DATA_DIR: at.folder,
    PAYLINK_MASTER_KEY: masterKey.toString('base64'),
    RATE_LIMIT_PROCESS_PER_SECOND: '0',
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    RATE_LIMIT_API_PER_SECOND: '0',
    RATE_LIMIT_REFUSALS_PER_MINUTE: '0',
    ...loopbackSettings,
    LOG_LEVEL: process.env.FAULTS_LOG ?? 'silent',
  };
}

/** Opens a field. `close` ends every process of it and removes what it wrote. */
export async function openField(options: FieldOptions = {}): Promise<Field> {
  const prepared = await prepare(options);
  const { db, url, folder } = prepared;
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const email = 'owner@example.com';
  const company = { name: 'Café Zürich', country: 'DE', email, password };
  const merchant = { ...(await createCompany({ db, clock: systemClock }, company)), email };
  const told: Told[] = [];
  const misanswers: string[] = [];
  const journalFile = path.join(folder, 'acquirer.jsonl');
  const { received, ...receiver } = await startListening(db, merchant, path.join(folder, 'received.jsonl'));
  let service: Running | null = null;
  let acquirer: Running | null = null;
  const acquirerUrl = () => `http://127.0.0.1:${acquirer?.ready.port}`;
  let servicesAcquirerUrl = '';
  const startAcquirer = async () => {
    await acquirer?.kill();
    acquirer = await startProcess('../acquirer/acquirer.ts', { args: [journalFile] });
    const acquirerPort = acquirer?.ready.port ?? 0;
    const port = (await options.reroute?.('acquirer', acquirerPort)) ?? acquirerPort;
    servicesAcquirerUrl = `http://127.0.0.1:${port}`;
  };
  await startAcquirer();
  const settings = settingsOf({ port, baseUrl, folder, databaseUrl: await serviceUrlOf(url, options) });
  const acquirerJournal = () => readJournal(journalFile);
  return {
    db,
    merchant,
    baseUrl,
    told,
    misanswers,
    ...createClients({ baseUrl, merchant, told, misanswers }, () => service?.ready.doorPort ?? 0),
    start: async ({ crashAt, plantedBug, killAfterMs } = {}) => {
      await service?.kill();
      const env = { ...settings, ACQUIRER_URL: servicesAcquirerUrl };
      if (crashAt) Object.assign(env, { CRASH_AT: crashAt });
      if (plantedBug) Object.assign(env, { PLANTED_BUG: plantedBug });
      service = await startProcess('victim.ts', {
        env,
        ...(killAfterMs === undefined ? {} : { killAfterMs }),
      });
      return service;
    },
    control: async (wanted) => {
      await fetch(`${acquirerUrl()}/control`, { method: 'POST', body: JSON.stringify(wanted) });
    },
    acquirerJournal,
    received,
    statesOf: async (link) => await statesOf(db, link),
    restartAcquirer: startAcquirer,
    countAttempts: async () =>
      Number((await db.asOwner.query('select count(*) as count from attempts'))[0]?.count),
    countUnderWay: async () => await countUnderWay(db),
    settle: async (limitMs = 60_000) => await settle(db, limitMs),
    findFaults: async () => {
      await awaitDeliveries(db);
      return await findFaults({ db, told, journal: acquirerJournal(), received: received() });
    },
    close: async () => {
      await service?.kill();
      await acquirer?.kill();
      await receiver.stop();
      await db.close();
      await prepared.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// What every field of faults stands on: a database with a company, its receiver of webhooks, what the service is
// started with, and the journal of what clients were told. It knows no processor, and starts no service.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import { openKeyring } from '../../src/base/keyring.ts';
import { createCompany } from '../../src/create-company.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { openPasswordPool } from '../../src/passwords/password-pool.ts';
import { createEndpoint } from '../../src/webhooks/change-endpoint.ts';
import type { JournalLine } from '../acquirer/journal.ts';
import { type Credentials, logIn, orderOf, processPayment } from '../harness/client.ts';
import { createFromTemplate } from '../harness/database-templates.ts';
import { cheapPasswordCost, freePort, type Merchant, password } from '../harness/paylink.ts';
import type { Page } from '../harness/visitor.ts';
import { loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Received, readReceived } from '../receiver/journal.ts';
import { type ClientReport, findFaults } from './oracle.ts';
import { startProcess } from './processes.ts';

export type Link = { link: string; code: string };

export type FaultFixture = {
  db: Database;
  /** The database's own address. */
  databaseUrl: string;
  /** For journals; it goes when the ground is closed. */
  folder: string;
  merchant: Merchant;
  baseUrl: string;
  reported: ClientReport[];
  /** Answers that no client may get, whatever has broken: a 5xx other than 503 with Retry-After. */
  misanswers: readonly string[];
  /** The service's settings, for a database at an address. */
  settingsFor(databaseUrl: string): Record<string, string>;
  logIn(): Promise<Credentials>;
  createLink(credentials: Credentials, orderId?: string): Promise<Link>;
  /** Looks whether an answer is one that nobody may get, and gives it on. */
  judge<T extends { status: number; headers: Headers }>(what: string, answer: T): T;
  /** Notes what a customer was told by where they came, and gives it on. */
  note(link: Link, page: Page): Page;
  /** What came to the merchant's receiver of webhooks, which wants all events. */
  received(): Received[];
  /** The states of a link and of its attempts, oldest first. */
  statesOf(link: Link): Promise<{ payment: string; attempts: string[] }>;
  countUnderWay(): Promise<number>;
  countAttempts(): Promise<number>;
  /**
   * Waits until no attempt and no refund is under way, and does something over and over meanwhile. Returns how long
   * that took, in milliseconds.
   */
  settle(limitMs?: number, meanwhile?: () => Promise<unknown>): Promise<number>;
  /** Waits, a while, until nothing is to be delivered any more; then asks the oracle. */
  findFaults(journal: readonly JournalLine[]): Promise<string[]>;
  close(): Promise<void>;
};

const amount = 19.99;
const masterKey = Buffer.alloc(32, 7);

/** What the shop was told by the address that a customer arrived with. */
export function statusOf(page: Page): string | null {
  return page.status === 0 ? new URL(page.url).searchParams.get('status') : null;
}

export async function countUnderWay(db: Database): Promise<number> {
  const [row] = await db.asOwner.query<{ left: number }>(
    `select (select count(*) from attempts where state not in ('succeeded', 'declined', 'cancelled'))
          + (select count(*) from refunds where state not in ('succeeded', 'failed')) as left`,
  );
  return Number(row?.left);
}

function isInvalidResponse(answer: { status: number; headers: Headers }): boolean {
  return answer.status >= 500 && !(answer.status === 503 && answer.headers.has('retry-after'));
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

async function settle(
  db: Database,
  limitMs: number,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  const startedAt = performance.now();
  while ((await countUnderWay(db)) > 0) {
    await meanwhile();
    assert.ok(performance.now() - startedAt < limitMs, `something is unsettled after ${limitMs} ms`);
    await sleep(50);
  }
  return performance.now() - startedAt;
}

const deliveryLimitMs = 20_000;

/** Waits until no delivery is pending, but not for ever: what never comes is for the oracle to say. */
export async function awaitDeliveries(db: Database): Promise<void> {
  const deadline = performance.now() + deliveryLimitMs;
  const isPending = async () =>
    (await db.asOwner.query("select from webhook_deliveries where state = 'pending' limit 1")).length > 0;
  while (performance.now() < deadline && (await isPending())) await sleep(50);
}

/** Starts the merchant's receiver, and makes it an endpoint for all events. */
async function startReceiver(
  db: Database,
  merchant: Merchant,
  journalFile: string,
): Promise<Pick<FaultFixture, 'received'> & { stop(): Promise<void> }> {
  const receiver = await startProcess('../receiver/receiver-process.ts', { args: [journalFile] });
  const deps = { db, clock: systemClock, keyring: await openKeyring(masterKey), webhooksAllowLoopback: true };
  const { companyId, accountId } = merchant;
  const caller = { companyId, accountId, mode: 'test' as const };
  const endpointId = newId('whe', systemClock.now());
  const url = `http://127.0.0.1:${receiver?.ready.port}/`;
  await createEndpoint(deps, caller, { endpointId, url, events: ['*'] });
  return { received: () => readReceived(journalFile), stop: async () => await receiver?.kill() };
}

/** What the service is started with; who starts it adds where its processors are. */
function settingsOf(at: {
  port: number;
  baseUrl: string;
  folder: string;
  databaseUrl: string;
}): Record<string, string> {
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
    MAX_CONNECTIONS_PER_CLIENT: '0',
    ...loopbackSettings,
    LOG_LEVEL: process.env.FAULTS_LOG ?? 'silent',
  };
}

/** Where links are made, and what clients were told is written down. */
function createRecorder(
  at: { baseUrl: string; merchant: Merchant },
  reports: ClientReport[],
  invalidResponses: string[],
) {
  const judge: FaultFixture['judge'] = (what, answer) => {
    if (isInvalidResponse(answer)) invalidResponses.push(`${what} answered ${answer.status}`);
    return answer;
  };
  const note: FaultFixture['note'] = (link, page) => {
    judge(page.url, page);
    const status = statusOf(page);
    if (status === 'paid' || status === 'failed') reports.push({ kind: status, code: link.code });
    return page;
  };
  const createLink: FaultFixture['createLink'] = async (credentials, orderId) => {
    const order = orderOf({ amount, ...(orderId ? { customerOrderId: orderId } : {}) });
    const { status, body } = judge('process', await processPayment(at, credentials, order));
    if (status !== 200) throw new Error(`process answered ${status}: ${JSON.stringify(body)}`);
    const link = { link: String(body.PaymentLink), code: String(body.PaymentLinkCode) };
    const { customerOrderId } = order;
    reports.push({
      kind: 'link',
      code: link.code,
      orderId: String(customerOrderId),
      amountMinor: 1999,
      currency: 'EUR',
    });
    return link;
  };
  return { judge, note, createLink };
}

/** Makes a ground. `clusterUrl` is the superuser's address of the cluster to be on, when not that of the whole run. */
export async function openFaultFixture(options: { clusterUrl?: string } = {}): Promise<FaultFixture> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paylink-faults-'));
  const { url: databaseUrl, drop } = await createFromTemplate(options.clusterUrl);
  const db = await openDatabase({ databaseUrl, dataDir: folder, poolSize: 3, log: () => undefined });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const email = 'owner@example.com';
  const company = { name: 'Café Zürich', country: 'DE', email, password };
  const merchant = {
    ...(await createCompany(
      { db, clock: systemClock, passwords: openPasswordPool({}, cheapPasswordCost) },
      company,
    )),
    email,
  };
  const { received, ...receiver } = await startReceiver(db, merchant, path.join(folder, 'received.jsonl'));
  const reports: ClientReport[] = [];
  const invalidResponses: string[] = [];
  return {
    db,
    databaseUrl,
    folder,
    merchant,
    baseUrl,
    reported: reports,
    misanswers: invalidResponses,
    ...createRecorder({ baseUrl, merchant }, reports, invalidResponses),
    settingsFor: (address) => settingsOf({ port, baseUrl, folder, databaseUrl: address }),
    logIn: async () => await logIn({ baseUrl, merchant }),
    received,
    statesOf: async (link) => await statesOf(db, link),
    countAttempts: async () =>
      Number((await db.asOwner.query('select count(*) as count from attempts'))[0]?.count),
    countUnderWay: async () => await countUnderWay(db),
    settle: async (limitMs = 60_000, meanwhile) => await settle(db, limitMs, meanwhile),
    findFaults: async (journal) => {
      await awaitDeliveries(db);
      return await findFaults({ db, reports, journal, received: received() });
    },
    close: async () => {
      await receiver.stop();
      await db.close();
      await drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

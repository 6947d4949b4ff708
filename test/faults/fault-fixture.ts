// Shared by all fault rigs: a database with a company, its webhook receiver, the service's settings, and the journal
// of responses to clients. The rigs add the processors and start the service.

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
  /** The database's address, without a proxy. */
  databaseUrl: string;
  /** For journals; removed by `close`. */
  folder: string;
  merchant: Merchant;
  baseUrl: string;
  reported: ClientReport[];
  /** Responses that are never allowed: any 5xx but 503 with Retry-After. */
  invalidResponses: readonly string[];
  /** The service's settings, with this database address. */
  settingsFor(databaseUrl: string): Record<string, string>;
  logIn(): Promise<Credentials>;
  createLink(credentials: Credentials, orderId?: string): Promise<Link>;
  /** Records the response if it is invalid, and returns it. */
  checkResponse<T extends { status: number; headers: Headers }>(what: string, answer: T): T;
  /** Records the status that a customer's page shows, and returns the page. */
  note(link: Link, page: Page): Page;
  /** The messages at the merchant's webhook receiver, which is subscribed to all events. */
  received(): Received[];
  /** The states of a link and of its attempts, oldest first. */
  statesOf(link: Link): Promise<{ payment: string; attempts: string[] }>;
  countInProgress(): Promise<number>;
  countAttempts(): Promise<number>;
  /** Makes what is in progress due now, which a killed service had postponed. */
  makeDue(): Promise<void>;
  /** Waits until no attempt or refund is in progress, calling `meanwhile` repeatedly. Returns the milliseconds. */
  settle(limitMs?: number, meanwhile?: () => Promise<unknown>): Promise<number>;
  /** Waits for pending deliveries, up to a limit, then runs the oracle. */
  findFaults(journal: readonly JournalLine[]): Promise<string[]>;
  close(): Promise<void>;
};

const amount = 19.99;
const masterKey = Buffer.alloc(32, 7);

/** The status in the shop's address, if the customer was redirected to the shop. */
export function statusOf(page: Page): string | null {
  return page.status === 0 ? new URL(page.url).searchParams.get('status') : null;
}

export async function countInProgress(db: Database): Promise<number> {
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

async function makeDue({ asOwner }: Database): Promise<void> {
  for (const table of ['attempts', 'refunds'])
    await asOwner.query(
      // safe: names of this file.
      `update ${table} set due_at = statement_timestamp() where due_at > statement_timestamp() and due_at < 'infinity'`,
    );
}

async function settle(
  db: Database,
  limitMs: number,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  const startedAt = performance.now();
  while ((await countInProgress(db)) > 0) {
    await meanwhile();
    assert.ok(
      performance.now() - startedAt < limitMs,
      `attempts or refunds are unsettled after ${limitMs} ms`,
    );
    await sleep(50);
  }
  return performance.now() - startedAt;
}

// Longer than a lease: a process that loses the response to its claim sends the messages when the lease ends.
const deliveryLimitMs = 90_000;

/** Waits until no delivery is pending, up to a limit. The oracle reports missing messages. */
export async function awaitDeliveries(db: Database): Promise<void> {
  const deadline = performance.now() + deliveryLimitMs;
  const isPending = async () =>
    (await db.asOwner.query("select from webhook_deliveries where state = 'pending' limit 1")).length > 0;
  while (performance.now() < deadline && (await isPending())) await sleep(50);
}

/** Starts the merchant's receiver, and creates an endpoint for all events. */
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

/** The service's settings. The rig adds the addresses of the processors. */
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

/** Creates links, and records the responses to clients. */
function createRecorder(
  at: { baseUrl: string; merchant: Merchant },
  reports: ClientReport[],
  invalidResponses: string[],
) {
  const checkResponse: FaultFixture['checkResponse'] = (what, answer) => {
    if (isInvalidResponse(answer)) invalidResponses.push(`${what} answered ${answer.status}`);
    return answer;
  };
  const note: FaultFixture['note'] = (link, page) => {
    checkResponse(page.url, page);
    const status = statusOf(page);
    if (status === 'paid' || status === 'failed') reports.push({ kind: status, code: link.code });
    return page;
  };
  const createLink: FaultFixture['createLink'] = async (credentials, orderId) => {
    const order = orderOf({ amount, ...(orderId ? { customerOrderId: orderId } : {}) });
    const { status, body } = checkResponse('process', await processPayment(at, credentials, order));
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
  return { checkResponse, note, createLink };
}

/** Opens a fixture. `clusterUrl` is the superuser's address of a cluster, instead of the shared one. */
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
    invalidResponses,
    ...createRecorder({ baseUrl, merchant }, reports, invalidResponses),
    settingsFor: (address) => settingsOf({ port, baseUrl, folder, databaseUrl: address }),
    logIn: async () => await logIn({ baseUrl, merchant }),
    received,
    statesOf: async (link) => await statesOf(db, link),
    countAttempts: async () =>
      Number((await db.asOwner.query('select count(*) as count from attempts'))[0]?.count),
    countInProgress: async () => await countInProgress(db),
    makeDue: async () => await makeDue(db),
    settle: async (limitMs = 60_000, meanwhile) => await settle(db, limitMs, meanwhile),
    findFaults: async (journal) => {
      await awaitDeliveries(db);
      return await findFaults({ db, reports, journal, received: received() });
    },
    close: async () => {
      await receiver.stop();
      await db.close();
      // Last, as a test may have broken the way to the database.
      await rm(folder, { recursive: true, force: true });
      await drop();
    },
  };
}

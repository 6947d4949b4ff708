// Starts the real service in this process, on either engine, with a company. At stop, its log and database are
// searched for card data and service keys.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type App, createApp, type WorkTimings } from '../../src/app.ts';
import type { Clock } from '../../src/base/clock.ts';
import { randomBase32 } from '../../src/base/ids.ts';
import { readConfig } from '../../src/config.ts';
import { createCompany } from '../../src/create-company.ts';
import type { Sql } from '../../src/db/engine.ts';
import type { Role } from '../../src/http/authentication.ts';
import type { PasswordPoolLimits } from '../../src/passwords/password-pool.ts';
import type { createProcessors } from '../../src/processors/registry.ts';
import { testCards } from '../../src/processors/sandbox/test-cards.ts';
import type { ReceiptRenderer } from '../../src/receipts/receipt-renderer.ts';
import { createLogger } from '../../src/telemetry.ts';
import type { WebhookTimings } from '../../src/webhooks/deliver.ts';
import type { LaneLimits } from '../../src/work/work-kind.ts';
import { copyTemplate, createFromTemplate } from './database-templates.ts';
import './check-rows.ts';

export type Engine = 'embedded' | 'server';
/**
 * The engines of tests that concern data: the server, or the one that TEST_ENGINE names. `npm run test:long` repeats
 * these tests on the embedded engine.
 */
export const engines: readonly Engine[] = [process.env.TEST_ENGINE === 'embedded' ? 'embedded' : 'server'];

/** The security code of all tests; no other value may equal it. */
export const testCsc = '737';
const masterKey = Buffer.alloc(32, 7).toString('base64');
export const password = 'correct horse battery';

export type Merchant = { companyId: string; accountId: string; email: string };
export type Paylink = {
  app: App;
  baseUrl: string;
  merchant: Merchant;
  createMerchant(options?: { roles?: readonly Role[]; name?: string }): Promise<Merchant>;
  log(): string;
  stop(): Promise<void>;
};

// Below the ports that the kernel assigns to outgoing connections and to port 0, so that no other process gets one by
// chance. Each test process on the machine has a range to itself: enough that a port is not assigned again while its
// service restarts.
const lowestPort = 11_000;
const portsOfProcess = 64;
const ranges = 325;
let ownRange: Promise<number> | undefined;
let lastPort = 0;

/** Listens at a port. Null if it is taken. */
async function listenAt(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}

/** The first port of a range that no other process has. Listening there claims the range until this process ends. */
async function claimRange(): Promise<number> {
  for (let tries = 0; tries < ranges; tries++) {
    // Processes have different IDs, so most find a free range at once, and none takes that of one that just ended.
    const first = lowestPort + ((process.pid + tries) % ranges) * portsOfProcess;
    const claim = await listenAt(first);
    if (claim === null) continue;
    claim.unref();
    return first;
  }
  throw new Error('other processes have all ranges of ports');
}

/** A free port that no other test process uses. */
export async function freePort(): Promise<number> {
  ownRange ??= claimRange();
  const first = await ownRange;
  for (let look = 1; look < portsOfProcess; look++) {
    // Each concurrent caller gets a different port.
    lastPort = (lastPort % (portsOfProcess - 1)) + 1;
    const port = first + lastPort;
    const probe = await listenAt(port);
    if (probe === null) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
  throw new Error(`the ports from ${first} on are taken`);
}

/** The minimum that argon2 allows, because hashing took half the time of the tests. */
export const cheapPasswordCost = { memory: 8, passes: 1, parallelism: 1 };

type DatabaseSetup = { settings: Record<string, string>; remove(): Promise<void> };

async function prepareDatabase(engine: Engine): Promise<DatabaseSetup> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paylink-test-'));
  const removeDir = async () => await rm(dataDir, { recursive: true, force: true });
  if (engine === 'embedded') {
    await copyTemplate(dataDir);
    return { settings: { DATA_DIR: dataDir }, remove: removeDir };
  }
  const database = await createFromTemplate();
  return {
    settings: { DATA_DIR: dataDir, DATABASE_URL: database.url },
    remove: async () => {
      await database.drop();
      await removeDir();
    },
  };
}

export type PaylinkOptions = {
  settings?: Record<string, string>;
  clock?: Clock;
  processorTimeoutMs?: number;
  firstReconcileSeconds?: number;
  workTimings?: WorkTimings;
  webhookTimings?: WebhookTimings;
  webhookLimits?: LaneLimits;
  passwordLimits?: Partial<PasswordPoolLimits>;
  /** Whether hashing a password costs as much as in production, for tests of login floods. */
  hasRealPasswordCost?: boolean;
  receiptRenderer?: ReceiptRenderer;
  processors?: typeof createProcessors;
  /** Whether it runs jobs, webhooks and emails; false for tests that do this themselves. */
  isAtWork?: boolean;
  /** Whether rows and log are searched for card data and service keys at the end; 100,000 rows take minutes. */
  isSearched?: boolean;
};

/** Starts Paylink on an engine. Limits are off unless a setting says otherwise. */
export async function startPaylink(engine: Engine, options: PaylinkOptions = {}): Promise<Paylink> {
  const place = await prepareDatabase(engine);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const config = readConfig({
    PORT: String(port),
    BASE_URL: baseUrl,
    PAYLINK_MASTER_KEY: masterKey,
    RATE_LIMIT_PROCESS_PER_SECOND: '0',
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    RATE_LIMIT_API_PER_SECOND: '0',
    RATE_LIMIT_REFUSALS_PER_MINUTE: '0',
    MAX_CONNECTIONS_PER_CLIENT: '0',
    ...place.settings,
    ...options.settings,
  });
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const { settings: _, isAtWork = true, isSearched = true, hasRealPasswordCost, ...rest } = options;
  const cost = hasRealPasswordCost ? {} : { passwordCost: cheapPasswordCost };
  const app = await createApp({
    config,
    log: createLogger({ level: 'trace', destination }),
    ...cost,
    ...rest,
  });
  await (isAtWork ? app.listen() : app.server.listen({ port, host: config.host }));
  const createMerchant = async (wanted: { roles?: readonly Role[]; name?: string } = {}) => {
    const email = `owner-${randomBase32(8)}@example.com`;
    const company = { name: wanted.name ?? 'Café Zürich', country: 'DE', email, password };
    const made = await createCompany(app.deps, {
      ...company,
      ...(wanted.roles ? { roles: wanted.roles } : {}),
    });
    return { companyId: made.companyId, accountId: made.accountId, email };
  };
  return {
    app,
    baseUrl,
    merchant: await createMerchant(),
    createMerchant,
    log: () => lines.join(''),
    stop: async () => {
      const rows = isSearched ? await dumpAllRows(app) : null;
      await app.stop();
      await place.remove();
      if (rows === null) return;
      refuseCardData('the database', rows);
      refuseCardData('the log', lines.join(''));
      refuseServiceKeys('the database', rows);
      refuseServiceKeys('the log', lines.join(''));
    },
  };
}

/** All rows of all tables of all databases as text. */
export async function dumpAllRows(app: App): Promise<string> {
  const texts = await Promise.all(app.deps.db.cells().map(async ({ asOwner }) => await dumpRows(asOwner)));
  return texts.join('\n');
}

async function dumpRows(sql: Sql): Promise<string> {
  const tables = await sql.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  // These numbers may equal the security code by chance, and cannot contain one.
  // safe: names come from the catalogue, quoted by format().
  const selects = tables.map(
    ({ name }) =>
      `select (to_jsonb(t) - '{xact,sealed_below,position,duration_ms}'::text[])::text as row from ${name} t`,
  );
  const rows = await sql.query<{ row: string }>(selects.join(' union all '));
  return rows.map(({ row }) => row).join('\n');
}

/** Fails if a text contains a service key or its secret part. */
function refuseServiceKeys(where: string, text: string): void {
  assert.doesNotMatch(text, /pls_(test|live)_[0-9a-z]{16}_[0-9a-f]{8}/, `a service key is in ${where}`);
}

/** Fails if a text contains a test card number, in any grouping, or the security code. */
export function refuseCardData(where: string, text: string): void {
  for (const { number } of testCards) {
    const grouped = new RegExp([...number].join('[ -]?'));
    assert.doesNotMatch(text, grouped, `a card number is in ${where}`);
  }
  // Only a separate number is a code, not digits inside IDs, times and durations.
  assert.doesNotMatch(
    text,
    new RegExp(`(?<![\\w.:-])${testCsc}(?![\\w.])`),
    `a security code is in ${where}`,
  );
}

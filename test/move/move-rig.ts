// An embedded database with everything that a move must carry, made by the real service, and what both sides hold.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { sealEvents } from '../../src/events/seal-events.ts';
import { type MoveSummary, moveDatabase as moveOfProduct } from '../../src/move/move-database.ts';
import { findFaults, listCompanies } from '../../src/move/verify-copy.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from '../harness/client.ts';
import { copyTemplate } from '../harness/database-templates.ts';
import { createCleaner } from '../harness/engines.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { createDatabase, testDatabaseUrl } from '../harness/services.ts';
import { payWith } from '../harness/visitor.ts';

export const masterKey = Buffer.alloc(32, 7).toString('base64');
const success = { number: '4242 4242 4242 4242' };

export type Trial = {
  dataDir: string;
  baseUrl: string;
  merchant: Merchant;
  credentials: Credentials;
  /** What a merchant has read from the feed, and the cursor that he holds. */
  eventIds: string[];
  cursor: string;
  paid: string[];
  open: string[];
};

export type MoveRig = ReturnType<typeof createMoveRig>;

/** A service on an embedded database that stays when the service stops. */
async function startTrial(dataDir: string, settings: Record<string, string> = {}): Promise<Paylink> {
  await copyTemplate(dataDir);
  return await startPaylink('embedded', {
    settings: { DATA_DIR: dataDir, ...settings },
    // What is due later is still due on the target.
    isAtWork: false,
    isSearched: false,
  });
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const go = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, go));
}

/** Databases and folders of a file of tests; `clean` removes all. */
export function createMoveRig() {
  const cleaner = createCleaner();
  return {
    cleaner,
    /** A trial with payments, of which some are paid and one is refunded. */
    trial: async (wanted: {
      payments: number;
      paid: number;
      settings?: Record<string, string>;
      prepare?: (paylink: Paylink, credentials: Credentials) => Promise<void>;
    }): Promise<Trial> => {
      const { payments, paid, settings, prepare } = wanted;
      const dataDir = await cleaner.folder();
      const paylink = await startTrial(dataDir, settings);
      const credentials = await logIn(paylink);
      await prepare?.(paylink, credentials);
      const made: { link: string; code: string }[] = [];
      await inParallel(payments, async (index) => {
        made[index] = await createLinkAs(paylink, credentials, { customerOrderId: `order-${index}` });
      });
      await inParallel(paid, async (index) => void (await payWith(made[index]?.link ?? '', success)));
      const refunded = await call(paylink, credentials, ['POST', `/v1/payments/${made[0]?.code}/refunds`], {
        amount: 5,
      });
      assert.equal(refunded.status, 200, JSON.stringify(refunded.body));
      await sealEvents({ db: paylink.app.deps.db, clock: systemClock });
      const { ids, cursor } = await follow(paylink, credentials, null);
      const { baseUrl, merchant } = paylink;
      await paylink.stop();
      const codes = made.map(({ code }) => code);
      const kept = { paid: codes.slice(0, paid), open: codes.slice(paid) };
      return { dataDir, baseUrl, merchant, credentials, eventIds: ids, cursor, ...kept };
    },
    copyOf: async (dataDir: string): Promise<string> => {
      const copy = join(await cleaner.folder(), 'data');
      await cp(dataDir, copy, { recursive: true });
      return copy;
    },
    /** An empty database of a user without further rights, as in "Setting up PostgreSQL". */
    target: async (options: { ownsDatabase?: boolean; hasRoles?: boolean } = {}) => {
      const { ownsDatabase = true, hasRoles = true } = options;
      const { url, drop } = await createDatabase();
      const user = `mover_${randomBytes(6).toString('hex')}`;
      const name = new URL(url).pathname.slice(1);
      const admin = async (text: string) => await onServer(url, text);
      // safe: the names are ours.
      await admin(`create role ${user} login password 'secret'`);
      cleaner.add(async () => await onServer(testDatabaseUrl(), `drop role if exists ${user}`));
      cleaner.add(drop);
      // safe: the same.
      if (ownsDatabase) await admin(`alter database ${name} owner to ${user}`);
      await createRoles();
      // safe: the same.
      if (hasRoles) await admin(`grant paylink_tenant, paylink_system to ${user}`);
      const address = new URL(url);
      address.username = user;
      address.password = 'secret';
      return { url: address.href, adminUrl: url, user };
    },
    clean: cleaner.clean,
  };
}

/** Roles belong to the server, and the first database of a run creates them. */
async function createRoles(): Promise<void> {
  // safe: the names are ours.
  for (const role of ['paylink_tenant', 'paylink_system'])
    await onServer(testDatabaseUrl(), `create role ${role} nologin`).catch(() => undefined);
}

export async function onServer(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

type Move = typeof moveOfProduct;

/** Moves in this process. */
export async function moveHere(
  dataDir: string,
  databaseUrl: string,
  options: { onStep?: (step: string) => void; move?: Move } = {},
): Promise<MoveSummary> {
  const { onStep = () => undefined, move = moveOfProduct } = options;
  const log = () => undefined;
  const source = await openDatabase({ dataDir, log });
  try {
    const target = await openDatabase({ databaseUrl, dataDir, poolSize: 2, log });
    try {
      return await move({ source, target, dataDir, to: 'the target', clock: systemClock, onStep });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Moves in a process of its own that kills itself at a step or after some milliseconds. Returns the steps it reached. */
export async function moveAndKill(
  dataDir: string,
  databaseUrl: string,
  kill: { step?: string; afterMs?: number },
): Promise<{ steps: string[]; wasKilled: boolean; output: string }> {
  const file = fileURLToPath(new URL('move-child.ts', import.meta.url));
  const child = spawn(process.execPath, [file, dataDir, databaseUrl, JSON.stringify(kill)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals | null>();
  child.once('close', (_code, signal) => resolve(signal));
  const signal = await promise;
  const steps = output.split('\n').filter((line) => line.startsWith('step: '));
  return { steps, wasKilled: signal === 'SIGKILL', output };
}

/** What a database holds, as its service would find it. Null if the service refuses to start on it. */
export async function readSide(open: () => Promise<Database>): Promise<Side | null> {
  let db: Database;
  try {
    db = await open();
  } catch {
    return null;
  }
  try {
    return await db.withConnection(async (sql) => {
      const [state] = await sql.query(
        `select coalesce((select state from database_moves), '') as state,
                (select count(*)::int from payments) as payments, (select count(*)::int from events) as events,
                (select count(*)::int from ledger_entries) as entries,
                (select count(*)::int from event_seals) as seals`,
      );
      if (state?.state === 'arrived') return null;
      const faults: string[] = [];
      if (Number(state?.payments) > 0) {
        await sql.query('begin');
        faults.push(...(await findFaults(sql, await listCompanies(sql))));
        await sql.query('rollback');
      }
      const counts = [state?.payments, state?.events, state?.entries, state?.seals].map(Number);
      return { counts, faults };
    });
  } finally {
    await db.close();
  }
}
export type Side = { counts: number[]; faults: string[] };

const log = () => undefined;
/** The side of a data folder, and that of a server, which its superuser reads. */
export const readFolder = async (dataDir: string) =>
  await readSide(async () => await openDatabase({ dataDir, log }));
export const readServer = async (databaseUrl: string) => {
  const [table] = await onServer(databaseUrl, "select to_regclass('database_moves') is not null as found");
  const nothing: Side = { counts: [0, 0, 0, 0], faults: [] };
  if (table?.found !== true) return nothing;
  return await readSide(async () => await openDatabase({ databaseUrl, dataDir: 'unused', log }));
};

/** All events of a feed from a cursor on, and the cursor at its end. */
export async function follow(
  paylink: Pick<Paylink, 'baseUrl'>,
  credentials: Credentials,
  after: string | null,
): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  let cursor = after ?? '';
  for (;;) {
    const query = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { after: cursor }) });
    const { status, body } = await call(paylink, credentials, ['GET', `/v1/events?${query}`]);
    assert.equal(status, 200, JSON.stringify(body));
    const page = body.data as Json[];
    ids.push(...page.map(({ id }) => String(id)));
    cursor = String(body.nextCursor);
    if (page.length < 100) return { ids, cursor };
  }
}

// What a pooler requires, observed on the wire. The test/faults folder has real poolers.

import assert from 'node:assert/strict';
import { createServer, connect as dial, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { dumpSchema } from '../../scripts/dump-schema.ts';
import {
  createCleaner,
  createEmpty,
  createTemplate,
  notesMigration,
  runOnServer,
  serverUrl,
  writeMigrations,
} from '../../test/harness/engines.ts';
import { type Database, openDatabase } from './database.ts';
import type { Sql } from './engine.ts';
import { listPendingMigrations, migrate } from './migrate.ts';
import { createMessageFramer } from './wire-stream.ts';

const cleaner = createCleaner();
after(() => cleaner.clean());

type Wire = {
  url: string;
  /** The start parameters of each connection. */
  starts: Record<string, string>[];
  /** The texts that were sent, as simple queries and to be parsed. */
  texts: string[];
  /** The name of each parsed statement, with its text; '' for none. */
  parsed: { name: string; text: string }[];
};

const readTexts = (bytes: Buffer): string[] => bytes.toString().split('\0');

function record(wire: Wire, kind: string, bytes: Buffer): void {
  if (kind === 'startup') {
    const words = readTexts(bytes.subarray(8));
    const pairs = words.flatMap((word, at) => (at % 2 === 0 && word ? [[word, words[at + 1] ?? '']] : []));
    wire.starts.push(Object.fromEntries(pairs));
    return;
  }
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const type = String.fromCharCode(bytes[at] ?? 0);
    const [first = '', second = ''] = readTexts(bytes.subarray(at + 5, at + 1 + bytes.readInt32BE(at + 1)));
    if (type === 'Q') wire.texts.push(first);
    if (type !== 'P') continue;
    wire.texts.push(second);
    wire.parsed.push({ name: first, text: second });
  }
}

/** A proxy to a server that records everything that clients send. */
async function openWire(databaseUrl: string): Promise<Wire> {
  const address = new URL(databaseUrl);
  const port = Number(address.port);
  const wire: Wire = { url: '', starts: [], texts: [], parsed: [] };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial(port, address.hostname);
    const framer = createMessageFramer();
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (chunk) => {
      for (const { kind, bytes } of framer.push(chunk)) record(wire, kind, bytes);
    });
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleaner.add(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const at = server.address();
  assert.ok(at && typeof at === 'object');
  address.port = String(at.port);
  wire.url = address.href;
  return wire;
}

/** Each kind of work of the service, once. */
async function workAll(db: Database): Promise<void> {
  const company = 'co_pooled';
  const tenant = { companyId: company, mode: 'test' } as const;
  await db.asOwner.query('select $1::int as one', [1]);
  await db.inSystem((tx) => tx.query('select $1::int as one', [1]));
  await db.inTenant(tenant, async (tx) => {
    await tx.query('select $1::int as prepared', [1], { isPrepared: true });
  });
  for (const options of [{ isBatch: true }, { isSnapshot: true }])
    await db.inBothModes(company, (tx) => tx.query('select $1::int as one', [1]), options);
}

/** Statements whose effect lasts for the session, which a pooler gives to other clients. */
const outlasting =
  /pg_(try_)?advisory_lock\b|^\s*(set\s+(?!local\b|constraints\b)|listen\b|prepare\b|declare\b.*with hold)|\btemp(orary)?\s+table\b/is;

if (serverUrl) {
  let databaseUrl: string;
  let dir: string;
  before(async () => {
    const options = await createEmpty('server', cleaner, createTemplate(cleaner));
    databaseUrl = options.databaseUrl ?? '';
    dir = await writeMigrations(cleaner, { '0001_rooms.sql': notesMigration });
  });
  const open = async (options: Partial<Parameters<typeof openDatabase>[0]> = {}) => {
    const db = await openDatabase({ databaseUrl, dataDir: 'unused', log: () => undefined, ...options });
    cleaner.add(() => db.close());
    return db;
  };

  test('connections start without parameters that a pooler may reject, and settings end with their transaction', async () => {
    const wire = await openWire(databaseUrl);
    const db = await open({ databaseUrl: wire.url });
    await migrate(db, { dir, log: () => undefined });
    await listPendingMigrations(db, { dir, log: () => undefined });
    await dumpSchema(db);
    await db.ping();
    await workAll(db);
    assert.ok(wire.starts.length > 0);
    for (const start of wire.starts)
      assert.deepEqual(Object.keys(start).sort(), [
        'application_name',
        'client_encoding',
        'database',
        'user',
      ]);
    const statements = wire.texts.flatMap((text) => text.split(';'));
    assert.deepEqual(
      statements.filter((statement) => outlasting.test(statement)),
      [],
    );
  });

  test('every statement has its limits and value settings, whatever the session has', async () => {
    const name = new URL(databaseUrl).pathname.slice(1);
    const defaults = ["timezone = 'Asia/Tokyo'", "datestyle = 'German'", 'search_path = pg_catalog'];
    // safe: both are ours.
    for (const setting of defaults) await runOnServer(`alter database ${name} set ${setting}`);
    const db = await open();
    await migrate(db, { dir, log: () => undefined });
    const at = new Date('2026-02-03T04:05:06.789Z');
    const expected = [
      {
        at,
        settings: {
          DateStyle: 'ISO, MDY',
          TimeZone: 'UTC',
          idle_in_transaction_session_timeout: '30000',
          lock_timeout: '5000',
          search_path: 'public',
          statement_timeout: '10000',
        },
      },
    ];
    const look = async (sql: Sql) =>
      await sql.query(
        `select $1::timestamptz as at, jsonb_object_agg(name, setting) as settings from pg_settings
          where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
                         'TimeZone', 'DateStyle', 'search_path')`,
        [at],
      );
    const company = 'co_settings';
    assert.deepEqual(await look(db.asOwner), expected);
    assert.deepEqual(await db.inSystem(look), expected);
    assert.deepEqual(await db.inCompany(company, look), expected);
    assert.deepEqual(await db.inCompany(company, look, { isBatch: true }), expected);
    await db.asOwner.query('vacuum public.notes');
  });

  test('a time that is not in ISO form is an error, not null', async () => {
    const db = await open();
    const foreign = (sql: Sql) =>
      sql.query(`begin; set local datestyle = 'German'; select now() as at; commit`);
    await assert.rejects(db.withConnection(foreign), /not in ISO form/);
  });

  test('only prepared statements of batches have names', async () => {
    for (const preparesStatements of [true, false]) {
      const wire = await openWire(databaseUrl);
      const db = await open({ databaseUrl: wire.url, preparesStatements });
      await migrate(db, { dir, log: () => undefined });
      await workAll(db);
      const named = wire.parsed.filter(({ name }) => name !== '');
      assert.equal(named.length, preparesStatements ? 2 : 0, JSON.stringify(named));
      assert.ok(wire.parsed.length > 2);
    }
  });

  test('only migrations use the direct address', async () => {
    const [pooled, direct] = [await openWire(databaseUrl), await openWire(databaseUrl)];
    const db = await open({ databaseUrl: pooled.url, directUrl: direct.url });
    await workAll(db);
    assert.equal(direct.starts.length, 0);
    await migrate(db, { dir, log: () => undefined });
    assert.equal(direct.starts.length, 1);
    assert.ok(!pooled.texts.some((text) => text.includes('schema_migrations')));
  });
}

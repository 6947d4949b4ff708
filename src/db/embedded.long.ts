// The embedded engine flushes commits, keeps its folder to itself, survives kill -9 and isolates its clients.

import assert from 'node:assert/strict';
import { appendFileSync, existsSync, fstatSync, fsyncSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createCleaner,
  createTemplate,
  insertNote,
  notesMigration,
  startChild,
  writeMigrations,
} from '../../test/harness/engines.ts';
import { DataFolderInUseError } from './data-folder.ts';
import { createDatabase, openDatabase } from './database.ts';
import { type EmbeddedEngine, engineMajor, openEmbedded } from './embedded.ts';
import { runMaintenance } from './embedded-maintenance.ts';
import { migrate } from './migrate.ts';

const lasting = createCleaner();
const cleaner = createCleaner();
const template = createTemplate(lasting);
afterEach(() => cleaner.clean());
after(() => lasting.clean());

async function openFolder(dataDir: string, flushFile = fsyncSync, owner = cleaner): Promise<EmbeddedEngine> {
  const engine = await openEmbedded({ dataDir, log: () => undefined, flushFile });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= engine.close();
    return closing;
  };
  owner.add(close);
  return { ...engine, close };
}

/** A database of the test tables on an engine. */
async function prepare(engine: EmbeddedEngine) {
  const db = createDatabase(engine);
  const dir = await writeMigrations(cleaner, { '0001_rooms.sql': notesMigration });
  await migrate(db, { dir, log: () => undefined });
  return db;
}

const notesOf = async (engine: EmbeddedEngine, companyId: string) => {
  const { rows } = await engine.pool.query<{ id: number }>(
    'select note_id as id from notes where company_id = $1 order by 1',
    [companyId],
  );
  return rows.map(({ id }) => id);
};

/** What the shared engine has flushed, by kind. */
const flushed: string[] = [];
let sharing: Promise<EmbeddedEngine> | undefined;

/** An engine with the test tables, shared by the tests that do not break it: opening one is slow. */
function openShared(): Promise<EmbeddedEngine> {
  const open = async () => {
    const flushFile = (fd: number) => {
      flushed.push(fstatSync(fd).isDirectory() ? 'directory' : 'file');
      fsyncSync(fd);
    };
    const engine = await openFolder(await template.copy(), flushFile, lasting);
    await prepare(engine);
    return engine;
  };
  sharing ??= open();
  return sharing;
}

test('a hundred commits flush the disk at least a hundred times', async () => {
  const engine = await openShared();
  const db = createDatabase(engine);
  assert.equal(engine.durability, 'every commit is flushed to disk (fsync)');
  const before = engine.flushCount();
  for (let noteId = 0; noteId < 100; noteId++) await insertNote(db, 'co_hundred', noteId);
  assert.ok(engine.flushCount() - before >= 100, `${engine.flushCount() - before} flushes`);
});

test('new files are flushed with the directory that names them', async () => {
  const engine = await openShared();
  flushed.length = 0;
  await engine.pool.query('select pg_switch_wal()');
  await engine.pool.query('create table one (a int)');
  assert.ok(flushed.includes('file') && flushed.includes('directory'), flushed.join());
});

test('a database that does not flush reports it', async () => {
  const dataDir = await template.copy();
  appendFileSync(join(dataDir, 'pg', 'postgresql.conf'), '\nfsync = off\n');
  const engine = await openFolder(dataDir);
  assert.match(engine.durability, /^commits may be lost at a power failure/);
});

test('a failed flush stops the database, and no acknowledged row is lost', async () => {
  const dataDir = await template.copy();
  let isDiskBroken = false;
  const engine = await openFolder(dataDir, (fd) => {
    if (isDiskBroken) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    fsyncSync(fd);
  });
  const db = await prepare(engine);
  await insertNote(db, 'co_flushed', 1);
  isDiskBroken = true;
  const stopped = /the embedded database has stopped \(PANIC: could not fsync file .*\); restart the process/;
  await assert.rejects(insertNote(db, 'co_flushed', 2), stopped);
  isDiskBroken = false;
  // A second call to the engine would never return.
  await assert.rejects(insertNote(db, 'co_flushed', 3), stopped);
  await assert.rejects(db.ping(), stopped);
  await db.close();
  const again = await openFolder(dataDir);
  const ids = await notesOf(again, 'co_flushed');
  assert.ok(ids.includes(1) && !ids.includes(3), ids.join());
});

test('a second process on the folder is rejected in one sentence, and kill -9 releases the folder', async () => {
  const dataDir = await template.copy();
  const holder = startChild(cleaner, 'hold', dataDir);
  await holder.printed('open');
  const second = startChild(cleaner, 'hold', dataDir);
  assert.equal(await second.ended, 1);
  const refusal = new RegExp(
    `^The data folder ${dataDir} is in use by process ${holder.process.pid} \\(since .*Z\\): ` +
      'stop that one, or set DATA_DIR to another folder\\.\n$',
  );
  assert.match(second.output(), refusal);
  await assert.rejects(openDatabase({ dataDir, log: () => undefined }), DataFolderInUseError);
  holder.process.kill('SIGKILL');
  await holder.ended;
  await openFolder(dataDir);
});

test('kill -9 during writes loses no acknowledged row', async () => {
  const dataDir = await template.copy();
  const first = await openFolder(dataDir);
  await prepare(first);
  await first.close();
  for (const firstNote of [1, 1001]) {
    const writer = startChild(cleaner, 'write', dataDir, String(firstNote));
    await writer.printed(`row ${firstNote + 40}.`);
    writer.process.kill('SIGKILL');
    await writer.ended;
    const acknowledged = [...writer.output().matchAll(/row (\d+)\./g)].map((match) => Number(match[1]));
    assert.ok(acknowledged.length >= 40);
    const engine = await openFolder(dataDir);
    const ids = new Set(await notesOf(engine, 'co_writer'));
    assert.deepEqual(
      acknowledged.filter((id) => !ids.has(id)),
      [],
    );
    await engine.close();
  }
});

test('kill -9 during the first start does not damage the folder', async () => {
  const dataDir = await cleaner.folder();
  const maker = startChild(cleaner, 'open', dataDir);
  let hasEnded = false;
  maker.ended.then(() => {
    hasEnded = true;
  });
  while (!existsSync(join(dataDir, 'pg.new', 'PG_VERSION'))) {
    assert.ok(!hasEnded, maker.output());
    await pause(1);
  }
  maker.process.kill('SIGKILL');
  assert.equal(await maker.ended, 'SIGKILL');
  assert.equal(existsSync(join(dataDir, 'pg')), false);
  const engine = await openFolder(dataDir);
  const { rows } = await engine.pool.query('show server_version');
  assert.equal(String(rows[0].server_version).split('.')[0], engineMajor);
  assert.deepEqual(readdirSync(dataDir).sort(), ['paylink.lock', 'paylink.lock.json', 'pg']);
});

test('a database that cannot start reports it and releases the folder', async () => {
  const dataDir = await template.copy();
  writeFileSync(join(dataDir, 'pg', 'global', 'pg_control'), Buffer.alloc(8192));
  for (let tries = 0; tries < 2; tries++) {
    await assert.rejects(
      openFolder(dataDir),
      /^OperatorError: The database in .* could not be started: .*\.$/s,
    );
  }
});

test('a client that disconnects in a transaction leaves no rows, role, settings or statements', async () => {
  const engine = await openShared();
  for (const vanish of [true, new Error('gone')]) {
    const client = await engine.pool.connect();
    client.on('error', () => undefined);
    await client.query({ name: 'mine', text: 'select 1' });
    await client.query("set paylink.company_id = 'co_vanished'");
    await client.query("begin; insert into notes values ('co_vanished', 1)");
    await client.query('set role paylink_tenant');
    if (vanish === true) await client.query('set session authorization paylink_system');
    if (vanish instanceof Error) await client.query('select 1 / 0').catch(() => undefined);
    client.release(vanish);
    assert.deepEqual(await notesOf(engine, 'co_vanished'), []);
    const { rows } = await engine.pool.query(
      `select current_user::text as name, current_setting('paylink.company_id', true) as company,
              (select count(*) from pg_prepared_statements) as statements`,
    );
    assert.equal(rows[0].name, 'postgres');
    assert.ok(!rows[0].company);
    assert.equal(rows[0].statements, 0);
  }
});

test('a client destroyed during its statement does not disturb the next', async () => {
  const engine = await openShared();
  for (let round = 0; round < 20; round++) {
    const client = await engine.pool.connect();
    client.on('error', () => undefined);
    const query = client.query('begin; create table doomed (a int)').catch((error: Error) => error.message);
    client.release(true);
    const { rows } = await engine.pool.query("select to_regclass('doomed')::text as found");
    assert.deepEqual(rows, [{ found: null }]);
    assert.match(String(await query), /Connection terminated/);
  }
});

test('other calls run between the statements of a long series', async () => {
  const engine = await openShared();
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns++;
    if (isRunning) setImmediate(count);
  };
  count();
  for (let i = 0; i < 200; i++) await engine.pool.query('select 1');
  isRunning = false;
  assert.ok(turns >= 200, `${turns} turns`);
});

test('maintenance shortens the log and clears dead rows, and does nothing if nothing is due', async () => {
  const dataDir = await template.copy();
  const engine = await openFolder(dataDir);
  const idle = { hasCheckpoint: false, vacuumed: [] };
  assert.deepEqual(await runMaintenance(engine.pool), idle);
  const segments = () =>
    readdirSync(join(dataDir, 'pg', 'pg_wal')).filter((name) => name.length === 24).length;
  await engine.pool.query('create table "Odd name" (a int, b text)');
  for (let round = 0; round < 3; round++) {
    await engine.pool.query(
      `insert into "Odd name" select g, repeat('x', 200) from generate_series(1, 100000) g`,
    );
    await engine.pool.query('delete from "Odd name"');
    assert.deepEqual(await runMaintenance(engine.pool), {
      hasCheckpoint: true,
      vacuumed: ['public."Odd name"'],
    });
  }
  assert.deepEqual(await runMaintenance(engine.pool), idle);
  // Without maintenance, the three rounds would have left seven.
  assert.ok(segments() <= 5, `${segments()} segments`);
});

test('closing waits for the open transaction, then rejects everything', async () => {
  const db = await prepare(await openFolder(await template.copy()));
  let hasWritten = false;
  let closing: Promise<void> | undefined;
  await db.inCompany('co_closing', async (tx) => {
    closing = db.close();
    await pause(50);
    await tx.query('insert into notes values ($1, 1)', [tx.companyId]);
    hasWritten = true;
  });
  await closing;
  assert.ok(hasWritten);
  assert.equal(db.close(), closing);
  await assert.rejects(db.ping(), /after calling end on the pool/);
});

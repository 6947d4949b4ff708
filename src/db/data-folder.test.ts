import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { createCleaner } from '../../test/harness/engines.ts';
import { DataFolderInUseError, ensureDatabaseFolder, lockDataFolder } from './data-folder.ts';

const cleaner = createCleaner();
afterEach(() => cleaner.clean());

/** A substitute for creating a database. */
const build = async (folder: string) => {
  mkdirSync(join(folder, 'base'));
  writeFileSync(join(folder, 'base', '1'), 'table');
  writeFileSync(join(folder, 'PG_VERSION'), '18\n');
};

test('a data folder is locked once, and the error names the holder', async () => {
  const dataDir = await cleaner.folder();
  const lock = await lockDataFolder(dataDir);
  await assert.rejects(lockDataFolder(dataDir), (error: Error) => {
    assert.ok(error instanceof DataFolderInUseError);
    const since = /\(since (\d{4}-[^)]+Z)\)/.exec(error.message)?.[1];
    assert.equal(
      error.message,
      `The data folder ${dataDir} is in use by process ${process.pid} (since ${since}): ` +
        'stop that one, or set DATA_DIR to another folder.',
    );
    return true;
  });
  lock.release();
  lock.release();
  const again = await lockDataFolder(dataDir);
  again.release();
});

test('the note of an ended process does not count as a lock', async () => {
  const dataDir = await cleaner.folder();
  const lock = await lockDataFolder(dataDir);
  const note = join(dataDir, 'paylink.lock.json');
  // No process has this number: it exceeds the limit of systems.
  const gone = { pid: 2 ** 30, host: hostname(), since: '2026-01-01T00:00:00.000Z' };
  for (const text of [JSON.stringify(gone), 'half a no']) {
    writeFileSync(note, text);
    await assert.rejects(lockDataFolder(dataDir), /is in use by another process: stop that one/);
  }
  writeFileSync(note, JSON.stringify({ ...gone, host: 'elsewhere' }));
  await assert.rejects(
    lockDataFolder(dataDir),
    /in use by process 1073741824 on elsewhere \(since 2026-01-01/,
  );
  lock.release();
});

test('the data folder is made private, with the folders above it', async () => {
  const dataDir = join(await cleaner.folder(), 'deep', 'data');
  const lock = await lockDataFolder(dataDir);
  const folder = await ensureDatabaseFolder(dataDir, '18', build);
  for (const path of [dataDir, folder]) assert.equal(statSync(path).mode & 0o777, 0o700, path);
  assert.equal(statSync(join(dataDir, 'paylink.lock.json')).mode & 0o777, 0o600);
  lock.release();
});

test('an unusable data folder is rejected in one sentence', async () => {
  const parent = await cleaner.folder();
  writeFileSync(join(parent, 'file'), '');
  await assert.rejects(
    lockDataFolder(join(parent, 'file')),
    /^OperatorError: The data folder .* cannot be used: .*\.$/,
  );
  mkdirSync(join(parent, 'odd'));
  writeFileSync(join(parent, 'odd', 'paylink.lock'), 'this is no SQLite file, and long enough to tell');
  await assert.rejects(
    lockDataFolder(join(parent, 'odd')),
    /^OperatorError: The data folder .* cannot be locked: .*\.$/,
  );
});

test('a partly created database is created again', async () => {
  const dataDir = await cleaner.folder();
  const interrupted = ensureDatabaseFolder(dataDir, '18', async (folder) => {
    await build(folder);
    writeFileSync(join(folder, 'rubbish'), '');
    throw new Error('power cut');
  });
  await assert.rejects(interrupted, /power cut/);
  assert.equal(existsSync(join(dataDir, 'pg')), false);
  const folder = await ensureDatabaseFolder(dataDir, '18', build);
  assert.equal(folder, join(dataDir, 'pg'));
  assert.deepEqual(readdirSync(folder).sort(), ['PG_VERSION', 'base']);
  assert.equal(readFileSync(join(folder, 'base', '1'), 'utf8'), 'table');
  assert.equal(existsSync(join(dataDir, 'pg.new')), false);
});

test('an existing database is not changed', async () => {
  const dataDir = await cleaner.folder();
  await ensureDatabaseFolder(dataDir, '18', build);
  await ensureDatabaseFolder(dataDir, '18', () => assert.fail('made twice'));
});

test('a database of another version, or a foreign folder, is rejected and not changed', async () => {
  const dataDir = await cleaner.folder();
  const folder = await ensureDatabaseFolder(dataDir, '18', build);
  await assert.rejects(
    ensureDatabaseFolder(dataDir, '19', build),
    /is of PostgreSQL 18 and .* brings PostgreSQL 19/,
  );
  const other = await cleaner.folder();
  mkdirSync(join(other, 'pg'));
  writeFileSync(join(other, 'pg', 'holiday.jpg'), '');
  await assert.rejects(ensureDatabaseFolder(other, '18', build), /is not empty and holds no database/);
  assert.deepEqual(readdirSync(join(other, 'pg')), ['holiday.jpg']);
  assert.deepEqual(readdirSync(folder).sort(), ['PG_VERSION', 'base']);
});

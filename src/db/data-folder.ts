// The data folder of the embedded database: its lock, which the operating system releases when its holder dies,
// and its creation. Must not: read or close the lock file except through SQLite (closing a file descriptor of it
// drops the lock of the whole process), or leave an incomplete database at its final place.

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';

const sqliteBusy = 5;
const maxHolderLookups = 10;
const holderLookupPauseMs = 50;

/** Another process uses the data folder. The message is one sentence for the operator. */
export class DataFolderInUseError extends OperatorError {
  override readonly name = 'DataFolderInUseError';
}

export type FolderLock = {
  release(): void;
};

type Holder = { pid: number; host: string; since: string };

const lockPath = (dataDir: string) => join(dataDir, 'paylink.lock');
const holderPath = (dataDir: string) => join(dataDir, 'paylink.lock.json');

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Creates the folder (mode 0700) if it is missing and locks it for this process. Throws DataFolderInUseError
 * when another process has locked it, and an Error of one sentence when it cannot be used.
 */
export async function lockDataFolder(dataDir: string): Promise<FolderLock> {
  let lock: DatabaseSync;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(lockPath(dataDir));
  } catch (error) {
    throw new OperatorError(`The data folder ${dataDir} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
  }
  try {
    // Keep the journal in memory: the lock needs no second file in the folder.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new DataFolderInUseError(await inUseMessage(dataDir));
    throw new OperatorError(`The data folder ${dataDir} cannot be locked: ${messageOf(error)}.`, {
      cause: error,
    });
  }
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    since: new Date(performance.timeOrigin).toISOString(),
  };
  writeFileSync(holderPath(dataDir), `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  return {
    release: () => {
      if (!lock.isOpen) return;
      rmSync(holderPath(dataDir), { force: true });
      lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

async function inUseMessage(dataDir: string): Promise<string> {
  const holder = await findHolder(dataDir);
  const elsewhere = holder && holder.host !== hostname() ? ` on ${holder.host}` : '';
  const who = holder ? `process ${holder.pid}${elsewhere} (since ${holder.since})` : 'another process';
  return `The data folder ${dataDir} is in use by ${who}: stop that one, or set DATA_DIR to another folder.`;
}

/**
 * The holder of the lock. Right after a crash the file may name a dead process, so it is read again for a
 * while.
 */
async function findHolder(dataDir: string): Promise<Holder | null> {
  for (let lookups = 0; lookups < maxHolderLookups; lookups++) {
    if (lookups > 0) await pause(holderLookupPauseMs);
    const holder = readHolder(dataDir);
    if (holder && (holder.host !== hostname() || isAlive(holder.pid))) return holder;
  }
  return null;
}

function readHolder(dataDir: string): Holder | null {
  try {
    const contents: unknown = JSON.parse(readFileSync(holderPath(dataDir), 'utf8'));
    if (typeof contents !== 'object' || contents === null) return null;
    const { pid, host, since } = contents as Record<string, unknown>;
    if (!Number.isSafeInteger(pid) || typeof host !== 'string' || typeof since !== 'string') return null;
    return { pid: pid as number, host, since };
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * The folder of the database files, `<dataDir>/pg`. If it is missing, `build` creates the database in
 * `<dataDir>/pg.new`, which is flushed to disk and then renamed. After an interruption the next start finds
 * either no database or a complete one. The caller must hold the lock. Throws an Error of one sentence when
 * the folder belongs to another major version of PostgreSQL.
 */
export async function ensureDatabaseFolder(
  dataDir: string,
  major: string,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(dataDir, 'pg');
  const unfinished = join(dataDir, 'pg.new');
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    checkVersion(folder, major);
    return folder;
  }
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  await build(unfinished);
  flushTree(unfinished);
  if (existsSync(folder)) rmdirSync(folder);
  renameSync(unfinished, folder);
  flush(dataDir, true);
  return folder;
}

function checkVersion(folder: string, major: string): void {
  const file = join(folder, 'PG_VERSION');
  if (!existsSync(file)) {
    throw new OperatorError(
      `The folder ${folder} is not empty and holds no database: move it away, or set DATA_DIR.`,
    );
  }
  const found = readFileSync(file, 'utf8').trim();
  if (found === major) return;
  throw new OperatorError(
    `The database in ${folder} is of PostgreSQL ${found} and this version of Paylink brings PostgreSQL ${major}: ` +
      'start the version of Paylink that made it, or set DATA_DIR to another folder.',
  );
}

function flushTree(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    flush(join(entry.parentPath, entry.name), entry.isDirectory());
  }
  flush(folder, true);
}

/** Flushes a file or a directory to disk. */
export function flush(path: string, isDirectory: boolean): void {
  // Windows cannot flush a directory and need not. It requires a file to be open for writing.
  if (isDirectory && process.platform === 'win32') return;
  const file = openSync(path, isDirectory ? 'r' : 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

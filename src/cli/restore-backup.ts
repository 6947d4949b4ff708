// Restores a backup into a temporary place for a rehearsal: a dump into a new database, a copied data folder into a copy of
// it. Must not: change the backup, use the database of the service, or leave anything behind.

import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../scripts/cluster.mjs';
import { findPostgres } from '../../scripts/system-packages.mjs';
import { randomBase32 } from '../base/ids.ts';
import { findThisCell } from '../cells/home-store.ts';
import { type Database, openDatabase } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { listMissingRoles, mayBypassRowSecurity, requiredRoles } from '../db/inspect-database.ts';
import { reasonOf } from './client.ts';
import { CommandError, type Environment, exitCodes, usageError } from './command-error.ts';
import { readServerAddress, rolesIn, runPgRestore, targetOn } from './pg-restore.ts';

/** Chores that undo what was made, the newest first. */
export type Undo = { add(chore: () => Promise<unknown>): void; run(): Promise<void> };

export function createUndo(): Undo {
  const chores: (() => Promise<unknown>)[] = [];
  return {
    add: (chore) => void chores.push(chore),
    run: async () => {
      const failures: unknown[] = [];
      for (const chore of chores.splice(0).reverse())
        await chore().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

export type BackupKind = 'dump' | 'folder';

const failed = (message: string) => new CommandError(exitCodes.found, message);

/** Whether a file begins like a dump of pg_dump in its custom format. */
function isCustomDump(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(5);
    return readSync(descriptor, head) === 5 && head.toString('latin1') === 'PGDMP';
  } finally {
    closeSync(descriptor);
  }
}

/** What a backup is. Throws a CommandError that says what to give instead. */
export function kindOfBackup(backup: string): BackupKind {
  if (!existsSync(backup)) throw usageError(`There is no file or folder ${backup}.`);
  if (statSync(backup).isDirectory()) {
    if (existsSync(join(backup, 'toc.dat'))) return 'dump';
    if (existsSync(join(backup, 'pg', 'PG_VERSION'))) return 'folder';
    throw usageError(
      `The folder ${backup} is neither a copy of a data folder (it has no pg/PG_VERSION) nor a dump (no toc.dat).`,
    );
  }
  if (isCustomDump(backup)) return 'dump';
  throw usageError(
    `The file ${backup} is not a dump in pg_dump's custom format: make backups with pg_dump --format=custom.`,
  );
}

/** Runs statements on a server, outside of a transaction. */
async function onServer<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const db = await openDatabase({ databaseUrl: url, dataDir: '', poolSize: 2, log: () => undefined });
  try {
    return await db.withConnection(work);
  } finally {
    await db.close();
  }
}

/** A PostgreSQL in a temporary folder. Returns its superuser's address. */
async function startServer(undo: Undo): Promise<string> {
  const bin = findPostgres();
  if (!bin)
    throw usageError(
      'A rehearsal needs PostgreSQL 15 or newer on this machine (Debian: postgresql), or --server with the address of a\n' +
        'superuser on a server that may get a temporary database.',
    );
  const cluster = await startCluster(bin).catch((error: unknown) => {
    throw failed(reasonOf(error));
  });
  undo.add(cluster.stop);
  return cluster.url;
}

// safe: the role is quoted.
const creationOf = (quotedRole: string) => `create role ${quotedRole} nologin;`;

/** Gives a temporary server the roles that the dump names: its grants fail without them. */
async function createRoles(sql: Sql, named: readonly string[]): Promise<void> {
  for (const role of await listMissingRoles(sql, [...requiredRoles, ...named]))
    await sql.query(creationOf(role));
}

/** Throws a usage error if a server of the operator cannot take the dump. Its roles are not ours to create. */
async function checkServer(sql: Sql, named: readonly string[]): Promise<void> {
  if (!(await mayBypassRowSecurity(sql)))
    throw usageError('--server needs the address of a superuser, or of a user with BYPASSRLS and CREATEDB.');
  const missing = await listMissingRoles(sql, requiredRoles);
  if (missing.length > 0)
    throw usageError(
      `The server lacks the roles ${missing.join(' and ')}: create them as in "Setting up PostgreSQL" in docs/operations.md.`,
    );
  const others = await listMissingRoles(sql, named);
  if (others.length > 0)
    throw usageError(
      'The backup gives rights to roles that the server lacks: rehearse without --server, or run there first: ' +
        others.map(creationOf).join(' '),
    );
}

type RestoreOptions = {
  serverUrl: string | undefined;
  /** The environment of the command. */
  env: Environment;
  undo: Undo;
  signal: AbortSignal;
};

/** Restores a dump into a new database, on the server at `serverUrl` or a temporary one, and opens it. */
export async function restoreDump(
  dump: string,
  { serverUrl, env, undo, signal }: RestoreOptions,
): Promise<Database> {
  const server = serverUrl === undefined ? await startServer(undo) : readServerAddress(serverUrl);
  const name = `paylink_rehearsal_${randomBase32(8)}`;
  // Before the database exists: an address that cannot be used leaves nothing behind.
  const target = targetOn(server, name);
  const bin = findPostgres();
  const program = bin && existsSync(join(bin, 'pg_restore')) ? join(bin, 'pg_restore') : 'pg_restore';
  const schema = await runPgRestore(['--schema-only', '--no-owner', '--file=-', dump], {
    program,
    env,
    signal,
  });
  const roles = rolesIn(schema);
  await onServer(server, async (sql) => {
    await (serverUrl === undefined ? createRoles(sql, roles) : checkServer(sql, roles));
    // safe: a random name of lower-case letters and digits.
    await sql.query(`create database ${name} template template0`);
  });
  // safe: the same name.
  undo.add(
    async () => await onServer(server, async (sql) => await sql.query(`drop database ${name} with (force)`)),
  );
  const { databaseUrl, address, password } = target;
  const args = ['--no-owner', '--exit-on-error', '--no-password', `--dbname=${address}`, dump];
  await runPgRestore(args, { program, env, signal, password });
  const db = await openRestored(databaseUrl);
  undo.add(db.close);
  return db;
}

/** Opens a restored database; that of a cell as a cell, whose companies are entered. */
async function openRestored(databaseUrl: string): Promise<Database> {
  const options = { databaseUrl, dataDir: '', poolSize: 2, log: () => undefined };
  const db = await openDatabase(options);
  const own = await findThisCell(db.asOwner).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  if (!own) return db;
  await db.close();
  return await openDatabase({ ...options, cell: own.name });
}

/** Opens a copy of a copied data folder. Returns its database and the copy, which contains the master key. */
export async function restoreFolder(
  backup: string,
  { undo }: { undo: Undo },
): Promise<{ db: Database; dataDir: string }> {
  if (existsSync(join(backup, 'paylink.lock.json')))
    throw failed(
      `The folder ${backup} was copied while Paylink used it, or after Paylink was killed (it has paylink.lock.json): ` +
        'stop Paylink, and copy its data folder again.',
    );
  const dataDir = await mkdtemp(join(tmpdir(), 'paylink-rehearsal-'));
  undo.add(async () => await rm(dataDir, { recursive: true, force: true }));
  await cp(backup, dataDir, { recursive: true });
  const db = await openDatabase({ dataDir, log: () => undefined });
  undo.add(db.close);
  return { db, dataDir };
}

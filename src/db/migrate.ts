// Migrates the database to this version: each file once, in order, in its own transaction. Processes may start at
// the same time. Must not: go backwards, run a file that precedes an applied one, or accept a changed file.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../base/operator-error.ts';
import { isStatementError } from './connection.ts';
import type { Database } from './database.ts';
import type { Sql } from './engine.ts';
import { inOwnTransaction } from './own-transaction.ts';
import { lockLimitMs, unlimitedSettings } from './session-settings.ts';
import { type RowOf, statement, t } from './statements.ts';
import { retryOnConflict } from './transaction.ts';

type Migration = { version: number; name: string; file: string; text: string; checksum: string };
const AppliedMigration = { version: t.int4, name: t.text, checksum: t.text };
type AppliedMigration = RowOf<typeof AppliedMigration>;

/**
 * The key of the lock of a migrating transaction: a fixed number that nothing else uses. The lock belongs to
 * the transaction, because a pooler may give the next transaction another session.
 */
const lockKey = 7_310_595_316_852;

/** The savepoint, or its transaction, does not exist. */
const transactionEnded = ['3B001', '25P01'];

/** The folder of the migrations, part of the code. */
export const migrationsDir = new URL('../../migrations/', import.meta.url).pathname;

/**
 * Applies the missing migrations. Returns the names of the files that this call applied, in order. Throws an
 * Error of one sentence when the folder and the database contradict each other, or a migration fails.
 */
export async function migrate(
  db: Database,
  options: { dir: string; log: (message: string) => void },
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(options.dir);
  return await db.withConnection(async (sql) => ({
    applied: await applyMissing(db.kind, sql, migrations, options.log),
  }));
}

/**
 * The names of the files that `migrate` would apply, in order; null for a database that does not exist yet.
 * Changes nothing. Throws like `migrate` when the folder and the database contradict each other.
 */
export async function listPendingMigrations(
  db: Database | null,
  options: { dir: string; log: (message: string) => void },
): Promise<string[]> {
  const migrations = await readMigrations(options.dir);
  const applied = db
    ? await db.withConnection((sql) =>
        underLock(db.kind, sql, async () => ((await hasLedger(sql)) ? await readApplied(sql) : [])),
      )
    : [];
  return compare(migrations, applied, options.log).map(({ file }) => file);
}

/** Runs work in a transaction while no other process migrates. */
async function underLock<T>(kind: Database['kind'], sql: Sql, work: () => Promise<T>): Promise<T> {
  // Another process may work for minutes, and so may a migration. Only a migration's wait for a lock has a
  // limit: while it waits, everybody else queues behind it.
  return await inOwnTransaction(sql, { settings: unlimitedSettings(kind) }, async () => {
    await sql.query('select pg_advisory_xact_lock($1)', [lockKey]);
    // safe: a constant.
    await sql.query(`set local lock_timeout = ${lockLimitMs}`);
    return await work();
  });
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()) {
    const parts = /^(\d{4})_([0-9a-z_]+)\.sql$/.exec(file);
    if (!parts) throw new OperatorError(`The migration ${file} is not named like 0001_what_it_does.sql.`);
    // A checkout on Windows may convert the line ends. That is not a change.
    const text = (await readFile(join(dir, file), 'utf8')).replaceAll('\r\n', '\n');
    const version = Number(parts[1]);
    if (migrations.at(-1)?.version === version) {
      throw new OperatorError(`The migrations ${migrations.at(-1)?.file} and ${file} have the same number.`);
    }
    const checksum = createHash('sha256').update(text).digest('hex');
    migrations.push({ version, name: parts[2] as string, file, text, checksum });
  }
  return migrations;
}

/**
 * Several processes may do this in turn: each checks again under the lock and applies the next missing file.
 */
async function applyMissing(
  kind: Database['kind'],
  sql: Sql,
  migrations: Migration[],
  log: (message: string) => void,
): Promise<string[]> {
  const applied: string[] = [];
  let note = log;
  for (;;) {
    const applyNext = async () => {
      await createLedger(sql);
      const [first] = compare(migrations, await readApplied(sql), note);
      if (first) await apply(sql, first);
      return first;
    };
    // Requests of running processes lock the same tables, in an order of their own.
    const next = await retryOnConflict(async () => await underLock(kind, sql, applyNext));
    if (!next) return applied;
    applied.push(next.file);
    log(`migration ${next.file} applied`);
    // Only the first comparison reports on the database.
    note = () => undefined;
  }
}

const readAppliedSql = statement(AppliedMigration)`
  select version, name, checksum from schema_migrations order by version`;

async function readApplied(sql: Sql): Promise<AppliedMigration[]> {
  return await sql.query(readAppliedSql);
}

const hasLedgerSql = statement({ found: t.bool })`
  select to_regclass('public.schema_migrations') is not null as found`;

async function hasLedger(sql: Sql): Promise<boolean> {
  const [ledger] = await sql.query(hasLedgerSql);
  return ledger?.found ?? false;
}

const createLedgerSql = statement({ name: t.text, mayCreate: t.bool })`
  select quote_ident(current_user) as name, has_schema_privilege('public', 'create') as "mayCreate"`;

async function createLedger(sql: Sql): Promise<void> {
  // Ask first: a role that cannot create tables may still read this one.
  if (await hasLedger(sql)) return;
  const [user] = await sql.query(createLedgerSql);
  if (!user?.mayCreate)
    throw new OperatorError(
      'The database user may not create tables; an administrator has to run once, in this database: ' +
        `grant create on schema public to ${user?.name};`,
    );
  await sql.query(
    `create table schema_migrations (
       version     integer primary key,
       name        text not null,
       checksum    text not null,
       applied_at  timestamptz not null default now()
     )`,
  );
}

/** The files to apply, after all checks for contradictions. */
function compare(
  migrations: Migration[],
  applied: AppliedMigration[],
  log: (message: string) => void,
): Migration[] {
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  const newest = migrations.at(-1)?.version ?? -1;
  for (const { version, name, checksum } of applied) {
    const migration = byVersion.get(version);
    const label = `${String(version).padStart(4, '0')}_${name}.sql`;
    if (!migration && version > newest) {
      log(`the database is newer than this version of Paylink: it has ${label}`);
    } else if (!migration) {
      throw new OperatorError(
        `The migration ${label} was applied to this database, but its file is missing.`,
      );
    } else if (migration.checksum !== checksum) {
      throw new OperatorError(
        `The migration ${migration.file} was changed after it was applied to this database: ` +
          'restore the file, and put the change into a new migration.',
      );
    }
  }
  const lastApplied = applied.at(-1)?.version ?? -1;
  const done = new Set(applied.map(({ version }) => version));
  const missing = migrations.filter(({ version }) => !done.has(version));
  const late = missing.find(({ version }) => version < lastApplied);
  if (late) {
    throw new OperatorError(
      `The migration ${late.file} comes before others that were applied already: give it the next free number.`,
    );
  }
  return missing;
}

async function apply(sql: Sql, { version, name, file, text, checksum }: Migration): Promise<void> {
  try {
    // The savepoint proves that the file did not end the transaction.
    await sql.query('savepoint migration_file');
    await sql.query(text);
    await sql.query('release savepoint migration_file');
    // Run the checks of the commit now, while the file can still be named.
    await sql.query('set constraints all immediate');
    await sql.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
  } catch (error) {
    throw new OperatorError(`The migration ${file} failed: ${describe(error, text)}`, { cause: error });
  }
}

function describe(error: unknown, text: string): string {
  if (!isStatementError(error)) return error instanceof Error ? error.message : String(error);
  if (transactionEnded.includes(error.code ?? '')) {
    return 'it ended its transaction; a migration must not commit or roll back.';
  }
  // The position counts characters, from 1.
  const position = Number(error.position);
  const line =
    position > 0
      ? ` (line ${
          [...text]
            .slice(0, position - 1)
            .join('')
            .split('\n').length
        })`
      : '';
  return `${error.message}${line}${error.message.endsWith(';') ? '' : '.'}`;
}

// Opens the database in the settings of the service, for the operators' commands. Must not: create a database or a
// folder; only `admin migrate` and the service do.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { NoCellError } from '../cells/place-company.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { listPendingMigrations, migrationsDir } from '../db/migrate.ts';
import { refuseUnfinishedMove } from '../db/move-store.ts';
import { openConfiguredDatabase } from '../open-database.ts';
import { describeStartupError } from '../startup-error.ts';
import { CommandError, type Environment, exitCodes, usageError } from './command-error.ts';

/** The variables of the environment above those of `.env` in the working directory, as the service reads them. */
export function serviceEnvironment(env: Environment): Environment {
  return existsSync('.env') ? { ...parseEnv(readFileSync('.env', 'utf8')), ...env } : env;
}

/** The settings. Throws a CommandError that lists the invalid ones. */
export function readServiceSettings(env: Environment): Config {
  try {
    return readConfig(serviceEnvironment(env));
  } catch (error) {
    throw toStartupError(error, null);
  }
}

/** The CommandError for an error of the settings or the database. Other errors are returned unchanged. */
export function toStartupError(error: unknown, config: Config | null): unknown {
  if (error instanceof CommandError) return error;
  if (error instanceof NoCellError)
    return new CommandError(exitCodes.found, error.message, { code: 'no_cell' });
  const sentence = describeStartupError(error, config);
  return sentence === null ? error : usageError(sentence);
}

/** Whether there may be a database, without opening it. For a server this is always true. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'pg'));
}

/** What a move or an import uses of a cell at once: for its lock, for the last transaction, and beside that. */
const leastConnections = 3;

/** Opens the database in the settings, or its cells. Creates an embedded one that does not exist. */
export async function openOrCreate(
  config: Config,
  prepare: (database: Database) => Promise<void> = async () => undefined,
): Promise<Database> {
  const least = config.cells ? leastConnections : 0;
  const enough = { ...config, databasePoolSize: Math.max(config.databasePoolSize, least) };
  return await openConfiguredDatabase(enough, { log: () => undefined, prepare });
}

async function requireCurrent(database: Database): Promise<void> {
  const pending = await listPendingMigrations(database, { dir: migrationsDir, log: () => undefined });
  if (pending.length > 0)
    throw usageError(
      'The database does not match this version of Paylink: run paylink admin migrate, or start the service once.',
    );
  await refuseUnfinishedMove(database);
}

/** What a command does while a cell is down. */
export type CellsNeeded = 'all' | 'those that are up';

async function openExisting(config: Config, needed: CellsNeeded): Promise<Database> {
  if (!hasDatabase(config))
    throw usageError(
      `There is no database in ${config.dataDir}: set DATABASE_URL or DATA_DIR as for the service.`,
    );
  const db = await openOrCreate(config, requireCurrent);
  const down = db.downCells();
  if (down.length === 0 || needed !== 'all') return db;
  await db.close();
  throw usageError(`These cells cannot be reached, and the command needs all: ${down.join(', ')}.`);
}

/** Runs work on the database in the settings, which must exist and match this version. */
export async function withDatabase<T>(
  env: Environment,
  work: (db: Database, config: Config) => Promise<T>,
  needed: CellsNeeded = 'all',
): Promise<T> {
  const config = readServiceSettings(env);
  return await withConfiguredDatabase(config, async (db) => await work(db, config), needed);
}

/** The same with settings that were read already. */
export async function withConfiguredDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
  needed: CellsNeeded = 'all',
): Promise<T> {
  try {
    const db = await openExisting(config, needed);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  } catch (error) {
    throw toStartupError(error, config);
  }
}

// The commands that work on the database itself: they open it by the settings of the service. It must
// never prepare a database, nor make a folder: that is for `admin migrate` and the service.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Config, databaseOptions, readConfig } from '../config.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { listPendingMigrations, migrationsDir } from '../db/migrate.ts';
import { describeStartupError } from '../startup-error.ts';
import { CommandError, type Environment, usageError } from './fault.ts';

/** The variables of the environment above those of `.env` in the working directory, as the service reads them. */
export function serviceEnvironment(env: Environment): Environment {
  return existsSync('.env') ? { ...parseEnv(readFileSync('.env', 'utf8')), ...env } : env;
}

/** The settings. Throws a CommandError that lists what does not pass. */
export function readServiceSettings(env: Environment): Config {
  try {
    return readConfig(serviceEnvironment(env));
  } catch (error) {
    throw toStartupError(error, null);
  }
}

/** A fault of the settings or the database as its sentence; one of ours as it is. */
export function toStartupError(error: unknown, config: Config | null): unknown {
  if (error instanceof CommandError) return error;
  const sentence = describeStartupError(error, config);
  return sentence === null ? error : usageError(sentence);
}

/** Whether there is a database to open, without opening it: a server may always have one. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'pg'));
}

/** Opens the database of the settings; an embedded one that is missing is made. */
export async function openOrCreate(config: Config): Promise<Database> {
  return await openDatabase({ ...databaseOptions(config), log: () => undefined });
}

async function openExisting(config: Config): Promise<Database> {
  if (!hasDatabase(config))
    throw usageError(
      `There is no database in ${config.dataDir}: set DATABASE_URL or DATA_DIR as the service has it.`,
    );
  const db = await openOrCreate(config);
  try {
    const missing = await listPendingMigrations(db, { dir: migrationsDir, log: () => undefined });
    if (missing.length === 0) return db;
    throw usageError(
      'The database is not one of this version of Paylink: run paylink admin migrate, or start the service once.',
    );
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Runs work on the database of the settings, which has to be there and of this version. */
export async function withDatabase<T>(
  env: Environment,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = readServiceSettings(env);
  try {
    const db = await openExisting(config);
    try {
      return await work(db, config);
    } finally {
      await db.close();
    }
  } catch (error) {
    throw toStartupError(error, config);
  }
}

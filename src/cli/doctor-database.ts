// What `paylink doctor` finds out from the database. It must never make one, nor change anything in it.

import { systemClock } from '../base/clock.ts';
import { compareMasterKeys } from '../check-master-key.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { inspectDatabase, requiredRoles } from '../db/inspect-database.ts';
import { listPendingMigrations, migrationsDir } from '../db/migrate.ts';
import { type MasterKeys, readMasterKeys } from '../master-key.ts';
import { type CheckResult, fail, ok, warn } from './doctor-checks.ts';
import { hasDatabase, openOrCreate, toStartupError } from './settings.ts';
import { withReadOnlyJobs } from './verify.ts';

const secondMs = 1000;
const smallSkewMs = 2 * secondMs;
const greatSkewMs = 30 * secondMs;

function checkClock(databaseNow: Date, queriedAt: { before: Date; after: Date }): CheckResult {
  // What the question took is not a difference of the clocks.
  const early = queriedAt.before.getTime() - databaseNow.getTime();
  const late = databaseNow.getTime() - queriedAt.after.getTime();
  const skewMs = Math.max(0, early, late);
  const detail = `${skewMs} ms between this machine and the database`;
  const mend = 'Keep both by NTP: tokens and expiry go by these clocks.';
  if (skewMs > greatSkewMs) return fail('clock', detail, mend);
  return skewMs > smallSkewMs ? warn('clock', detail, mend) : ok('clock', detail);
}

function checkRoles(roles: readonly { name: string; mayBeTaken: boolean }[]): CheckResult {
  const missing = requiredRoles.filter(
    (name) => !roles.some((role) => role.name === name && role.mayBeTaken),
  );
  if (missing.length === 0) return ok('database roles', requiredRoles.join(', '));
  return fail(
    'database roles',
    `The database user may not take ${missing.join(', ')}.`,
    'See "Setting up PostgreSQL" in docs/operations.md for the statements.',
  );
}

async function checkMigrations(db: Database): Promise<CheckResult> {
  const notes: string[] = [];
  try {
    const missing = await listPendingMigrations(db, { dir: migrationsDir, log: (line) => notes.push(line) });
    if (missing.length > 0)
      return warn(
        'migrations',
        `missing: ${missing.join(', ')}`,
        'Run paylink admin migrate, or start the service.',
      );
    const [newer] = notes;
    return newer
      ? warn('migrations', newer, 'Run the version of Paylink that the database is of.')
      : ok('migrations', 'none is missing');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail('migrations', message, 'Take the files of the release; a migration is never changed.');
  }
}

async function checkJobs(db: Database): Promise<CheckResult> {
  const dead = await withReadOnlyJobs(db, async (jobs) => await jobs.listDeadJobs());
  if (dead.length === 0) return ok('jobs', 'none has died');
  return warn('jobs', `${dead.length} have died.`, 'See paylink jobs dead.');
}

/** The master keys; null where there is none that can be read, which the check of the key itself tells. */
function readKeys(config: Config): MasterKeys | null {
  try {
    return readMasterKeys(config);
  } catch {
    return null;
  }
}

/** Whether the master key is the one that the database was written with; nothing where the settings have no key to compare. */
async function checkKeyOfDatabase(db: Database, config: Config): Promise<CheckResult[]> {
  const check = 'master key of the database';
  const keys = readKeys(config);
  if (!keys) return [];
  const match = await compareMasterKeys(db, keys);
  if (match.kind === 'own') return [ok(check, 'the one that the database was written with')];
  if (match.kind === 'none')
    return [warn(check, 'The database keeps no check value yet.', 'Start the service once; it keeps one.')];
  return [
    fail(
      check,
      `The database was written with another one, named ${match.keyIds.join(' or ')}: the service will not start.`,
      'Set PAYLINK_MASTER_KEY to that one, or restore the file master.key in DATA_DIR.',
    ),
  ];
}

async function checkOpenDatabase(db: Database, config: Config): Promise<CheckResult[]> {
  const before = systemClock.now();
  const { version, now, roles } = await inspectDatabase(db.asOwner);
  const clock = checkClock(now, { before, after: systemClock.now() });
  const isLossy = db.durability.startsWith('commits may be lost');
  const kind = db.kind === 'embedded' ? 'embedded' : 'server';
  const migrations = await checkMigrations(db);
  return [
    ok('database', `PostgreSQL ${version}, ${kind}`),
    isLossy
      ? warn('durability', db.durability, 'Turn fsync and synchronous_commit on before money is real.')
      : ok('durability', db.durability),
    // The migrations make them where the user may; before that they are not missed.
    ...(migrations.state === 'warn' ? [] : [checkRoles(roles)]),
    migrations,
    clock,
    ...(migrations.state === 'ok' ? [await checkJobs(db), ...(await checkKeyOfDatabase(db, config))] : []),
  ];
}

/** Looks into the database of the settings, when there is one and nobody else holds it. */
export async function checkDatabase(config: Config): Promise<CheckResult[]> {
  if (!hasDatabase(config))
    return [warn('database', `There is none in ${config.dataDir}.`, 'Start the service once; it makes one.')];
  let db: Database;
  try {
    db = await openOrCreate(config);
  } catch (error) {
    if (error instanceof Error && error.name === 'DataFolderInUseError')
      return [warn('database', error.message, 'For the checks of the database, stop the service first.')];
    const told = toStartupError(error, config);
    return [
      fail('database', told instanceof Error ? told.message : String(told), 'Mend what the sentence names.'),
    ];
  }
  try {
    return await checkOpenDatabase(db, config);
  } finally {
    await db.close();
  }
}

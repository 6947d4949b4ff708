// The checks of `paylink doctor` that need the database. Must not: create one, or change anything in it.

import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/operator-error.ts';
import { requireRights } from '../cell-moves/check-move.ts';
import { requireCellServer } from '../cells/inspect-cells.ts';
import { directoryName } from '../cells/route-cells.ts';
import { compareMasterKeys } from '../check-master-key.ts';
import type { Config } from '../config.ts';
import { skewOf } from '../db/clock-skew.ts';
import type { Database } from '../db/database.ts';
import { inspectDatabase, requiredRoles } from '../db/inspect-database.ts';
import { listPendingMigrations, migrationsDir } from '../db/migrate.ts';
import { listDeadWork } from '../dead-work.ts';
import { type MasterKeys, readMasterKeys } from '../master-key.ts';
import { reasonOf } from './client.ts';
import { type CheckResult, fail, ok, warn } from './doctor-checks.ts';
import { hasDatabase, openOrCreate, toStartupError } from './settings.ts';

const secondMs = 1000;
const smallSkewMs = 2 * secondMs;
const maxSkewMs = 30 * secondMs;

function checkClock(databaseNow: Date, queriedAt: { before: Date; after: Date }): CheckResult {
  const skewMs = skewOf(databaseNow, queriedAt);
  const detail = `${skewMs} ms between this machine and the database`;
  const mend = 'Synchronise both by NTP: tokens and expiry depend on these clocks.';
  if (skewMs > maxSkewMs) return fail('clock', detail, mend);
  return skewMs > smallSkewMs ? warn('clock', detail, mend) : ok('clock', detail);
}

function checkRoles(roles: readonly { name: string; mayBeTaken: boolean }[]): CheckResult {
  const missing = requiredRoles.filter(
    (name) => !roles.some((role) => role.name === name && role.mayBeTaken),
  );
  if (missing.length === 0) return ok('database roles', requiredRoles.join(', '));
  return fail(
    'database roles',
    `The database user cannot assume ${missing.join(', ')}.`,
    'See "Setting up PostgreSQL" in docs/operations.md for the statements.',
  );
}

async function checkMigrations(db: Database): Promise<CheckResult> {
  const notes: string[] = [];
  try {
    const pending = await listPendingMigrations(db, { dir: migrationsDir, log: (line) => notes.push(line) });
    if (pending.length > 0)
      return warn(
        'migrations',
        `pending: ${pending.join(', ')}`,
        'Run paylink admin migrate, or start the service.',
      );
    const [newer] = notes;
    return newer
      ? warn('migrations', newer, 'Run the version of Paylink that migrated the database.')
      : ok('migrations', 'none is pending');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail('migrations', message, 'Restore the files of the release; migrations never change.');
  }
}

async function checkJobs(db: Database): Promise<CheckResult> {
  const dead = await listDeadWork(db);
  if (dead.length === 0) return ok('jobs', 'none is dead');
  return warn('jobs', `${dead.length} dead.`, 'Run paylink jobs dead.');
}

/** The master keys; null if they cannot be read, which the check of the key reports. */
function readKeys(config: Config): MasterKeys | null {
  try {
    return readMasterKeys(config);
  } catch {
    return null;
  }
}

/** Whether the database was written with this master key; empty if the settings have none. */
async function checkKeyOfDatabase(db: Database, config: Config): Promise<CheckResult[]> {
  const check = 'master key of the database';
  const keys = readKeys(config);
  if (!keys) return [];
  const match = await compareMasterKeys(db, keys);
  if (match.kind === 'own') return [ok(check, 'the database was written with this key')];
  if (match.kind === 'none')
    return [warn(check, 'The database has no check value yet.', 'Start the service once: it stores one.')];
  return [
    fail(
      check,
      `The database was written with another key, named ${match.keyIds.join(' or ')}: the service will not start.`,
      'Set PAYLINK_MASTER_KEY to that key, or restore the file master.key in DATA_DIR.',
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
      ? warn(
          'durability',
          db.durability,
          'Switch on fsync and synchronous_commit before you take real money.',
        )
      : ok('durability', db.durability),
    // The migrations create the roles if they can, so a missing role is reported only after them.
    ...(migrations.state === 'warn' ? [] : [checkRoles(roles)]),
    migrations,
    clock,
    ...(migrations.state === 'ok' ? [await checkJobs(db), ...(await checkKeyOfDatabase(db, config))] : []),
  ];
}

/** Whether companies can come to a cell, and go. */
async function checkCellServer(cell: Database): Promise<CheckResult> {
  const check = 'replication';
  try {
    const name = cell.cell ?? '';
    await requireCellServer(name, cell);
    await requireRights({ name, db: cell });
    return ok(check, 'companies can be moved to the cell, and from it');
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return warn(check, error.message, 'See "What a server needs" and "Rights for moves" in docs/cells.md.');
  }
}

/** The checks of each cell, with its name. A cell that is down, or goes down meanwhile, is a failed check. */
async function checkCells(db: Database, config: Config): Promise<CheckResult[]> {
  const mend =
    'Check that the server runs: its companies get 503 until then. docs/runbooks/cell-down.md says more.';
  const checked = db.cells().map(async (cell): Promise<CheckResult[]> => {
    const named = (found: CheckResult) => ({ ...found, check: `${found.check} of ${cell.cell}` });
    try {
      const isCell = cell.cell !== directoryName;
      return [
        ...(await checkOpenDatabase(cell, config)),
        ...(isCell ? [await checkCellServer(cell)] : []),
      ].map(named);
    } catch (error) {
      return [named(fail('database', reasonOf(error), mend))];
    }
  });
  const down = db.downCells().map((cell) => fail(`database of ${cell}`, 'It cannot be reached.', mend));
  return [...(await Promise.all(checked)).flat(), ...down];
}

/** Checks the database in the settings, if it exists and no other process uses it. */
export async function checkDatabase(config: Config): Promise<CheckResult[]> {
  if (!hasDatabase(config))
    return [
      warn(
        'database',
        `There is no database in ${config.dataDir}.`,
        'Start the service once: it creates one.',
      ),
    ];
  let db: Database;
  try {
    db = await openOrCreate(config);
  } catch (error) {
    if (error instanceof Error && error.name === 'DataFolderInUseError')
      return [warn('database', error.message, 'To check the database, stop the service first.')];
    const reported = toStartupError(error, config);
    const message = reported instanceof Error ? reported.message : String(reported);
    return [
      fail(
        'database',
        message,
        /cannot be reached|refuses the connection/.test(message)
          ? 'Check that the server runs, and accepts this user from this machine. docs/operations.md describes its setup.'
          : 'Correct the reported problem.',
      ),
    ];
  }
  try {
    return config.cells ? await checkCells(db, config) : await checkOpenDatabase(db, config);
  } finally {
    await db.close();
  }
}

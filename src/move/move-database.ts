// Moves an embedded database to a server, all or nothing. The rows arrive in one transaction, together with a note that
// keeps the service from starting there; then the data folder is closed, and then the note is finished. An interruption at
// any point leaves one whole side that counts, and running the move again finishes it. Must not: close the data folder before
// the target has committed, or let the target start before the folder is closed. docs/decisions/0038-moving-to-a-server.md.

import type { Clock } from '../base/clock.ts';
import { randomBase32 } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { lockDataFolder } from '../db/data-folder.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import {
  type FolderMove,
  readFolderMove,
  setMovedDatabaseAside,
  writeFolderMove,
} from '../db/folder-move.ts';
import { migrate, migrationsDir } from '../db/migrate.ts';
import { deleteMove, findMove, finishMove, insertMove, lockNotAvailable } from '../db/move-store.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import {
  countMissingNumbers,
  endOfNumbers,
  raiseEventNumbers,
  readEventNumbers,
} from '../events/event-numbers.ts';
import { checkTarget, readMove, requireNoRows } from './check-target.ts';
import { copyRows, copySettings, flushCommit } from './copy-rows.ts';
import { MoveStoppedError } from './move-stopped-error.ts';
import {
  closeTables,
  filledByMigrations,
  listMovedTables,
  type MovedTable,
  openTables,
  requireOwnTables,
  requireSameTables,
  sortByReferences,
} from './tables.ts';
import { compareTables, findFaults, listCompanies } from './verify-copy.ts';

export type MoveDeps = {
  /** The embedded database of `dataDir`; its folder stays locked until it is closed. A move that succeeds closes it. */
  source: Database;
  target: Database;
  dataDir: string;
  /** The name of the target, without its password. */
  to: string;
  clock: Clock;
  /** Receives each step when it is done. */
  onStep: (step: string) => void;
};

export type MoveSummary = {
  tables: number;
  rows: number;
  companies: number;
  /** Faults of the ledgers and hash chains that the source has, too. */
  faults: string[];
};

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function lockTables(sql: Sql, tables: readonly MovedTable[]): Promise<void> {
  const names = tables.map(({ sqlName }) => sqlName).join(', ');
  try {
    await sql.query("set local lock_timeout = '5s'");
    // A service that starts meanwhile waits for this one, and then refuses.
    await sql.query('lock table database_moves in access exclusive mode');
    // safe: the names come from the catalogue, quoted by format().
    await sql.query(`lock table ${names} in access exclusive mode`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
    throw new OperatorError(
      'Another program uses the target: stop every service that is set to it, and run the move again.',
      { cause: error },
    );
  }
}

/** Empties the tables of what migrations, or an interrupted move of the same folder, have written. */
async function clearTables(sql: Sql, tables: readonly MovedTable[], moveId: string): Promise<void> {
  const move = await findMove(sql);
  if (move && move.moveId !== moveId)
    throw new OperatorError(
      'Another move to the target has just ended: create an empty database for this one.',
    );
  const isAgain = move?.state === 'arrived';
  if (!isAgain) await requireNoRows(sql, tables);
  await deleteMove(sql);
  const filled = tables.filter(({ name }) => isAgain || filledByMigrations.has(name));
  // safe: the names come from the catalogue, quoted by format().
  await sql.query(`truncate ${filled.map(({ sqlName }) => sqlName).join(', ')}`);
}

const countFaults = (count: number) => (count === 1 ? 'one fault' : `${count} faults`);

/** The faults that both sides have. Throws a MoveStoppedError if the copy has others. */
async function verifyRecords(from: Sql, into: Sql, companyIds: readonly string[]): Promise<string[]> {
  const faults = await findFaults(into, companyIds);
  if (faults.length === 0) return [];
  const known = new Set(await findFaults(from, companyIds));
  const added = faults.filter((fault) => !known.has(fault));
  if (added.length === 0) return faults;
  throw new MoveStoppedError(
    `The copy has ${countFaults(added.length)} that the original does not have: ${added[0]} Nothing was moved.`,
  );
}

/** Inside a transaction of each side: empties, fills and verifies the target. */
async function fillTarget(
  { from, into }: { from: Sql; into: Sql },
  moveId: string,
  onStep: (step: string) => void,
): Promise<MoveSummary> {
  const tables = sortByReferences(await listMovedTables(into));
  await flushCommit(into);
  await lockTables(into, tables);
  // The owner sees all rows only then.
  await openTables(into, tables);
  await clearTables(into, tables, moveId);
  let rows = 0;
  for (const table of tables) {
    const copied = await copyRows(from, into, table);
    rows += copied;
    onStep(`copied ${table.name} (rows: ${copied})`);
  }
  // The checks read all rows, and would be planned for empty tables.
  // safe: the names come from the catalogue, quoted by format().
  await into.query(`analyze ${tables.map(({ sqlName }) => sqlName).join(', ')}`);
  await compareTables(from, into);
  onStep('compared the counts and checksums of all tables');
  const companyIds = await listCompanies(from);
  await closeTables(into, tables);
  const faults = await verifyRecords(from, into, companyIds);
  onStep('verified the hash chains and ledgers');
  await insertMove(into, moveId);
  return { tables: tables.length, rows, companies: companyIds.length, faults };
}

/**
 * The first number above those of the source's rows, and of the cursors that its clients hold. Throws an OperatorError if
 * there is a forged one.
 */
async function readEnd(from: Sql): Promise<bigint> {
  const numbers = await readEventNumbers(from);
  countMissingNumbers(numbers);
  return endOfNumbers(numbers);
}

/** Copies everything and commits on the target. From then on it has the note `arrived`. */
async function copyDatabase({ source, target, onStep }: MoveDeps, moveId: string): Promise<MoveSummary> {
  return await source.withConnection(
    async (from) =>
      await target.withConnection(
        async (into) =>
          await inOwnTransaction(
            from,
            { settings: copySettings('embedded'), isolation: 'snapshot' },
            async () => {
              await raiseEventNumbers(into, await readEnd(from));
              onStep('raised the numbers of events of the target above those of the source');
              return await inOwnTransaction(into, { settings: copySettings('server') }, async () => {
                const summary = await fillTarget({ from, into }, moveId, onStep);
                onStep('the target commits');
                return summary;
              });
            },
          ),
      ),
  );
}

/** Applies the migrations that the target lacks, and compares its tables with the source's. */
async function prepareTables({ source, target }: MoveDeps): Promise<void> {
  await migrate(target, { dir: migrationsDir, log: () => undefined });
  await requireTables(source, target);
}

async function requireTables(source: Database, target: Database): Promise<void> {
  const tables = await listMovedTables(target.asOwner);
  requireSameTables(await listMovedTables(source.asOwner), tables);
  requireOwnTables(tables);
}

/** Throws the OperatorError that a move would end with before it copies. Changes nothing. */
export async function checkMove({ source, target, dataDir }: MoveDeps): Promise<{ pending: string[] }> {
  const { pending, move } = await checkTarget(target, readFolderMove(dataDir)?.moveId ?? null);
  await readEnd(source.asOwner);
  if (pending.length > 0) return { pending };
  await requireTables(source, target);
  if (move === null) await target.withConnection(requireEmptyTables);
  return { pending };
}

/** Throws an OperatorError if a table of the target has rows. It rolls back whatever it needs to see them. */
async function requireEmptyTables(sql: Sql): Promise<void> {
  const tables = await listMovedTables(sql);
  await inOwnTransaction(sql, { settings: copySettings('server'), isRehearsal: true }, async () => {
    await lockTables(sql, tables);
    await openTables(sql, tables);
    await requireNoRows(sql, tables);
  });
}

/** Names the side that counts when a move has stopped. */
function describeStop(
  error: unknown,
  { state, dataDir, to }: { state: 'copying' | 'moved' } & MoveDeps,
): Error {
  if (error instanceof OperatorError) return error;
  const where =
    state === 'copying'
      ? `The database in ${dataDir} was not changed, and you can still use it.`
      : `The data is complete in ${to}, and the database in ${dataDir} is closed; only the last step is missing.`;
  return new MoveStoppedError(
    `The move stopped: ${reasonOf(error)}. ${where} Run the same command again to ` +
      `${state === 'copying' ? 'start over' : 'finish'}.`,
    { cause: error },
  );
}

/** An open database cannot be renamed. A process that takes the folder in between is refused by the note. */
async function setAside({ source, dataDir }: MoveDeps, note: FolderMove): Promise<void> {
  await source.close();
  const lock = await lockDataFolder(dataDir);
  try {
    setMovedDatabaseAside(dataDir, note);
  } finally {
    lock.release();
  }
}

/** Moves everything. Throws an OperatorError; see `describeStop` for what an interruption leaves. */
export async function moveDatabase(deps: MoveDeps): Promise<MoveSummary> {
  const { target, dataDir, to, clock, onStep } = deps;
  const noted = readFolderMove(dataDir);
  const { move } = await checkTarget(target, noted?.moveId ?? null);
  onStep('checked the target');
  await prepareTables(deps);
  onStep('prepared the tables of the target');
  // A target of an earlier run stays unfinished for ever if this run has another one. The commit of an interrupted run to
  // the same target may still arrive, and is recognised by its ID.
  const moveId = move?.moveId ?? (noted?.to === to ? noted.moveId : randomBase32(26));
  const note = (state: FolderMove['state']): FolderMove => {
    const written = { moveId, state, to, at: clock.now().toISOString() };
    writeFolderMove(dataDir, written);
    return written;
  };
  let state: FolderMove['state'] = 'copying';
  try {
    note(state);
    onStep('noted the move in the data folder');
    const summary = await copyDatabase(deps, moveId);
    onStep('the target has committed');
    const moved = note('moved');
    state = 'moved';
    onStep('noted in the data folder that its database was moved');
    await setAside(deps, moved);
    onStep('closed the data folder');
    await finishMove(target.asOwner, moveId);
    onStep('the service can start on the target');
    return summary;
  } catch (error) {
    throw describeStop(error, { ...deps, state });
  }
}

/**
 * The rest of a move whose data folder has the note `moved`. The caller has locked the folder. Returns whether the target was
 * unfinished.
 */
export async function finishInterruptedMove(
  { target, dataDir, onStep }: Pick<MoveDeps, 'target' | 'dataDir' | 'onStep'>,
  note: FolderMove,
): Promise<{ wasUnfinished: boolean }> {
  const { moveId, to } = note;
  const move = await readMove(target);
  if (move?.moveId !== moveId)
    throw new OperatorError(
      `The data folder was moved to ${to}, and --to names another database: use the address of that move.`,
    );
  setMovedDatabaseAside(dataDir, note);
  const wasUnfinished = move.state === 'arrived';
  if (wasUnfinished) await finishMove(target.asOwner, moveId);
  onStep('the service can start on the target');
  return { wasUnfinished };
}

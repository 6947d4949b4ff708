// Moves a company to another cell while the service runs: copies its rows by logical replication, follows what is written
// meanwhile, holds up its transactions for a moment, compares, and switches. It can be killed at any step, and be run again:
// the company is whole in exactly one cell. Must not: change anything in the source before the switch, except what it copies by.

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import { saveCellOf } from '../cells/directory-store.ts';
import { finishSwitch } from '../cells/finish-switch.ts';
import { type RequireLock, withCompanyLock } from '../cells/lock-company.ts';
import { isStatementError } from '../db/connection.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { isUnavailable } from '../db/outage.ts';
import type { MovedTable } from '../move/tables.ts';
import { checkMove, requireRights } from './check-move.ts';
import { CopyDiffersError, countCompany } from './compare-company.ts';
import { toConnectionString } from './connection-string.ts';
import {
  type Cell,
  type CompanyPlaces,
  findCompany,
  type LostSwitch,
  listOpenCells,
  noHome,
  requireCell,
} from './find-company.ts';
import { FreezeGivenUpError, freezeAndSwitch, orGiveUp } from './freeze-company.ts';
import { claimArrival, endArrival, takeBack, UnknownSwitchError } from './lock-homes.ts';
import { readMoveState } from './move-state.ts';
import { raiseNumbersAbove } from './raise-numbers.ts';
import { listTablesWithRows, removeRows } from './remove-rows.ts';
import { createSlot, publish, stopReplication, subscribe } from './replication.ts';
import { waitForCopy } from './wait-for-copy.ts';
import { waitForStandbys } from './wait-for-standbys.ts';
import { defaultOutageLimitMs, defaultStallLimitMs, retryOutage } from './wait-limits.ts';

/** The steps, in order. Each is reported when it is done. */
export const moveSteps = [
  'checked',
  'arriving',
  'published',
  'slot',
  'subscribed',
  'copied',
  'raised',
  'counted',
  'frozen',
  'caught-up',
  'compared',
  'switched',
  'settled',
  'stopped',
  'worked',
  'removed',
] as const;
export type MoveStep = (typeof moveSteps)[number];

export type MoveDeps = {
  db: Database;
  /** The address of a cell past a pooler, by its name. */
  addressOf: (cell: string) => string;
  /** Does in the new cell what was due in the old one without being a row: seals events, fills words. */
  work: (db: Database, companyId: string) => Promise<void>;
  log: (message: string) => void;
  onStep?: (step: MoveStep) => Promise<void> | void;
  /** For how long a freeze may hold up the company before it is given up; by default 2 s. */
  freezeLimitMs?: number;
  /** For how long a copy or a standby may make no progress; by default 5 minutes. */
  stallLimitMs?: number;
  /** For how long a server may be unavailable before the switch; by default a minute. */
  outageLimitMs?: number;
};

export type MoveSummary = {
  companyId: string;
  from: string | null;
  to: string;
  /** Copied rows; null if an earlier run has switched. */
  rows: number | null;
  copyMs: number;
  /** For how long the company's requests had to wait. */
  frozenMs: number;
  removedRows: number;
};

const freezeLimitMs = 2_000;
const freezes = 6;
const freezePauseMs = 1_000;
/** A copy that differs so often is wrong. */
const differences = 3;
const differencePauseMs = 4_000;

type Move = {
  source: Cell;
  target: Cell;
  companyId: string;
  requireLock: RequireLock;
};

type StandbyDeps = Pick<MoveDeps, 'log' | 'stallLimitMs'>;

const awaitStandbys = async ({ log, stallLimitMs }: StandbyDeps, cell: Cell) =>
  await waitForStandbys(cell, { log, limitMs: stallLimitMs ?? defaultStallLimitMs });

/**
 * Before rows are removed that stayed where a company was before its switch: a standby of the cell where it works, which may
 * become the server there, must have all of them, and that the company is at home.
 */
async function awaitKeptRows(deps: StandbyDeps, { home, others }: CompanyPlaces): Promise<void> {
  if (!home || others.every(({ record }) => record.otherTimeline === null)) return;
  // No check of a move has run if this command only finishes one, and who lacks the rights sees no standbys.
  await requireRights(home);
  await awaitStandbys(deps, home);
}

/** Lets the rows come in: from now on the target hides the company, and has no rows of it. Returns the generation of the arrival. */
async function prepareTarget(deps: MoveDeps, { source, target, companyId }: Move): Promise<string> {
  const { db, log } = deps;
  await awaitKeptRows(deps, await findCompany(db, companyId));
  const generation = await claimArrival({ companyId, home: source, other: target });
  if ((await listTablesWithRows(target, companyId)).length > 0) {
    log(`${target.name} has rows of the company from before, which are removed first`);
    await removeRows(target, { companyId, generation });
  }
  return generation;
}

async function startCopy(
  { addressOf }: MoveDeps,
  { source, target, companyId }: Move,
  {
    tables,
    user,
    generation,
    step,
  }: { tables: readonly MovedTable[]; user: string; generation: string; step: Report },
): Promise<void> {
  await publish(source.db.asOwner, companyId, tables);
  await step('published');
  await source.db.withConnection(async (sql) => await createSlot(sql, companyId));
  await step('slot');
  const connection = toConnectionString(addressOf(source.name), { user });
  await target.db.withConnection(async (sql) => await subscribe(sql, { companyId, generation, connection }));
  await step('subscribed');
}

type Report = (step: MoveStep) => Promise<void>;

/** The tables have no statistics of these rows yet, and the company's next statement would be planned without. */
async function analyse(sql: Sql, tables: readonly MovedTable[]): Promise<void> {
  // safe: the names come from the catalogue, quoted by format().
  await sql.query(`analyze (skip_locked) ${tables.map(({ sqlName }) => sqlName).join(', ')}`);
}

/** Copies, follows and switches. Throws before the switch, and never after it. */
async function copyAndSwitch(deps: MoveDeps, move: Move, step: Report) {
  const { log, outageLimitMs = defaultOutageLimitMs, stallLimitMs = defaultStallLimitMs } = deps;
  const { source, target, companyId } = move;
  const retried = async <T>(work: () => Promise<T>) => await retryOutage(outageLimitMs, work);
  const state = await readMoveState({ source: source.db.asOwner, target: target.db.asOwner });
  const { tables, user } = await checkMove(source, target);
  await step('checked');
  const generation = await prepareTarget(deps, move);
  await step('arriving');
  const began = performance.now();
  await startCopy(deps, move, { tables, user, generation, step });
  await waitForCopy({ source, target, log }, companyId, { outageLimitMs, stallLimitMs });
  const copyMs = performance.now() - began;
  await retried(async () => await target.db.withConnection(async (sql) => await analyse(sql, tables)));
  await step('copied');
  await retried(async () => await raiseNumbersAbove(target.db, source.db));
  await step('raised');
  const plans = await retried(async () => await countCompany(move, { companyId, tables }));
  const rows = plans.reduce((sum, plan) => sum + plan.rows, 0);
  log(`copied ${rows} rows in ${Math.round(copyMs)} ms, and counted them on both sides`);
  await step('counted');
  for (let tried = 1; ; tried += 1) {
    try {
      await orGiveUp(async () => {
        if (tried > 1) await raiseNumbersAbove(target.db, source.db);
        await awaitStandbys(deps, target);
      });
      await move.requireLock();
      const freeze = {
        ...move,
        plans,
        generation,
        state,
        limitMs: deps.freezeLimitMs ?? freezeLimitMs,
        onStep: step,
      };
      const { since } = await freezeAndSwitch(freeze);
      return { rows, copyMs, since };
    } catch (error) {
      // A purge of old rows, which belongs to no company, may run meanwhile, for some seconds.
      const mayPass = error instanceof CopyDiffersError && tried < differences;
      if (!(error instanceof FreezeGivenUpError) && !mayPass) throw error;
      log(`the switch was given up (${error.message}); the company goes on in ${source.name}`);
      if (tried === freezes)
        throw new OperatorError(
          `The company could not be held up for a switch: ${error.message}. It goes on in ${source.name}. Run the command ` +
            'again when fewer or shorter transactions of the company run.',
          { cause: error },
        );
      await pause(mayPass ? differencePauseMs : freezePauseMs);
    }
  }
}

/** Removes the rows of a company where it is not at home. It arrives there no more. Returns their number. */
async function removeElsewhere(
  deps: StandbyDeps,
  { companyId, places, requireLock }: { companyId: string; places: CompanyPlaces; requireLock: RequireLock },
): Promise<number> {
  const { home, others } = places;
  if (!home) throw new OperatorError(`${companyId} is at home in no cell, so nothing was removed.`);
  await awaitKeptRows(deps, places);
  let rows = 0;
  for (const other of others) {
    await requireLock();
    const generation = await endArrival({ companyId, home, other });
    rows += await removeRows(other, { companyId, generation });
  }
  return rows;
}

/** Undoes what a move did before its switch. The company is at home in `home`. */
export async function undoMove(
  deps: Omit<MoveDeps, 'addressOf'>,
  { companyId, places, requireLock }: { companyId: string; places: CompanyPlaces; requireLock: RequireLock },
): Promise<number> {
  if (!places.home) throw new OperatorError(`${companyId} is at home in no cell, so nothing can be undone.`);
  await requireLock();
  await stopReplication(listOpenCells(deps.db), companyId);
  return await removeElsewhere(deps, { companyId, places, requireLock });
}

async function undoAfter(deps: MoveDeps, { companyId, requireLock }: Move, error: unknown): Promise<never> {
  // It may have switched.
  if (error instanceof UnknownSwitchError) throw error;
  const { db, log } = deps;
  try {
    await undoMove(deps, { companyId, places: await findCompany(db, companyId), requireLock });
  } catch (fault) {
    log(
      `what was copied could not be removed (${fault instanceof Error ? fault.message : fault}): run ` +
        `"paylink admin cells cancel ${companyId}", or the move again`,
    );
  }
  throw error;
}

type Tidied = { companyId: string; home: string; step: Report; requireLock: RequireLock };

/** Of a company that works where it is: ends the replication, and removes its rows elsewhere. Can be repeated. */
export async function cleanUp(
  deps: Omit<MoveDeps, 'addressOf'>,
  { companyId, home, step, requireLock }: Tidied,
): Promise<number> {
  const { db, work } = deps;
  // The work goes where the directory says.
  await db.inSystem(async (tx) => await saveCellOf(tx, companyId, home));
  // First: a subscription would remove the rows in the new cell as well.
  await stopReplication(listOpenCells(db), companyId);
  await step('stopped');
  await work(db, companyId);
  await step('worked');
  const places = await findCompany(db, companyId);
  const rows = await removeElsewhere(deps, { companyId, places, requireLock });
  await step('removed');
  return rows;
}

async function settle(db: Database, { from, to }: { from: Cell; to: Cell }, companyId: string) {
  const switched = { companyId, from: from.name, to: to.name };
  if (await finishSwitch({ directory: db, source: from.db, target: to.db }, switched)) return;
  throw new OperatorError(
    `${companyId} does not work in ${to.name}: ${from.name} has lost the switch, a standby has replaced the server of ` +
      `${to.name}, or another command has changed it. Run the command again.`,
  );
}

/** Lets the company work where it came from, after the server of its new cell was replaced. Returns that cell. */
export async function undoSwitch(db: Database, lost: LostSwitch): Promise<Cell> {
  const { from, to, decision } = lost;
  // The company may have worked there: cursors of its feed may be as far as the numbers of that cell.
  await raiseNumbersAbove(from.db, to.db);
  await takeBack(lost);
  await db.inSystem(async (tx) => await saveCellOf(tx, decision.companyId, from.name));
  return from;
}

/**
 * Where the company is, after the switch of an earlier run was finished, or was taken back. Throws an OperatorError if it is
 * nowhere.
 */
async function requireHome({ db, log }: MoveDeps, companyId: string): Promise<Cell> {
  const { home, unfinished, lost, others } = await findCompany(db, companyId);
  if (home) return home;
  if (lost) {
    log(
      `the server of ${lost.to.name} was replaced since the switch, by a standby or a backup; the switch is undone first`,
    );
    return await undoSwitch(db, lost);
  }
  if (unfinished) {
    await settle(db, unfinished, companyId);
    return unfinished.to;
  }
  throw noHome(db, companyId, others);
}

/** The error of a connection that broke, with where the company is then. Other errors are returned unchanged. */
function explainBreak(error: unknown, where: string): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error;
  // Such as a transaction that was idle for too long.
  const hasEnded = isStatementError(error) && error.severity === 'FATAL';
  if (!hasEnded && !isUnavailable(error)) return error;
  const reason = error.message.replace(/\.$/, '');
  return new OperatorError(
    `The connection to a cell broke: ${reason}. ${where}Run the command again when all cells respond.`,
    { cause: error },
  );
}

/**
 * Moves a company to the cell `to`, or finishes a move that has switched. Throws an OperatorError: the company is where it was,
 * and what was copied is removed, if it does not say otherwise.
 */
export async function moveCompany(
  deps: MoveDeps,
  { companyId, to }: { companyId: string; to: string },
): Promise<MoveSummary> {
  const { db, log } = deps;
  // Some steps are inside a transaction, in which the listener could not use the database.
  const outside = AsyncLocalStorage.snapshot();
  const step: Report = async (done) => await outside(async () => await deps.onStep?.(done));
  let where = '';
  const work = async (requireLock: RequireLock): Promise<MoveSummary> => {
    const target = requireCell(db, to);
    const source = await requireHome(deps, companyId);
    where = `${companyId} is still in ${source.name}. `;
    await stopReplication(listOpenCells(db), companyId);
    if (source.name === to) {
      const removedRows = await cleanUp(deps, { companyId, home: to, step, requireLock });
      return { companyId, from: null, to, rows: null, copyMs: 0, frozenMs: 0, removedRows };
    }
    const move: Move = { source, target, companyId, requireLock };
    const switched = await copyAndSwitch(deps, move, step).catch(
      async (error: unknown) => await undoAfter(deps, move, error),
    );
    where = `${companyId} has switched to ${to}, and its move is not finished. `;
    await step('switched');
    await settle(db, { from: source, to: target }, companyId);
    const frozenMs = Math.round(performance.now() - switched.since);
    await step('settled');
    log(`${companyId} works in ${to} now`);
    const removedRows = await cleanUp(deps, { companyId, home: to, step, requireLock });
    const { rows, copyMs } = switched;
    return { companyId, from: source.name, to, rows, copyMs: Math.round(copyMs), frozenMs, removedRows };
  };
  return await withCompanyLock(db, companyId, work).catch((error: unknown) => {
    throw explainBreak(error, where);
  });
}

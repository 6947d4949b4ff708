// The last step of a move: holds up the company's transactions, waits until the target has all of them, compares, and
// decides. The decision is the commit of one transaction in the source. Until then the company is in the source, whatever
// is interrupted; from then on it is in the target, and anybody can finish that (src/cells/finish-switch.ts). Must not: hold
// up the company for longer than the limit, or commit without having compared.

import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import { createTimeBudget, runWithBudget } from '../base/time-budget.ts';
import { leaveHome, lockRecord } from '../cells/home-store.ts';
import type { Sql } from '../db/engine.ts';
import { isUnavailable } from '../db/outage.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { statement, t } from '../db/statements.ts';
import { copySettings, flushCommit } from '../move/copy-rows.ts';
import { compareFrozen, type TablePlan } from './compare-company.ts';
import type { Cell } from './find-company.ts';
import { readDecidedRecord, requireArrival, UnknownSwitchError } from './lock-homes.ts';
import { moveNameOf } from './move-names.ts';
import { type MoveState, readMoveState, requireSameState } from './move-state.ts';
import { isAbove, readNextNumber } from './raise-numbers.ts';
import { lostSlot } from './wait-for-copy.ts';
import { flushLog } from './wait-for-standbys.ts';

/** How long the company's running transactions may take to end. */
const lockLimitMs = 1_000;
/** A server that has not responded for so much longer than its own limits allow is given up, such as behind a broken network. */
const responseLimitMs = 3_000;
const pollMs = 3;

/** The company goes on in the source, and the freeze can be tried again. */
export class FreezeGivenUpError extends Error {
  override readonly name = 'FreezeGivenUpError';
}

export type Freeze = {
  source: Cell;
  target: Cell;
  companyId: string;
  plans: readonly TablePlan[];
  /** Of the row of company_homes in the target. */
  generation: string;
  /** Before the copy. */
  state: MoveState;
  /** The longest time for which the company may be held up. */
  limitMs: number;
  onStep: (step: 'frozen' | 'caught-up' | 'compared') => Promise<void>;
};

const hasPassedSql = statement({ hasPassed: t.bool, isLost: t.bool })`
  select coalesce(confirmed_flush_lsn >= $1::pg_lsn, false) as "hasPassed",
         coalesce(wal_status = 'lost', false) as "isLost" from pg_replication_slots
  where slot_name = $2 and database = current_database()`;

/** Runs work whose waits for the database end at a time of `performance.now()`. */
const inTimeUntil = async <T>(until: number, work: () => Promise<T>): Promise<T> =>
  await runWithBudget(createTimeBudget(Math.ceil(Math.max(1, until - performance.now()))), work);

async function waitForTarget(
  sql: Sql,
  { companyId, end, until }: { companyId: string; end: string; until: number },
): Promise<void> {
  for (;;) {
    const [slot] = await inTimeUntil(
      until,
      async () => await sql.query(hasPassedSql, [end, moveNameOf(companyId)]),
    );
    if (!slot) throw new OperatorError('The slot of the move is gone. Run the command again.');
    if (slot.isLost) throw new OperatorError(lostSlot);
    if (slot.hasPassed) return;
    if (performance.now() > until) throw new FreezeGivenUpError('the target did not catch up in time');
    await pause(pollMs);
  }
}

const takeLockSql = statement({ taken: t.bool })`
  select pg_advisory_xact_lock(company_lock($1)) is not null as taken`;

/** Waits until the target has everything that the source has committed, and so have the standbys that a commit there waits for. */
async function catchUp({ source, target, companyId }: Freeze, from: Sql, until: number): Promise<void> {
  const end = await inTimeUntil(until, async () => await flushLog(source.db, 'local'));
  await waitForTarget(from, { companyId, end, until });
  // What the subscription applies waits for no standby. A later commit does, and comes after it in the log.
  await inTimeUntil(until, async () => await flushLog(target.db, 'on'));
}

type FrozenPair = { from: Sql; into: Sql; outside: <T>(work: () => Promise<T>) => Promise<T>; since: number };

const notAtHome = ({ companyId, source }: Freeze) =>
  new OperatorError(`${companyId} is not at home in ${source.name} any more. Run the command again.`);

/** Everything in the source between the lock and the decision. The caller commits. */
async function decide(freeze: Freeze, { from, into, outside, since }: FrozenPair): Promise<void> {
  const { target, companyId, plans, limitMs, onStep } = freeze;
  const until = since + limitMs;
  // From here on the transactions of the company are refused, and wait outside of the pools of their processes.
  await from.query(takeLockSql, [companyId]);
  // Until the decision, a second command waits for this row, too: the lock in the target ends with its connection.
  if ((await lockRecord(from, companyId))?.status !== 'home') throw notAtHome(freeze);
  await onStep('frozen');
  await outside(async () => await catchUp(freeze, from, until));
  await onStep('caught-up');
  await inTimeUntil(until, async () => {
    requireSameState(freeze.state, await readMoveState({ source: from, target: into }));
    await compareFrozen({ source: from, target: into }, { companyId, plans });
    if (!(await isAbove(into, await readNextNumber(from))))
      throw new FreezeGivenUpError('the source has written more events than expected');
  });
  await onStep('compared');
  if (performance.now() > until) throw new FreezeGivenUpError('comparing took too long');
  const isLeft = await inTimeUntil(until, async () => {
    // A source that lost its commit in a crash would be a second home.
    await flushCommit(from);
    return await leaveHome(from, companyId, { to: target.name, timeline: freeze.state.timeline });
  });
  if (!isLeft) throw notAtHome(freeze);
}

/**
 * Runs something before the decision. What a server did not do in time gives up the freeze: somebody holds the company's lock,
 * a statement takes too long, or a connection is lost.
 */
export async function orGiveUp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && isUnavailable(error))) throw error;
    throw new FreezeGivenUpError(error.message, { cause: error });
  }
}

/** Decides in a transaction of the source, beside one of the target, and commits both. Notes in `progress` how far it came. */
async function runFreeze(freeze: Freeze, progress: { since: number; isDecided: boolean }): Promise<void> {
  const { source, target, companyId, limitMs } = freeze;
  // A transaction may not use the database beside itself, because the embedded one has a single connection. A server has more.
  const outside = AsyncLocalStorage.snapshot();
  const settings = {
    ...copySettings('server'),
    ...{ statement_timeout: String(limitMs), lock_timeout: String(lockLimitMs) },
    // If this process ends or gives up, the server ends the lock by itself: at once in a statement, otherwise after the limit.
    client_connection_check_interval: '100',
  };
  const sourceSettings = { ...settings, idle_in_transaction_session_timeout: String(limitMs) };
  // Longer, but not much: after the decision its lock would delay the first request that finishes the switch.
  const targetSettings = {
    ...settings,
    idle_in_transaction_session_timeout: String(limitMs + responseLimitMs),
  };
  await target.db.withConnection(
    async (into) =>
      await inOwnTransaction(into, { settings: targetSettings }, async () => {
        // A second command for the same company waits for this row before it removes what was copied.
        await requireArrival(into, companyId, freeze.generation);
        await source.db.withConnection(async (from) => {
          await inOwnTransaction(from, { settings: sourceSettings }, async () => {
            progress.since = performance.now();
            await decide(freeze, { from, into, outside, since: progress.since });
            progress.isDecided = true;
          });
        });
      }),
  );
}

/**
 * Whether the source says that the company has gone, after a commit without a response. It waits for that transaction if the
 * server still works on it. Throws an UnknownSwitchError.
 */
async function hasLeft({ source, target, companyId }: Freeze): Promise<boolean> {
  const record = await readDecidedRecord(source, companyId).catch((cause: unknown) => {
    throw new UnknownSwitchError(
      `The commit of the switch got no response, so it is unknown whether ${companyId} is in ${source.name} or in ` +
        `${target.name}. Run the command again when both respond.`,
      { cause },
    );
  });
  return record?.status === 'gone' && record.otherCell === target.name;
}

/**
 * Freezes the company and switches it to the target. Throws a FreezeGivenUpError if it could not be done in time: the company
 * goes on in the source. Throws an OperatorError if the copy differs, an UnknownSwitchError if it may have switched. Returns
 * when the company was held up first.
 */
export async function freezeAndSwitch(freeze: Freeze): Promise<{ since: number }> {
  const progress = { since: performance.now(), isDecided: false };
  await orGiveUp(async () => {
    try {
      const budget = createTimeBudget(freeze.limitMs + responseLimitMs);
      await runWithBudget(budget, async () => await runFreeze(freeze, progress));
    } catch (error) {
      // After the decision its commit may have got no response.
      if (!progress.isDecided || !(await hasLeft(freeze))) throw error;
    }
  });
  return { since: progress.since };
}

// The lock of a company for the commands that move, import or remove it: one of them at a time. It is in the directory. Must not:
// outlast its transaction, because a pooler gives sessions to other clients.

import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import { createTimeBudget, runWithBudget } from '../base/time-budget.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { unlimitedSettings } from '../db/session-settings.ts';
import { first, statement, t } from '../db/statements.ts';

const lockSql = statement({ isLocked: t.bool })`
  select pg_try_advisory_xact_lock(hashtextextended('move of ' || $1, 0)) as "isLocked"`;

/** The transaction with the lock is idle until the command ends. It has no snapshot, so it keeps no old rows. */
const lockSettings = { ...unlimitedSettings('server'), idle_in_transaction_session_timeout: '0' };

const lockWaitMs = 3_000;
const lockPauseMs = 100;
/** How often the connection with the lock is used, so that nobody ends it, and a lost one is noticed. */
const keepAliveMs = 10_000;

/** For any statement on the connection with the lock. */
const responseLimitMs = 5_000;

const inTime = <T>(work: () => Promise<T>): Promise<T> =>
  runWithBudget(createTimeBudget(responseLimitMs), work);

/** Throws an OperatorError if the lock was lost with its connection. */
export type RequireLock = () => Promise<void>;

const createProbe =
  (sql: Sql): RequireLock =>
  async () => {
    try {
      await inTime(async () => await sql.query('select 1'));
    } catch (cause) {
      throw new OperatorError(
        'The connection to the directory was lost, so another command may work on the company. Run this one again.',
        { cause },
      );
    }
  };

/** Waits for the lock, calls `locked`, and keeps the lock until `ended`. */
async function hold(
  sql: Sql,
  companyId: string,
  { locked, ended }: { locked: (probe: RequireLock) => void; ended: Promise<'ended'> },
): Promise<void> {
  const isLocked = async () => first(await sql.query(lockSql, [companyId]))?.isLocked === true;
  // The server notices late that a command was killed.
  for (const until = performance.now() + lockWaitMs; !(await isLocked()); await pause(lockPauseMs))
    if (performance.now() > until)
      throw new OperatorError(
        `Another command moves, imports or removes ${companyId} now. Wait until it has ended.`,
      );
  const probe = createProbe(sql);
  locked(probe);
  while ((await Promise.race([ended, pause(keepAliveMs, 'wait' as const, { ref: false })])) === 'wait')
    await probe();
}

/**
 * Runs work while no other command moves, imports or removes the company. The work calls its argument before it decides
 * anything, because the lock ends with its connection. With one database the work simply runs.
 */
export async function withCompanyLock<T>(
  db: Database,
  companyId: string,
  work: (requireLock: RequireLock) => Promise<T>,
): Promise<T> {
  if (!db.hasDirectory) return await work(async () => undefined);
  const taken = Promise.withResolvers<RequireLock>();
  const over = Promise.withResolvers<'ended'>();
  // The lock has a transaction of its own, and the work runs beside it: it may use all databases.
  const holding = inTime(
    async () =>
      await db.withConnection(
        async (sql) =>
          await inOwnTransaction(
            sql,
            { settings: lockSettings },
            async () => await hold(sql, companyId, { locked: taken.resolve, ended: over.promise }),
          ),
      ),
  );
  holding.catch(taken.reject);
  const requireLock = await taken.promise;
  try {
    return await work(requireLock);
  } finally {
    over.resolve('ended');
    await holding.catch(() => undefined);
  }
}

const isFreeSql = statement({ isFree: t.bool })`
  select pg_try_advisory_xact_lock_shared(hashtextextended('move of ' || $1, 0)) as "isFree"`;

/** Whether a command moves, imports or removes the company now. */
export async function isLockedByCommand(db: Database, companyId: string): Promise<boolean> {
  return first(await db.asOwner.query(isFreeSql, [companyId]))?.isFree === false;
}

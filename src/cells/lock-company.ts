// The lock of a company for the commands that move, import or remove it: one of them at a time. It is in the directory. Must not:
// outlast its transaction, because a pooler gives sessions to other clients.

import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
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

const requireDirectory = (db: Database): Database => {
  const [directory] = db.cells();
  if (!directory) throw new OperatorError('The directory cannot be reached.');
  return directory;
};

/** Waits for the lock, calls `locked`, and keeps the lock until `ended`. */
async function hold(
  sql: Sql,
  companyId: string,
  { locked, ended }: { locked: () => void; ended: Promise<'ended'> },
): Promise<void> {
  const isLocked = async () => first(await sql.query(lockSql, [companyId]))?.isLocked === true;
  // The server notices late that a command was killed.
  for (const until = performance.now() + lockWaitMs; !(await isLocked()); await pause(lockPauseMs))
    if (performance.now() > until)
      throw new OperatorError(
        `Another command moves, imports or removes ${companyId} now. Wait until it has ended.`,
      );
  locked();
  while ((await Promise.race([ended, pause(keepAliveMs, 'wait' as const, { ref: false })])) === 'wait')
    await sql.query('select 1');
}

/**
 * Runs work while no other command moves, imports or removes the company. `work` calls its argument before it decides
 * anything: it throws an OperatorError if the lock was lost. With one database the work simply runs.
 */
export async function withCompanyLock<T>(
  db: Database,
  companyId: string,
  work: (requireLock: () => void) => Promise<T>,
): Promise<T> {
  if (!db.hasDirectory) return await work(() => undefined);
  const taken = Promise.withResolvers<void>();
  const over = Promise.withResolvers<'ended'>();
  let isLost = false;
  // The lock has a transaction of its own, and the work runs beside it: it may use all databases.
  const holding = requireDirectory(db).withConnection(
    async (sql) =>
      await inOwnTransaction(
        sql,
        { settings: lockSettings },
        async () => await hold(sql, companyId, { locked: taken.resolve, ended: over.promise }),
      ),
  );
  holding.catch((error: unknown) => {
    isLost = true;
    taken.reject(error);
  });
  await taken.promise;
  try {
    return await work(() => {
      if (isLost) throw new OperatorError('The connection to the directory was lost. Run the command again.');
    });
  } finally {
    over.resolve('ended');
    await holding.catch(() => undefined);
  }
}

/** Whether a command moves, imports or removes the company now. */
export async function isLockedByCommand(db: Database, companyId: string): Promise<boolean> {
  const row = first(await requireDirectory(db).asOwner.query(lockSql, [companyId]));
  return row?.isLocked === false;
}

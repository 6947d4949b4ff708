// Counts up the transaction numbers of a server, for rows that have numbers of another server. Must not: run inside a
// transaction, or count up for hours because of one forged number without saying so.

import { OperatorError } from '../base/operator-error.ts';
import type { Sql } from './engine.ts';
import { statement, t } from './statements.ts';

/** Transactions in one statement: about a second, below the time limits that a user or a pooler may have. */
const atOnce = 50_000n;

/** More than 3 hours of counting. No server comes near that between two dumps. */
const mostToCount = 1_000_000_000n;

/** Below this it takes no noticeable time, and is not worth a line. */
const silentBelow = 1_000n;

/** How many numbers a server whose next one is `next` lacks. Throws an OperatorError if nobody should count that far. */
export function countMissingNumbers(
  { needed, next }: { needed: bigint; next: bigint },
  advice = 'If you restored a dump, restore a base backup instead, which keeps the numbers. ' +
    'Otherwise somebody changed the event: run paylink audit verify.',
): bigint {
  const missing = needed - next;
  if (missing <= mostToCount) return missing > 0n ? missing : 0n;
  throw new OperatorError(
    `The database has an event of transaction ${needed - 1n}, and this server has counted to ${next} only. ${advice}`,
  );
}

/** What to report before so many numbers are counted; null if it takes no noticeable time. */
export const describeCount = (missing: bigint, reason: string): string | null =>
  missing < silentBelow
    ? null
    : `counting up ${missing} transaction numbers, ${reason}: about 80000 a second`;

const nextNumberSql = statement({
  next: t.text,
})`select pg_snapshot_xmax(pg_current_snapshot())::text as next`;

/** The number of the next transaction of a server. */
export async function readNextNumber(sql: Sql): Promise<bigint> {
  const [row] = await sql.query(nextNumberSql);
  if (!row) throw new Error('a select without a table gave no row');
  return BigInt(row.next);
}

const readNumbersSql = statement({ below: t.text, highest: t.text, next: t.text })`
  select greatest((select sealed_below from seal_progress), (select filled_below from payment_word_progress))::text as below,
         coalesce(greatest((select xact from events order by xact desc limit 1),
                           (select xact from payment_word_positions order by xact desc limit 1)), '0')::text as highest,
         pg_snapshot_xmax(pg_current_snapshot())::text as next`;

export type TransactionNumbers = {
  /** The number that the next transaction must have at least, so that it comes after all stored rows. */
  needed: bigint;
  /** The number of the next transaction. */
  next: bigint;
};

/** The number that the stored rows need, and the one that the server has reached. As the owner of all rows, or in `inSystem`. */
export async function readTransactionNumbers(sql: Sql): Promise<TransactionNumbers> {
  const [row] = await sql.query(readNumbersSql);
  if (!row) throw new Error('a select without a table gave no row');
  const [below, afterRows] = [BigInt(row.below), BigInt(row.highest) + 1n];
  return { needed: below > afterRows ? below : afterRows, next: BigInt(row.next) };
}

const isReachedSql = statement({ isReached: t.bool })`
  select pg_snapshot_xmax(pg_current_snapshot()) >= $1::xid8 as "isReached"`;

/**
 * Counts until the next transaction has the number `goal` or a higher one. A transaction that takes a number and writes
 * nothing costs no flush: 80,000 a second were measured. Several processes may do it at once.
 */
export async function countTransactionsUpTo(sql: Sql, goal: bigint): Promise<void> {
  const step = `do $$
    begin
      for counted in 1..${atOnce} loop
        exit when pg_current_xact_id() >= '${goal - 1n}'::xid8;
        commit;
      end loop;
    end
    $$`;
  for (;;) {
    const [row] = await sql.query(isReachedSql, [String(goal)]);
    if (row?.isReached) return;
    // safe: two whole numbers. This statement takes no parameters, and runs outside of a transaction.
    await sql.query(step);
  }
}

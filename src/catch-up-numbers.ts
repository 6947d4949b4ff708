// Events, seals and words of payments are ordered by transaction numbers, which a server counts. A dump that was restored
// into another server has events of numbers that this server has not reached: the feed would hide them, and order new
// events before them. So the numbers are counted up before the service does anything else. Must not: run while a
// process of the service writes.

import { countMissingNumbers, countTransactionsUpTo, describeCount } from './db/count-transactions.ts';
import type { Database } from './db/database.ts';
import { statement, t } from './db/statements.ts';

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

/** The number that the stored rows need, and the one that the server has reached. Changes nothing. */
export async function readTransactionNumbers(db: Database): Promise<TransactionNumbers> {
  const [row] = await db.inSystem(async (tx) => await tx.query(readNumbersSql));
  if (!row) throw new Error('a select without a table gave no row');
  const [below, afterRows] = [BigInt(row.below), BigInt(row.highest) + 1n];
  return { needed: below > afterRows ? below : afterRows, next: BigInt(row.next) };
}

/**
 * Counts the transaction numbers up to those of the stored rows, and `beyond` further. Returns how many were missing. `log`
 * gets a line before and after. Throws an OperatorError if more than a billion are missing.
 */
export async function catchUpNumbers(
  db: Database,
  { beyond = 0n, log }: { beyond?: bigint; log: (line: string) => void },
): Promise<bigint> {
  const numbers = await readTransactionNumbers(db);
  const missing = countMissingNumbers(numbers) + beyond;
  if (missing === 0n) return 0n;
  const line = describeCount(missing, 'as after a restore of a dump');
  if (line) log(line);
  const start = numbers.needed > numbers.next ? numbers.needed : numbers.next;
  await db.withConnection(async (sql) => await countTransactionsUpTo(sql, start + beyond));
  if (line) log('the transaction numbers are those of the events');
  return missing;
}

// Events, seals and words of payments are ordered by transaction numbers, which a server counts. A dump that was restored
// into another server has events of numbers that this server has not reached: the feed would hide them, and order new
// events before them. So the numbers are counted up before the service does anything else. Must not: run while a
// process of the service writes.

import {
  countMissingNumbers,
  countTransactionsUpTo,
  describeCount,
  readTransactionNumbers,
} from './db/count-transactions.ts';
import type { Database } from './db/database.ts';

/**
 * Counts the transaction numbers up to those of the stored rows, and `beyond` further. Returns how many were missing. `log`
 * gets a line before and after. Throws an OperatorError if more than a billion are missing.
 */
export async function catchUpNumbers(
  db: Database,
  { beyond = 0n, log }: { beyond?: bigint; log: (line: string) => void },
): Promise<bigint> {
  const numbers = await db.inSystem(readTransactionNumbers);
  const missing = countMissingNumbers(numbers) + beyond;
  if (missing === 0n) return 0n;
  const line = describeCount(missing, 'as after a restore of a dump');
  if (line) log(line);
  const start = numbers.needed > numbers.next ? numbers.needed : numbers.next;
  await db.withConnection(async (sql) => await countTransactionsUpTo(sql, start + beyond));
  if (line) log('the transaction numbers are those of the events');
  return missing;
}

// Removes many rows in small transactions: each statement of a purge ends long before the limit of the
// database, and blocks nobody. Must not: remove rows that `deleteSome` does not remove.

import type { Database, SystemTx } from './database.ts';

/**
 * Calls `deleteSome` with a limit until it removes fewer rows. It may remove more, where several rows have
 * the same age. Returns the number of removed rows.
 */
export async function deleteInBatches(
  db: Database,
  limit: number,
  deleteSome: (tx: SystemTx, limit: number) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (;;) {
    const gone = await db.inSystem(async (tx) => await deleteSome(tx, limit));
    count += gone;
    if (gone < limit) return count;
  }
}

/**
 * For `deleteInBatches`: a function that deletes the rows of a table older than `age` by the column, the oldest first, of
 * all companies, and returns how many.
 */
export function deleteOldest(table: string, column: string, age: string) {
  // safe: the callers pass literals.
  const text = `
    delete from ${table} where ${column} <= (
      select max(${column}) from (
        select ${column} from ${table} where ${column} < now() - interval '${age}'
        order by ${column} limit $1) oldest)
    returning ${column}`;
  return async (tx: SystemTx, limit: number): Promise<number> => (await tx.query(text, [limit])).length;
}

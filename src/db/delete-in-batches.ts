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

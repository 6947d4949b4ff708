// Removes many rows in many small transactions, so that a purge of a busy day ends each statement long before
// the limit of the database, and holds nobody up meanwhile. Must never: remove what `deleteSome` does not.

import type { Database, SystemTx } from './database.ts';

/**
 * Calls `deleteSome` with a limit until it removes fewer rows than that; it may remove more, where several are
 * of one age. Returns how many were removed.
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

// Deletes old calls from the request log.

import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { deleteOldCalls } from './store.ts';

/** So few that a statement ends long before the database's limit. */
const usualBatch = 5_000;

/** The database lets nobody delete younger calls; those of a log that was switched off end after this time. */
const minDays = 1;

/** Deletes the calls of all companies that are older than `days`. Returns how many. */
export async function purgeRequests(
  db: Database,
  { days, batchSize = usualBatch }: { days: number; batchSize?: number },
): Promise<number> {
  return await deleteInBatches(db, batchSize, (tx, limit) =>
    deleteOldCalls(tx, { limit, days: Math.max(minDays, days) }),
  );
}

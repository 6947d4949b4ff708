// Deletes old deliveries. Old ones that still wait because their endpoint is disabled are deleted too: their
// events stay in the feed.

import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { deleteOldDeliveries } from './delivery-store.ts';

/**
 * Small enough that a statement ends long before the database's limit, although the attempts are deleted with
 * each.
 */
const defaultBatchSize = 1_000;

/** Deletes deliveries of all companies that are 30 days old, with their attempts. Returns how many. */
export async function purgeOldDeliveries(
  db: Database,
  batchSize: number = defaultBatchSize,
): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldDeliveries);
}

// Forgets what was delivered long ago. What is that old and still waits, because its endpoint is off, is
// forgotten too: it is in the feed for ever.

import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { deleteOldDeliveries } from './delivery-store.ts';

/** So few that a statement ends long before the database's limit, though each takes its tries with it. */
const defaultBatchSize = 1_000;

/** Removes deliveries of all companies that are 30 days old, with their tries. Returns how many. */
export async function purgeOldDeliveries(
  db: Database,
  batchSize: number = defaultBatchSize,
): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldDeliveries);
}

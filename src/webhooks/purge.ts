// Forgets what was delivered long ago. What is that old and still waits, because its endpoint is off, is
// forgotten too: it is in the feed for ever.

import type { Database } from '../db/database.ts';
import { deleteOldDeliveries } from './delivery-store.ts';

/** Removes deliveries of all companies that are 30 days old, with their tries. Returns how many. */
export async function purgeOldDeliveries(db: Database): Promise<number> {
  return await db.inSystem(deleteOldDeliveries);
}

// Forgets which webhooks of processors were dealt with long ago: none is sent again after so long, and one that
// is would be answered by what the processor says.

import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { deleteOldProcessorWebhooks } from './store.ts';

const batchSize = 5_000;

/** Removes what was noted of webhooks of all companies 60 days ago. Returns how many. */
export async function purgeProcessorWebhooks(db: Database): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldProcessorWebhooks);
}

// Deletes old records of webhooks: processors do not repeat one after so long, and it would only cause a query.

import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { deleteOldProcessorWebhooks } from './store.ts';

const batchSize = 5_000;

export async function purgeProcessorWebhooks(db: Database): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldProcessorWebhooks);
}

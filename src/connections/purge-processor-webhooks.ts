// Deletes the records of old processor webhooks. Processors do not repeat them after this time, and a
// repeated one would only trigger a query.

import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { deleteOldProcessorWebhooks } from './store.ts';

const batchSize = 5_000;

export async function purgeProcessorWebhooks(db: Database): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldProcessorWebhooks);
}

// Deletes old sign-in data: sessions and password reset links that ended long ago, and challenges of passkeys.
// Must not touch what can still be used.

import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { deleteOldChallenges } from '../second-factors/passkey-store.ts';
import { deleteOldBrowserSessions } from './browser-session-store.ts';
import { deleteOldPasswordResets } from './password-reset-store.ts';

const defaultBatchSize = 5_000;

/** Deletes this data of all companies: 30 days old, and challenges once they have expired. Returns how many. */
export async function purgeOldSignIns(
  { db, clock }: { db: Database; clock: Clock },
  batchSize: number = defaultBatchSize,
): Promise<number> {
  const now = clock.now();
  const challenges = await deleteInBatches(
    db,
    batchSize,
    async (tx, limit) => await deleteOldChallenges(tx, now, limit),
  );
  const sessions = await deleteInBatches(db, batchSize, deleteOldBrowserSessions);
  return challenges + sessions + (await deleteInBatches(db, batchSize, deleteOldPasswordResets));
}

// Deletes old sessions, password reset links and passkey challenges.

import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { deleteOldChallenges } from '../second-factors/passkey-store.ts';
import { deleteOldBrowserSessions } from './browser-session-store.ts';
import { deleteOldPasswordResets } from './password-reset-store.ts';

const defaultBatchSize = 5_000;

/** Deletes data older than 30 days, and expired challenges, of all companies. Returns how many. */
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

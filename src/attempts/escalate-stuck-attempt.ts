// Hands an attempt to a person, once, with its event. It must never end an attempt: only evidence does.

import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { escalateAttempt } from '../payments/case-store.ts';
import type { Attempt } from '../payments/store.ts';

/** Hands an attempt that has not ended to a person. Nothing happens where that was done before. */
export async function escalateStuckAttempt(
  tx: TenantTx,
  { attemptId, paymentId, createdAt }: Attempt,
  { at, actor }: { at: Date; actor: string },
): Promise<void> {
  // What ended it may have come since it was asked about: an attempt that has ended waits for nobody.
  const state = await escalateAttempt(tx, attemptId, at);
  if (!state) return;
  const data = { state, since: createdAt.toISOString() };
  await appendEvent(tx, { type: 'attempt.escalated', isPublic: true, paymentId, attemptId, actor, data, at });
}

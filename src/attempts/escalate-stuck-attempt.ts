// Escalates an attempt once and writes the event. Must not end an attempt: only evidence does.

import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { escalateAttempt } from '../payments/case-store.ts';
import type { Attempt } from '../payments/store.ts';

/** Escalates an attempt that has not ended. Does nothing if that was done before. */
export async function escalateStuckAttempt(
  tx: TenantTx,
  { attemptId, paymentId, createdAt }: Attempt,
  { at, actor }: { at: Date; actor: string },
): Promise<void> {
  // The attempt may have ended since its processor was queried. An ended attempt needs no person.
  const state = await escalateAttempt(tx, attemptId, at);
  if (!state) return;
  const data = { state, since: createdAt.toISOString() };
  await appendEvent(tx, { type: 'attempt.escalated', isPublic: true, paymentId, attemptId, actor, data, at });
}

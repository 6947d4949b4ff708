// Escalates attempts that have no outcome.

import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { escalateAttempt } from '../payments/case-store.ts';
import type { Attempt } from '../payments/store.ts';

/** Escalates an attempt once, unless it has ended. Must not end it: only evidence does. */
export async function escalateStuckAttempt(
  tx: TenantTx,
  { attemptId, paymentId, createdAt }: Attempt,
  { at, actor }: { at: Date; actor: string },
): Promise<void> {
  const state = await escalateAttempt(tx, attemptId, at);
  if (!state) return;
  const data = { state, since: createdAt.toISOString() };
  await appendEvent(tx, { type: 'attempt.escalated', isPublic: true, paymentId, attemptId, actor, data, at });
}

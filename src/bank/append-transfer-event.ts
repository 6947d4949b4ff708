// The events of bank transfers. Each is about a payment, and is written in the transaction that it reports.

import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { findAttempt } from '../payments/store.ts';

export async function appendTransferEvent(
  tx: TenantTx,
  event: {
    type: 'payment.partly_paid' | 'payment.transfer_review';
    attemptId: string;
    actor: string;
    data: Record<string, unknown>;
    at: Date;
  },
): Promise<void> {
  const attempt = await findAttempt(tx, event.attemptId);
  if (!attempt) throw new Error(`a transfer has no attempt ${event.attemptId}`);
  await appendEvent(tx, { ...event, isPublic: true, paymentId: attempt.paymentId });
}

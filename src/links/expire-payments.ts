// Expires overdue links: when they are read, and by a job, so that merchants are notified of all. An attempt that
// started in time may finish.

import type { Clock } from '../base/clock.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { listDuePayments, lockPayment, type Payment } from '../payments/store.ts';
import { transitionPayment } from '../payments/transition.ts';

export function isExpiryDue({ state, expiresAt }: Pick<Payment, 'state' | 'expiresAt'>, now: Date): boolean {
  return state === 'open' && expiresAt <= now;
}

/**
 * The payment as it is now: an open overdue payment is expired by this call. If another transaction was first
 * (a customer's attempt, or a longer expiry from the merchant), returns that result.
 */
export async function expireIfDue(tx: TenantTx, payment: Payment, now: Date): Promise<Payment> {
  if (!isExpiryDue(payment, now)) return payment;
  const { paymentId } = payment;
  await transitionPayment(tx, { paymentId, from: 'open', to: 'expired', at: now, actor: 'system' });
  return (await lockPayment(tx, paymentId)) ?? payment;
}

const batchSize = 500;

/** Expires every overdue open link in batches. Returns how many this call expired. */
export async function expirePayments(deps: { db: Database; clock: Clock }): Promise<number> {
  const now = deps.clock.now();
  let expired = 0;
  for (;;) {
    const due = await deps.db.inSystem(async (tx) => await listDuePayments(tx, now, batchSize));
    for (const { paymentId, ...scope } of due) {
      const moved = await deps.db.inTenant(
        scope,
        async (tx) =>
          await transitionPayment(tx, {
            paymentId,
            from: 'open',
            to: 'expired',
            at: now,
            actor: 'job:expire-payments',
          }),
      );
      if (moved) expired += 1;
    }
    if (due.length < batchSize) return expired;
  }
}

// What the end of a link's time does. A look at a link expires it by itself; the job goes round for the
// links that nobody looks at, so that merchants are told. An attempt begun in time may finish.

import type { Clock } from '../base/clock.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { listDuePayments, lockPayment, type Payment } from '../payments/store.ts';
import { transitionPayment } from '../payments/transition.ts';

/** Whether a payment is open past its time. */
export function isExpiryDue({ state, expiresAt }: Pick<Payment, 'state' | 'expiresAt'>, now: Date): boolean {
  return state === 'open' && expiresAt <= now;
}

/**
 * The payment as it stands now: one that is open past its time has expired by this call. Where somebody
 * was first, a customer who came in time or the merchant who gave it more, it says so.
 */
export async function expireIfDue(tx: TenantTx, payment: Payment, now: Date): Promise<Payment> {
  if (!isExpiryDue(payment, now)) return payment;
  const { paymentId } = payment;
  await transitionPayment(tx, { paymentId, from: 'open', to: 'expired', at: now, actor: 'system' });
  return (await lockPayment(tx, paymentId)) ?? payment;
}

const batchSize = 500;

/** Expires every open link whose time is up, batch by batch. Returns how many this call expired. */
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

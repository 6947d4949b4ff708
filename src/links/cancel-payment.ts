// Cancels an open payment. While a customer is paying it can't be cancelled, because money may have moved.

import { errors } from '../base/errors.ts';
import type { TenantScope } from '../db/database.ts';
import type { PayDeps } from '../payments/deps.ts';
import { type PaymentWithAttempts, withAttempts } from '../payments/presented-store.ts';
import { findPaymentByCode, lockPaymentByCode } from '../payments/store.ts';
import { transitionPayment } from '../payments/transition.ts';
import { expireIfDue } from './expire-payments.ts';

/**
 * Cancels a payment. A cancelled payment stays cancelled. Throws `payment_not_found`, `payment_in_progress`
 * or `payment_ended`.
 */
export async function cancelPayment(
  deps: Pick<PayDeps, 'db' | 'clock'>,
  order: TenantScope & { code: string; actor: string },
): Promise<PaymentWithAttempts> {
  const at = deps.clock.now();
  const payment = await deps.db.inTenant(order, async (tx) => {
    const found = await lockPaymentByCode(tx, order.code);
    if (!found) throw errors.paymentNotFound();
    const current = await expireIfDue(tx, found, at);
    if (current.state !== 'open') return await withAttempts(tx, current);
    await transitionPayment(tx, {
      paymentId: current.paymentId,
      from: 'open',
      to: 'cancelled',
      at,
      actor: order.actor,
    });
    return await withAttempts(tx, (await findPaymentByCode(tx, order.code)) ?? current);
  });
  // Throws only after the commit, so that an overdue link still expires.
  if (payment.state === 'processing') throw errors.paymentInProgress();
  if (payment.state !== 'cancelled')
    throw errors.paymentEnded({
      detail: `The payment is ${payment.state}. Only an open payment can be cancelled.`,
    });
  return payment;
}

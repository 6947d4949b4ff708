// Cancels an open payment: its link takes no card any more. While a customer is paying it can't be
// cancelled, because nobody knows yet whether the money has moved.

import { errors } from '../base/errors.ts';
import type { TenantScope } from '../db/database.ts';
import type { PayDeps } from '../payments/deps.ts';
import { findPaymentByCode, lockPaymentByCode, type Payment } from '../payments/store.ts';
import { transitionPayment } from '../payments/transition.ts';
import { expireIfDue } from './expire-payments.ts';

/**
 * Cancels a payment; one that is cancelled already stays so. Throws `payment_not_found`,
 * `payment_in_progress` or `payment_ended`.
 */
export async function cancelPayment(
  deps: Pick<PayDeps, 'db' | 'clock'>,
  order: TenantScope & { code: string; actor: string },
): Promise<Payment> {
  const at = deps.clock.now();
  const payment = await deps.db.inTenant(order, async (tx) => {
    const found = await lockPaymentByCode(tx, order.code);
    if (!found) throw errors.paymentNotFound();
    const current = await expireIfDue(tx, found, at);
    if (current.state !== 'open') return current;
    await transitionPayment(tx, {
      paymentId: current.paymentId,
      from: 'open',
      to: 'cancelled',
      at,
      actor: order.actor,
    });
    return (await findPaymentByCode(tx, order.code)) ?? current;
  });
  // Refused only after the commit: a link that turned out to be past its time has expired all the same.
  if (payment.state === 'processing') throw errors.paymentInProgress();
  if (payment.state !== 'cancelled')
    throw errors.paymentEnded({ detail: `The payment is ${payment.state}.` });
  return payment;
}

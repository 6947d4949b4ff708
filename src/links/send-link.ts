// Sends the link of an open payment to its customer. Writes only the event: a trigger creates the email
// (migrations/0009_mails.sql). It goes to the payment's own address only.

import { plainEmailAddress } from '../base/email-address.ts';
import { errors } from '../base/errors.ts';
import type { TenantScope } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import type { PayDeps } from '../payments/deps.ts';
import { type PaymentWithAttempts, withAttempts } from '../payments/presented-store.ts';
import { lockPaymentByCode, type Payment } from '../payments/store.ts';
import { expireIfDue } from './expire-payments.ts';

/** A payment may have an address that the outbox does not deliver to. */
function checkAddress({ email }: Payment): void {
  if (plainEmailAddress.test(email)) return;
  throw errors.emailNotDeliverable();
}

/**
 * Requests the email, once for each `eventId`, however often it is called. Throws `payment_not_found`,
 * `payment_in_progress`, `payment_ended`, or `email_not_deliverable`.
 */
export async function sendLink(
  deps: Pick<PayDeps, 'db' | 'clock'>,
  order: TenantScope & { code: string; actor: string; eventId: string },
): Promise<PaymentWithAttempts> {
  const at = deps.clock.now();
  const payment = await deps.db.inTenant(order, async (tx) => {
    const found = await lockPaymentByCode(tx, order.code);
    if (!found) throw errors.paymentNotFound();
    const current = await expireIfDue(tx, found, at);
    if (current.state !== 'open') return await withAttempts(tx, current);
    checkAddress(current);
    const { eventId, actor } = order;
    const { paymentId } = current;
    await appendEvent(tx, {
      eventId,
      type: 'payment.link_sent',
      isPublic: false,
      paymentId,
      actor,
      data: {},
      at,
    });
    return await withAttempts(tx, current);
  });
  // Throws only after the commit, so that an overdue link still expires.
  if (payment.state === 'processing') throw errors.paymentInProgress();
  if (payment.state !== 'open')
    throw errors.paymentEnded({
      detail: `The payment is ${payment.state}. Only the link of an open payment can be sent.`,
    });
  return payment;
}

// Changes the expiry and the metadata of an open payment. The audit log names the changed keys of metadata, but not
// their values: they may be personal data, and the log can't be erased.

import { errors } from '../base/errors.ts';
import type { TenantScope } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import type { PayDeps } from '../payments/deps.ts';
import { type PaymentWithAttempts, withAttempts } from '../payments/presented-store.ts';
import type { PaymentUpdate } from '../payments/schema.ts';
import { lockPaymentByCode, type Payment, type PaymentChange, updateOpenPayment } from '../payments/store.ts';
import { checkPaymentUpdate } from './check-request.ts';
import { expireIfDue } from './expire-payments.ts';

type Metadata = Record<string, string>;

/** The keys whose values differ between two sets. */
function changedKeys(before: Metadata, after: Metadata): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

/** The effective part of a change, with the data of its event; null if nothing differs. */
function compareChange(payment: Payment, wanted: PaymentChange) {
  const isMoved = wanted.expiresAt !== null && wanted.expiresAt.getTime() !== payment.expiresAt.getTime();
  const names = wanted.metadata === null ? [] : changedKeys(payment.metadata, wanted.metadata);
  if (!isMoved && names.length === 0) return null;
  return {
    change: {
      expiresAt: isMoved ? wanted.expiresAt : null,
      metadata: names.length > 0 ? wanted.metadata : null,
    },
    data: {
      ...(isMoved ? { expiresAt: { from: payment.expiresAt, to: wanted.expiresAt } } : {}),
      ...(names.length > 0 ? { metadata: names } : {}),
    },
  };
}

/**
 * Changes an open payment. Equal values change nothing. Throws `payment_not_found`, `invalid_fields`,
 * `payment_in_progress` or `payment_ended`.
 */
export async function updatePayment(
  deps: Pick<PayDeps, 'db' | 'clock'>,
  order: TenantScope & { code: string; actor: string; update: PaymentUpdate },
): Promise<PaymentWithAttempts> {
  const at = deps.clock.now();
  const wanted = checkPaymentUpdate(order.update, at);
  const payment = await deps.db.inTenant(order, async (tx) => {
    const found = await lockPaymentByCode(tx, order.code);
    if (!found) throw errors.paymentNotFound();
    const current = await expireIfDue(tx, found, at);
    const compared = current.state === 'open' ? compareChange(current, wanted) : null;
    if (!compared) return await withAttempts(tx, current);
    const updated = await updateOpenPayment(tx, current.paymentId, { ...compared.change, at });
    if (!updated) throw new Error('a locked open payment could not be updated');
    await appendEvent(tx, {
      type: 'payment.updated',
      isPublic: false,
      paymentId: updated.paymentId,
      actor: order.actor,
      data: { ...compared.data, version: updated.version },
      at,
    });
    return await withAttempts(tx, updated);
  });
  // Throws only after the commit, so that an overdue link still expires.
  if (payment.state === 'processing') throw errors.paymentInProgress();
  if (payment.state !== 'open')
    throw errors.paymentEnded({
      detail: `The payment is ${payment.state}. Only an open payment can be changed.`,
    });
  return payment;
}

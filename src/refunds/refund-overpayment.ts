// Refunds the overpayment of an attempt once, and notifies the merchant. The status of attempt and payment stays.

import { errors } from '../base/errors.ts';
import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { findOverpaymentRefund, type Refund } from '../payments/refund-store.ts';
import { type Attempt, findAttempt, lockPayment } from '../payments/store.ts';
import { insertOverpaymentRefund } from './refund-payment.ts';

type Overpayment = {
  amountMinor: number;
  currency: Currency;
  /** The processor's reference of the charge that brought it, if that may differ from the attempt's. */
  reference?: string;
  reason: string;
  at: Date;
};

/** The caller holds the lock of the payment. False if an earlier refund of this attempt exists. */
export async function refundOverpayment(
  tx: TenantTx,
  attempt: Attempt,
  overpayment: Overpayment,
): Promise<boolean> {
  const { attemptId, paymentId, processor } = attempt;
  const { amountMinor, currency, reason, at } = overpayment;
  if (!(await insertOverpaymentRefund(tx, { paymentId, attemptId, ...overpayment }))) return false;
  await appendEvent(tx, {
    type: 'payment.late',
    isPublic: true,
    paymentId,
    attemptId,
    actor: `processor:${processor}`,
    data: { amountMinor, currency, reason },
    at,
  });
  return true;
}

/** Null if the attempt already had an overpayment: a person decides about a second one. Throws `not_found`. */
export async function refundExcess(
  tx: TenantTx,
  excess: Overpayment & { attemptId: string },
): Promise<Refund | null> {
  const { attemptId, ...overpayment } = excess;
  const attempt = await findAttempt(tx, attemptId);
  if (!attempt) throw errors.notFound();
  await lockPayment(tx, attempt.paymentId);
  if (await findOverpaymentRefund(tx, attemptId)) return null;
  if (!(await refundOverpayment(tx, attempt, overpayment))) return null;
  return await findOverpaymentRefund(tx, attemptId);
}

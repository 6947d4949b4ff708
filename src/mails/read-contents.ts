// What a mail speaks of, as it stands when the mail is sent: the payment, its company, the card that paid,
// and the refund.

import type { TenantTx } from '../db/database.ts';
import { type Company, findCompany } from '../merchants/store.ts';
import { findRefund, type Refund } from '../payments/refund-store.ts';
import { type Attempt, findPayment, listAttempts, type Payment } from '../payments/store.ts';
import type { ClaimedMail } from './store.ts';

export type Contents = {
  company: Company;
  payment: Payment;
  /** The attempt that took the money, or whose money is given back; null before there is one. */
  charged: Attempt | null;
  refund: Refund | null;
};

/** Throws when the mail's payment is gone, which nothing does. */
export async function readContents(
  tx: TenantTx,
  mail: Pick<ClaimedMail, 'paymentId' | 'refundId'>,
): Promise<Contents> {
  const [company, payment] = [await findCompany(tx), await findPayment(tx, mail.paymentId)];
  if (!company || !payment) throw new Error('a mail speaks of a payment that does not exist');
  const refund = mail.refundId === null ? null : await findRefund(tx, mail.refundId);
  const attempts = await listAttempts(tx, payment.paymentId);
  const charged = attempts.find(({ attemptId, state }) =>
    refund ? attemptId === refund.attemptId : state === 'succeeded',
  );
  return { company, payment, charged: charged ?? null, refund };
}

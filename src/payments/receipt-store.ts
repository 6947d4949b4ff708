// The SQL of receipts: what took the money of a payment, and what was refunded.

import type { TenantTx } from '../db/database.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';

export const PaidAttempt = {
  processor: t.text,
  cardBrand: t.nullable(t.text),
  cardLast4: t.nullable(t.text),
  paidAt: t.timestamptz,
};
export type PaidAttempt = RowOf<typeof PaidAttempt>;

const findPaidAttemptSql = statement(PaidAttempt)`
  select processor, card_brand as "cardBrand", card_last4 as "cardLast4", updated_at as "paidAt" from attempts
  where company_id = $1 and payment_id = $2 and state = 'succeeded'`;

/** The attempt that took the money of a payment; null if none did. */
export async function findPaidAttempt(tx: TenantTx, paymentId: string): Promise<PaidAttempt | null> {
  return first(await tx.query(findPaidAttemptSql, [tx.companyId, paymentId]));
}

export const PaidRefund = { amountMinor: t.int8, currency: t.currency, refundedAt: t.timestamptz };
export type PaidRefund = RowOf<typeof PaidRefund>;

const listPaidRefundsSql = statement(PaidRefund)`
  select amount_minor as "amountMinor", currency, updated_at as "refundedAt" from refunds
  where company_id = $1 and payment_id = $2 and kind = 'merchant' and state = 'succeeded'
  order by updated_at, refund_id limit $3`;

/** The refunds of a payment that succeeded, oldest first; without those of overpayments, which it never included. */
export async function listPaidRefunds(tx: TenantTx, paymentId: string, limit: number): Promise<PaidRefund[]> {
  return await tx.query(listPaidRefundsSql, [tx.companyId, paymentId, limit]);
}

// Commands that change the records of the fake Mollie.

import type { Records } from './records.ts';
import { amountOf, type PaymentLine } from './shapes.ts';

export type BookCommand = {
  /** Refunds an attempt in the dashboard. */
  createExternalRefund?: { attemptId: string; amountMinor: number };
  /** The key of an attempt whose external refunds the customer's bank returns. */
  failExternalRefunds?: string;
  /** A payment, and texts to replace in its amount and metadata. */
  rewrite?: { id: string; texts: readonly (readonly [from: string, to: string])[] };
};

export function requirePayment(payment: PaymentLine | null): PaymentLine {
  if (!payment) throw new Error('unknown payment');
  return payment;
}

export function rewrite(records: Records, { id, texts }: NonNullable<BookCommand['rewrite']>): void {
  const payment = requirePayment(records.findPayment(id));
  const { amount, metadata } = payment;
  const result = texts.reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    JSON.stringify({ amount, metadata }),
  );
  records.rewrite(payment, JSON.parse(result) as Pick<PaymentLine, 'amount' | 'metadata'>);
}

/** A refund in the dashboard has no metadata of ours. */
export function refundInDashboard(
  records: Records,
  { attemptId, amountMinor }: NonNullable<BookCommand['createExternalRefund']>,
): void {
  const { id: paymentId, account, amount } = requirePayment(records.findByKey(attemptId));
  const given = amountOf(amountMinor, amount.currency);
  records.createRefund({ paymentId, account, key: null, amount: given, metadata: null, description: '' });
  records.settleRefunds('refunded');
}

/** The customer's bank returns the external refunds of an attempt. */
export function failInDashboard(records: Records, attemptId: string): void {
  const { id } = requirePayment(records.findByKey(attemptId));
  for (const refund of records.refundsOf(id)) if (refund.metadata === null) records.failRefund(refund);
}

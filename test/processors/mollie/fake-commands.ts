// What tests may have the fake of Mollie change in its books.

import type { Books } from './books.ts';
import { amountOf, type PaymentLine } from './shapes.ts';

export type BookCommand = {
  /** Somebody gives money of an attempt back in the dashboard. */
  refundElsewhere?: { attemptId: string; amountMinor: number };
  /** The key of an attempt whose refunds of the dashboard come back from the customer's bank. */
  failElsewhere?: string;
  /** A payment, and the texts that are replaced by others in its amount and its metadata. */
  restate?: { id: string; texts: readonly (readonly [from: string, to: string])[] };
};

export function requirePayment(payment: PaymentLine | null): PaymentLine {
  if (!payment) throw new Error('there is no such payment');
  return payment;
}

export function restate(books: Books, { id, texts }: NonNullable<BookCommand['restate']>): void {
  const payment = requirePayment(books.findPayment(id));
  const { amount, metadata } = payment;
  const said = texts.reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    JSON.stringify({ amount, metadata }),
  );
  books.restate(payment, JSON.parse(said) as Pick<PaymentLine, 'amount' | 'metadata'>);
}

/** Somebody gives money of an attempt back in the dashboard: the refund bears no metadata of ours. */
export function refundInDashboard(
  books: Books,
  { attemptId, amountMinor }: NonNullable<BookCommand['refundElsewhere']>,
): void {
  const { id: paymentId, account, amount } = requirePayment(books.findByKey(attemptId));
  const given = amountOf(amountMinor, amount.currency);
  books.createRefund({ paymentId, account, key: null, amount: given, metadata: null, description: '' });
  books.settleRefunds('refunded');
}

/** The refunds of an attempt that were made in the dashboard come back. */
export function failInDashboard(books: Books, attemptId: string): void {
  const { id } = requirePayment(books.findByKey(attemptId));
  for (const refund of books.refundsOf(id)) if (refund.metadata === null) books.failRefund(refund);
}

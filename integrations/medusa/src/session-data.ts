// The data of a payment session. Medusa stores it and shows it to the storefront. What the storefront sends is merged
// into it, but cannot replace these fields. Must not: contain a secret.

import { type Decimal, formatDecimal, parseDecimal, zero } from '../../shared/amounts.ts';
import type { Payment } from '../../shared/links.ts';
import { RefusedError } from '../../shared/refused-error.ts';

export type Data = Record<string, unknown>;

/** A type, not an interface: Medusa takes it as a record. */
export type SessionData = {
  session_id: string;
  payment_link_code: string;
  /** Where the storefront sends the customer. */
  payment_link: string;
  payment_link_status: string;
  /** In major units with the decimals of the currency. */
  payment_link_amount: string;
  payment_link_currency: string;
  /** The exact sum of the amounts that Medusa has refunded: they may have more decimals than a refund. */
  refunded_amount: string;
};

export function dataOfLink(sessionId: string, payment: Payment): SessionData {
  return {
    session_id: sessionId,
    payment_link_code: payment.paymentLinkCode,
    payment_link: payment.PaymentLink,
    payment_link_status: payment.status,
    payment_link_amount: String(payment.amount),
    payment_link_currency: payment.currency,
    refunded_amount: formatDecimal(zero),
  };
}

/** The stored data with the present status. */
export const withStatus = (data: Data, { status }: Payment): Data => ({
  ...data,
  payment_link_status: status,
});

export const hasLink = (data: Data | undefined): boolean => typeof data?.payment_link_code === 'string';

/** Throws `RefusedError` if the data is not of a session that this provider has made. */
export function readSessionData(data: Data | undefined): SessionData {
  const text = (name: keyof SessionData) => {
    const value = data?.[name];
    if (typeof value === 'string') return value;
    throw new RefusedError('invalid', `The payment session has no ${name}: Paylink has not made it.`);
  };
  return {
    session_id: text('session_id'),
    payment_link_code: text('payment_link_code'),
    payment_link: text('payment_link'),
    payment_link_status: text('payment_link_status'),
    payment_link_amount: text('payment_link_amount'),
    payment_link_currency: text('payment_link_currency'),
    refunded_amount: text('refunded_amount'),
  };
}

/** Throws `RefusedError` unless a payment is the one of this session, with its amount. */
export function requireOwn(payment: Payment, data: SessionData): void {
  const isOwn =
    payment.customerOrderId === data.session_id &&
    String(payment.amount) === data.payment_link_amount &&
    payment.currency === data.payment_link_currency;
  if (!isOwn)
    throw new RefusedError('not_allowed', 'The payment link is not the one of this payment session.');
}

/** What Medusa has refunded so far. */
export const refundedSoFar = (data: SessionData): Decimal => parseDecimal(data.refunded_amount) ?? zero;

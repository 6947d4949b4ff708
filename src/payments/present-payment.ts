// A payment in its API form: one shape everywhere, with the fields of the interface and our own.

import { toMajorNumber } from '../base/money.ts';
import type { PaymentResponse } from './schema.ts';
import type { Payment } from './store.ts';

/** The URL of a payment link, from configuration; never from a request. */
export function paymentLink(baseUrl: string, code: string): string {
  return `${baseUrl}/pay/${code}`;
}

export function presentPayment(
  payment: Payment,
  options: { baseUrl: string; message: string },
): PaymentResponse {
  return {
    country: payment.country,
    CreatedOn: payment.createdAt.toISOString(),
    currency: payment.currency,
    customerOrderId: payment.customerOrderId,
    PaymentLink: paymentLink(options.baseUrl, payment.code),
    PaymentLinkCode: payment.code,
    responseCode: '200',
    responseMessage: options.message,
    amount: toMajorNumber(payment.amountMinor, payment.currency),
    status: payment.state,
    refundedAmount: toMajorNumber(payment.refundedMinor, payment.currency),
    mode: payment.mode,
    email: payment.email,
    firstName: payment.firstName,
    lastName: payment.lastName,
    phone: payment.phone,
    success_url: payment.successUrl,
    failure_url: payment.failureUrl,
    description: payment.description,
    locale: payment.locale,
    metadata: payment.metadata,
    expiresAt: payment.expiresAt.toISOString(),
    version: payment.version,
  };
}

// Builds the request that describes an attempt to its processor. The same attempt must always give the same request:
// a processor compares requests under one idempotency key.

import type { Company } from '../companies/store.ts';
import { paymentLink } from '../payments/present-payment.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import type { AttemptRequest } from '../processors/processor.ts';

/** For attempts from before the expiry was stored. */
const defaultActionTtlMs = 15 * 60 * 1000;

/** Until when the customer may act on an attempt. */
export function actionExpiryOf(attempt: Pick<Attempt, 'createdAt' | 'expiresAt'>): Date {
  return attempt.expiresAt ?? new Date(attempt.createdAt.getTime() + defaultActionTtlMs);
}

/** The processor request of an attempt. The merchant's name is what customers see as the payee. */
export function toAttemptRequest(
  baseUrl: string,
  about: { payment: Payment; attempt: Attempt; merchant: Pick<Company, 'name' | 'statementDescriptor'> },
): AttemptRequest {
  const { payment, attempt, merchant } = about;
  const { attemptId, processorReference, amountMinor, currency, createdAt } = attempt;
  const { companyId, code, customerOrderId, description, email, firstName, lastName, country } = payment;
  const link = paymentLink(baseUrl, code);
  return {
    companyId,
    attemptId,
    processorReference,
    amountMinor,
    currency,
    linkCode: code,
    customerOrderId,
    description,
    items: payment.items,
    merchantName: merchant.name,
    statementDescriptor: merchant.statementDescriptor,
    customer: { email, firstName, lastName, country },
    locale: attempt.locale ?? payment.locale ?? 'en',
    returnUrl: `${link}/return`,
    // Only this processor and Paylink know the attempt's ID.
    cancelUrl: `${link}/back/${attemptId}`,
    createdAt,
    expiresAt: actionExpiryOf(attempt),
  };
}

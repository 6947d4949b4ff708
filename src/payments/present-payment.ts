// A payment in its API form: one shape everywhere, with the fields of the interface and our own.

import { type Currency, toMajorNumber } from '../base/money.ts';
import { declineMessages, type EndCode, isDecline } from './end-codes.ts';
import { type ItemTax, type PaymentItem, taxesOf } from './items.ts';
import type { PaymentWithAttempts, PresentedAttempt } from './presented-store.ts';
import type { PaymentResponse } from './schema.ts';
import { isAttemptFinal } from './states.ts';

/** The URL of a payment link, from configuration; never from a request. */
export function paymentLink(baseUrl: string, code: string): string {
  return `${baseUrl}/pay/${code}`;
}

/** A tax rate in percent: 1900 is 19. */
const toPercent = (rate: number) => rate / 100;

function presentItem({ name, quantity, unitAmountMinor, taxRate }: PaymentItem, currency: Currency) {
  const unitAmount = toMajorNumber(unitAmountMinor, currency);
  return { name, quantity, unitAmount, taxRate: taxRate === null ? null : toPercent(taxRate) };
}

function presentTax({ rate, grossMinor, taxMinor }: ItemTax, currency: Currency) {
  return {
    taxRate: toPercent(rate),
    grossAmount: toMajorNumber(grossMinor, currency),
    taxAmount: toMajorNumber(taxMinor, currency),
  };
}

type Method = NonNullable<PaymentResponse['method']>;

/** A processor without a card of its own page does not report what the customer chose on its page. */
function typeOf({ processor, cardLast4 }: PresentedAttempt): Method['type'] {
  if (cardLast4 !== null) return 'card';
  return processor === 'bank_transfer' ? 'bank_transfer' : 'processor_page';
}

function presentMethod(attempt: PresentedAttempt): Method {
  const { processor, connectionId, cardBrand, cardLast4 } = attempt;
  const card = cardLast4 === null ? null : { brand: cardBrand ?? 'unknown', last4: cardLast4 };
  return { type: typeOf(attempt), processor, connectionId, card };
}

function presentDecline(attempt: PresentedAttempt): NonNullable<PaymentResponse['lastDecline']> {
  const code = attempt.declineCode ?? 'generic_decline';
  const message = declineMessages[code as EndCode] ?? declineMessages.generic_decline;
  const declinedAt = attempt.updatedAt.toISOString();
  return { attemptId: attempt.attemptId, code, message, declinedAt, method: presentMethod(attempt) };
}

/** What the attempts tell about a payment. */
function presentOutcome(attempts: readonly PresentedAttempt[]) {
  const current = attempts.at(-1);
  const isPaid = current?.state === 'succeeded';
  const isUnderWay = current !== undefined && !isAttemptFinal(current.state);
  const declined = attempts.findLast(isDecline);
  return {
    paidAt: isPaid ? current.updatedAt.toISOString() : null,
    method: isPaid || isUnderWay ? presentMethod(current) : null,
    fee: isPaid && current.feeMinor !== null ? toMajorNumber(current.feeMinor, current.currency) : null,
    lastDecline: declined ? presentDecline(declined) : null,
  };
}

export function presentPayment(
  payment: PaymentWithAttempts,
  options: { baseUrl: string; message: string },
): PaymentResponse {
  const createdAt = payment.createdAt.toISOString();
  return {
    country: payment.country,
    CreatedOn: createdAt,
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
    items: payment.items.map((item) => presentItem(item, payment.currency)),
    taxes: taxesOf(payment.items).map((tax) => presentTax(tax, payment.currency)),
    expiresAt: payment.expiresAt.toISOString(),
    version: payment.version,
    createdAt,
    paymentLinkCode: payment.code,
    ...presentOutcome(payment.attempts),
  };
}

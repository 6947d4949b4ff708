// What PayPal's refusals mean in our words: one table for each place where PayPal says why. Pure.
//
// Sources: developer.paypal.com, "Orders v2 errors" and "Handle payment failures" (`details[].issue` of a capture),
// and "Processor response codes" (`processor_response.response_code` of a capture that a bank declined), as of 2026.

import type { DeclineCode } from '../processor.ts';

/** By `details[].issue` of the 422. Any other issue throws. `processing_error`: another method may well work. */
export const captureIssues: Readonly<Record<string, DeclineCode>> = {
  INSTRUMENT_DECLINED: 'source_declined',
  PAYMENT_DENIED: 'source_declined',
  TRANSACTION_REFUSED: 'source_declined',
  DECLINED_DUE_TO_RELATED_TXN: 'source_declined',
  TRANSACTION_LIMIT_EXCEEDED: 'source_declined',
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: 'source_declined',
  PAYER_ACCOUNT_RESTRICTED: 'source_declined',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'source_declined',
  COMPLIANCE_VIOLATION: 'suspected_fraud',
  TRANSACTION_BLOCKED_BY_PAYEE: 'suspected_fraud',
  PAYEE_BLOCKED_TRANSACTION: 'suspected_fraud',
  CARD_EXPIRED: 'expired_card',
  PAYER_CANNOT_PAY: 'processing_error',
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: 'processing_error',
  DOMESTIC_TRANSACTION_REQUIRED: 'processing_error',
  PAYEE_ACCOUNT_RESTRICTED: 'processing_error',
  PAYEE_ACCOUNT_LOCKED_OR_CLOSED: 'processing_error',
  TRANSACTION_RECEIVING_LIMIT_EXCEEDED: 'processing_error',
};

/** Why a bank declined a card, by `processor_response.response_code` of a capture with status DECLINED. */
export const responseCodes: Readonly<Record<string, DeclineCode>> = {
  '00N7': 'incorrect_csc',
  '1382': 'incorrect_csc',
  '5110': 'incorrect_csc',
  PCVV: 'incorrect_csc',
  '5120': 'source_declined',
  '1380': 'expired_card',
  '5400': 'expired_card',
  PPEF: 'expired_card',
  '5650': 'authentication_failed',
  '7700': 'authentication_failed',
  '7710': 'authentication_failed',
  '0960': 'processing_error',
  '5920': 'processing_error',
  '8000': 'processing_error',
  '8220': 'processing_error',
  '9100': 'processing_error',
  '9500': 'suspected_fraud',
  '9510': 'suspected_fraud',
  '5150': 'lost_or_stolen',
  '9520': 'lost_or_stolen',
};

/** The decline of a refused capture, or null when none of its issues is one. */
export function declineOfIssues(issues: readonly string[]): DeclineCode | null {
  const issue = issues.find((candidate) => Object.hasOwn(captureIssues, candidate));
  return issue === undefined ? null : (captureIssues[issue] ?? null);
}

export function declineOfResponse(responseCode: string | null): DeclineCode {
  return (responseCode === null ? undefined : responseCodes[responseCode]) ?? 'source_declined';
}

/** By `details[].issue` of the 422 ("Payments v2 errors"): no money was refunded, and a retry would not change that. */
const refundIssues: ReadonlySet<string> = new Set([
  'CAPTURE_DISPUTED_PARTIAL_REFUND_NOT_ALLOWED',
  'CAPTURE_FULLY_REFUNDED',
  'MAX_NUMBER_OF_REFUNDS_EXCEEDED',
  'PARTIAL_REFUND_NOT_ALLOWED',
  'REFUND_AMOUNT_TOO_LOW',
  'REFUND_AMOUNT_EXCEEDED',
  'REFUND_CAPTURE_CURRENCY_MISMATCH',
  'REFUND_FAILED_BY_PAYMENT_SOURCE',
  'REFUND_FAILED_INSUFFICIENT_FUNDS',
  'REFUND_FUNDS_NOT_AVAILABLE',
  'REFUND_IS_RESTRICTED',
  'REFUND_NOT_ALLOWED',
  'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK',
  'REFUND_TIME_LIMIT_EXCEEDED',
  // The dispute decides about the money: an additional refund after its end could pay the customer twice.
  'TRANSACTION_DISPUTED',
]);

/** Whether PayPal cannot refund yet, because it has not settled the capture. A later retry works. */
export function isRefundTooEarly(issues: readonly string[]): boolean {
  return issues.includes('PENDING_CAPTURE');
}

/** The code of a refused refund, or null when none of the issues is one. */
export function refundRefusalOf(issues: readonly string[]): string | null {
  return issues.find((issue) => refundIssues.has(issue))?.toLowerCase() ?? null;
}

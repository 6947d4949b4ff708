// Mollie's failure reasons as decline codes. A pure table; an unknown reason is a generic decline.

import type { DeclineCode } from '../processor.ts';

/**
 * Source: docs.mollie.com, "Get payment" (`details.failureReason` of cards) and "Handling errors with Mollie
 * Components", and the codes of the same meaning in "Status reasons". Payments by bank (iDEAL, Bancontact) fail
 * without a reason.
 */
export const failureReasons: ReadonlyMap<string, DeclineCode> = new Map([
  ['authentication_abandoned', 'authentication_failed'],
  ['authentication_failed', 'authentication_failed'],
  ['authentication_required', 'authentication_failed'],
  // The bank's page was out of order: the same card may work in a minute.
  ['authentication_unavailable_acs', 'processing_error'],
  ['card_declined', 'source_declined'],
  ['card_expired', 'expired_card'],
  ['inactive_card', 'source_declined'],
  ['insufficient_funds', 'source_declined'],
  ['invalid_cvv', 'incorrect_csc'],
  // A typing error, which the customer can correct. There is no more specific code.
  ['invalid_card_holder_name', 'processing_error'],
  ['invalid_card_number', 'processing_error'],
  ['invalid_card_type', 'source_declined'],
  ['possible_fraud', 'suspected_fraud'],
  ['refused_by_issuer', 'source_declined'],
  ['unknown_reason', 'source_declined'],
]);

export function declineCodeOf(failureReason: string | null): DeclineCode {
  return failureReasons.get(failureReason ?? '') ?? 'source_declined';
}

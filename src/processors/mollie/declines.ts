// Why Mollie says that a payment failed, in our words. A pure table; a reason that it does not have is a plain decline.

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
  // The bank's own page was out of order: the same card may do in a minute.
  ['authentication_unavailable_acs', 'processing_error'],
  ['card_declined', 'source_declined'],
  ['card_expired', 'expired_card'],
  ['inactive_card', 'source_declined'],
  ['insufficient_funds', 'source_declined'],
  ['invalid_cvv', 'incorrect_csc'],
  // Mistyped: the customer can mend it, and we have no narrower word.
  ['invalid_card_holder_name', 'processing_error'],
  ['invalid_card_number', 'processing_error'],
  ['invalid_card_type', 'source_declined'],
  ['possible_fraud', 'suspected_fraud'],
  ['refused_by_issuer', 'source_declined'],
  ['unknown_reason', 'source_declined'],
]);

/** Our code for Mollie's reason. */
export function declineCodeOf(failureReason: string | null): DeclineCode {
  return failureReasons.get(failureReason ?? '') ?? 'source_declined';
}

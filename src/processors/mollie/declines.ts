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
  ['card_declined', 'generic_decline'],
  ['card_expired', 'expired_card'],
  ['inactive_card', 'generic_decline'],
  ['insufficient_funds', 'insufficient_funds'],
  ['invalid_cvv', 'incorrect_csc'],
  // Mistyped: the customer can mend it, and we have no narrower word.
  ['invalid_card_holder_name', 'processing_error'],
  ['invalid_card_number', 'processing_error'],
  ['invalid_card_type', 'generic_decline'],
  ['possible_fraud', 'suspected_fraud'],
  ['refused_by_issuer', 'generic_decline'],
  ['unknown_reason', 'generic_decline'],
]);

/** Our code for Mollie's reason. */
export function declineCodeOf(failureReason: string | null): DeclineCode {
  return failureReasons.get(failureReason ?? '') ?? 'generic_decline';
}

// Stripe's decline codes as ours. Source: https://docs.stripe.com/declines/codes (decline codes) and
// https://docs.stripe.com/error-codes (error codes), API version 2026-10-28.endive.

import type { DeclineCode } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { readOptionalText } from './parse.ts';

/** By `decline_code`. */
export const declineCodes: Readonly<Record<string, DeclineCode>> = {
  approve_with_id: 'source_declined',
  authentication_not_handled: 'authentication_failed',
  authentication_required: 'authentication_failed',
  call_issuer: 'source_declined',
  card_not_supported: 'source_declined',
  card_velocity_exceeded: 'source_declined',
  currency_not_supported: 'source_declined',
  do_not_honor: 'source_declined',
  do_not_try_again: 'source_declined',
  duplicate_transaction: 'processing_error',
  expired_card: 'expired_card',
  fraudulent: 'suspected_fraud',
  generic_decline: 'source_declined',
  incorrect_address: 'source_declined',
  incorrect_cvc: 'incorrect_csc',
  incorrect_number: 'source_declined',
  incorrect_pin: 'authentication_failed',
  incorrect_zip: 'source_declined',
  insufficient_funds: 'source_declined',
  invalid_account: 'source_declined',
  invalid_amount: 'source_declined',
  invalid_cvc: 'incorrect_csc',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  invalid_number: 'source_declined',
  invalid_pin: 'authentication_failed',
  issuer_not_available: 'processing_error',
  lost_card: 'lost_or_stolen',
  merchant_blacklist: 'suspected_fraud',
  mobile_device_authentication_required: 'authentication_failed',
  new_account_information_available: 'source_declined',
  no_action_taken: 'source_declined',
  not_permitted: 'source_declined',
  offline_pin_required: 'authentication_failed',
  online_or_offline_pin_required: 'authentication_failed',
  pickup_card: 'lost_or_stolen',
  pin_try_exceeded: 'authentication_failed',
  processing_error: 'processing_error',
  reenter_transaction: 'processing_error',
  restricted_card: 'lost_or_stolen',
  revocation_of_all_authorizations: 'source_declined',
  revocation_of_authorization: 'source_declined',
  security_violation: 'source_declined',
  service_not_allowed: 'source_declined',
  stolen_card: 'lost_or_stolen',
  stop_payment_order: 'source_declined',
  testmode_decline: 'source_declined',
  transaction_not_allowed: 'source_declined',
  try_again_later: 'processing_error',
  withdrawal_count_limit_exceeded: 'source_declined',
};

/** Error codes more specific than "card declined", for errors without a decline code. */
export const errorCodes: Readonly<Record<string, DeclineCode>> = {
  authentication_required: 'authentication_failed',
  expired_card: 'expired_card',
  incorrect_cvc: 'incorrect_csc',
  insufficient_funds: 'source_declined',
  invalid_cvc: 'incorrect_csc',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  payment_intent_authentication_failure: 'authentication_failed',
  payment_intent_payment_attempt_expired: 'authentication_failed',
  payment_method_provider_timeout: 'processing_error',
  processing_error: 'processing_error',
};

const lookUp = (table: Readonly<Record<string, DeclineCode>>, code: string | null) =>
  code !== null && Object.hasOwn(table, code) ? table[code] : undefined;

/** Our code for a `last_payment_error`. An unknown code is a generic decline. */
export function declineCodeOf(lastPaymentError: UntrustedFields): DeclineCode {
  return (
    lookUp(declineCodes, readOptionalText(lastPaymentError, 'decline_code')) ??
    lookUp(errorCodes, readOptionalText(lastPaymentError, 'code')) ??
    'source_declined'
  );
}

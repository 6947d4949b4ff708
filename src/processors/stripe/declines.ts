// Why a payment was declined, from Stripe's words into ours. The source is https://docs.stripe.com/declines/codes
// (decline codes) and https://docs.stripe.com/error-codes (error codes), as of API version 2026-10-28.endive.

import type { DeclineCode } from '../processor.ts';
import { type Fields, readOptionalText } from './read.ts';

/** By `decline_code`. */
export const declineCodes: Readonly<Record<string, DeclineCode>> = {
  approve_with_id: 'generic_decline',
  authentication_not_handled: 'authentication_failed',
  authentication_required: 'authentication_failed',
  call_issuer: 'generic_decline',
  card_not_supported: 'generic_decline',
  card_velocity_exceeded: 'insufficient_funds',
  currency_not_supported: 'generic_decline',
  do_not_honor: 'generic_decline',
  do_not_try_again: 'generic_decline',
  duplicate_transaction: 'processing_error',
  expired_card: 'expired_card',
  fraudulent: 'suspected_fraud',
  generic_decline: 'generic_decline',
  incorrect_address: 'generic_decline',
  incorrect_cvc: 'incorrect_csc',
  incorrect_number: 'generic_decline',
  incorrect_pin: 'authentication_failed',
  incorrect_zip: 'generic_decline',
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'generic_decline',
  invalid_amount: 'generic_decline',
  invalid_cvc: 'incorrect_csc',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  invalid_number: 'generic_decline',
  invalid_pin: 'authentication_failed',
  issuer_not_available: 'processing_error',
  lost_card: 'lost_or_stolen',
  merchant_blacklist: 'suspected_fraud',
  mobile_device_authentication_required: 'authentication_failed',
  new_account_information_available: 'generic_decline',
  no_action_taken: 'generic_decline',
  not_permitted: 'generic_decline',
  offline_pin_required: 'authentication_failed',
  online_or_offline_pin_required: 'authentication_failed',
  pickup_card: 'lost_or_stolen',
  pin_try_exceeded: 'authentication_failed',
  processing_error: 'processing_error',
  reenter_transaction: 'processing_error',
  restricted_card: 'lost_or_stolen',
  revocation_of_all_authorizations: 'generic_decline',
  revocation_of_authorization: 'generic_decline',
  security_violation: 'generic_decline',
  service_not_allowed: 'generic_decline',
  stolen_card: 'lost_or_stolen',
  stop_payment_order: 'generic_decline',
  testmode_decline: 'generic_decline',
  transaction_not_allowed: 'generic_decline',
  try_again_later: 'processing_error',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
};

/** Error codes that tell more than that the card was declined, where no decline code comes with them. */
export const errorCodes: Readonly<Record<string, DeclineCode>> = {
  authentication_required: 'authentication_failed',
  expired_card: 'expired_card',
  incorrect_cvc: 'incorrect_csc',
  insufficient_funds: 'insufficient_funds',
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

/** Our word for a `last_payment_error`. A code that is new to us is a decline all the same. */
export function declineCodeOf(lastPaymentError: Fields): DeclineCode {
  return (
    lookUp(declineCodes, readOptionalText(lastPaymentError, 'decline_code')) ??
    lookUp(errorCodes, readOptionalText(lastPaymentError, 'code')) ??
    'generic_decline'
  );
}

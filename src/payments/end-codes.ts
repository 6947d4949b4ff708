// Why attempts ended without money, and which of these ends count as a decline.

import { declineCodes } from '../processors/processor.ts';

/** The processor's decline code, or that the attempt was given up. */
export const endCodes = [
  ...declineCodes,
  'authentication_abandoned',
  /** The customer returned from the hosted payment page without paying, or the time for a transfer passed. */
  'not_completed',
  'never_started',
  'amount_mismatch',
] as const;
export type EndCode = (typeof endCodes)[number];

/** End codes without a decline. They don't count, and always allow another attempt. */
export const uncountedCodes: ReadonlySet<string> = new Set<EndCode>(['never_started', 'not_completed']);

/** Whether an attempt ended with a decline: of the processor, or by a customer who gave up the authentication. */
export function isDecline({ state, declineCode }: { state: string; declineCode: string | null }): boolean {
  return (state === 'declined' || state === 'cancelled') && !uncountedCodes.has(declineCode ?? '');
}

/** For developers. What customers read is in the texts of the pages. */
export const declineMessages: Readonly<Record<EndCode, string>> = {
  generic_decline: 'The bank declined and gave no reason.',
  source_declined: 'The processor declined the card or account that was chosen on its page.',
  insufficient_funds: 'The account has insufficient funds.',
  lost_or_stolen: 'The card is reported as lost or stolen.',
  suspected_fraud: 'The bank suspects fraud.',
  incorrect_csc: 'The security code was wrong.',
  expired_card: 'The card has expired.',
  processing_error: 'The card could not be processed.',
  authentication_failed: 'The bank could not authenticate the customer.',
  authentication_abandoned: 'The customer did not complete the authentication.',
  not_completed: 'The customer did not complete the payment.',
  never_started: 'The processor was not reached; nothing was charged.',
  amount_mismatch: 'A wrong amount was charged; it is refunded.',
};

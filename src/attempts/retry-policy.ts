// What a decline means for the link: the customer may mend it on the page, or the payment has failed.
// Pure: tables and one decision.

import type { RetryPolicy } from '../companies/store.ts';
import type { DeclineCode } from '../processors/processor.ts';

/** Attempts that a link has at most; the third decline fails the payment whatever its reason. */
export const maxAttempts = 3;

/** Why an attempt ended without money: the processor's word, or that it was given up. */
export type EndCode =
  | DeclineCode
  | 'authentication_abandoned'
  /** The customer turned back from the processor's page, or let the time for a transfer pass. */
  | 'not_completed'
  | 'never_started'
  | 'amount_mismatch';

/** Ends with which nobody said no. They count against nobody, and forbid nothing. */
const uncountedCodes: ReadonlySet<string> = new Set<EndCode>(['never_started', 'not_completed']);

/** Attempts that a link may begin in all, however they end: each may be a call to a processor. */
export const maxStartedAttempts = 50;

const retryableCodes: ReadonlySet<EndCode> = new Set<EndCode>([
  'source_declined',
  'incorrect_csc',
  'expired_card',
  'processing_error',
  'authentication_failed',
  'authentication_abandoned',
]);

/** How many attempts ended with somebody's no. */
export function countRefusedAttempts(
  attempts: readonly { state: string; declineCode: string | null }[],
): number {
  return attempts.filter(
    ({ state, declineCode }) =>
      (state === 'declined' || state === 'cancelled') && !uncountedCodes.has(declineCode ?? ''),
  ).length;
}

/** Whether the customer may try again after `ended` attempts ended, this one with `code`. */
export function mayRetry(policy: RetryPolicy, code: EndCode, ended: number): boolean {
  if (uncountedCodes.has(code)) return true;
  if (ended >= maxAttempts || policy === 'none') return false;
  return policy === 'all' || retryableCodes.has(code);
}

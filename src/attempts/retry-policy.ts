// Decides whether a customer may try again after a failed attempt. Pure.

import type { RetryPolicy } from '../companies/store.ts';
import { type EndCode, isDecline, uncountedCodes } from '../payments/end-codes.ts';

/** Maximum of declined attempts of a link, whatever the reasons. */
export const maxAttempts = 3;

/** Maximum of attempts that a link may start, however they end: each may cause a call to a processor. */
export const maxStartedAttempts = 50;

const retryableCodes: ReadonlySet<EndCode> = new Set<EndCode>([
  'source_declined',
  'incorrect_csc',
  'expired_card',
  'processing_error',
  'authentication_failed',
  'authentication_abandoned',
]);

export function countDeclinedAttempts(
  attempts: readonly { state: string; declineCode: string | null }[],
): number {
  return attempts.filter(isDecline).length;
}

/** Whether the customer may try again after `ended` attempts, the last of which ended with `code`. */
export function mayRetry(policy: RetryPolicy, code: EndCode, ended: number): boolean {
  if (uncountedCodes.has(code)) return true;
  if (ended >= maxAttempts || policy === 'none') return false;
  return policy === 'all' || retryableCodes.has(code);
}

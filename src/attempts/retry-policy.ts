// Decides whether a customer may try again after a failed attempt. Pure.

import type { RetryPolicy } from '../companies/store.ts';
import { declineCodes } from '../processors/processor.ts';

/** Maximum of declined attempts of a link, whatever the reasons. */
export const maxAttempts = 3;

/** Why an attempt ended without money: the processor's decline code, or that it was given up. */
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
const uncountedCodes: ReadonlySet<string> = new Set<EndCode>(['never_started', 'not_completed']);

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
  return attempts.filter(
    ({ state, declineCode }) =>
      (state === 'declined' || state === 'cancelled') && !uncountedCodes.has(declineCode ?? ''),
  ).length;
}

/** Whether the customer may try again after `ended` attempts, the last of which ended with `code`. */
export function mayRetry(policy: RetryPolicy, code: EndCode, ended: number): boolean {
  if (uncountedCodes.has(code)) return true;
  if (ended >= maxAttempts || policy === 'none') return false;
  return policy === 'all' || retryableCodes.has(code);
}

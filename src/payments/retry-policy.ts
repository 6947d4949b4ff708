// What a decline means for the link: the customer may mend it on the page, or the payment has failed.
// Pure: tables and one decision.

import type { RetryPolicy } from '../merchants/store.ts';
import type { DeclineCode } from '../processors/processor.ts';

/** Attempts that a link has at most; the third decline fails the payment whatever its reason. */
export const maxAttempts = 3;

/** Why an attempt ended without money: the processor's word, or that it was given up. */
export type EndCode = DeclineCode | 'authentication_abandoned' | 'never_started' | 'amount_mismatch';

const fixable: ReadonlySet<EndCode> = new Set<EndCode>([
  'incorrect_csc',
  'expired_card',
  'processing_error',
  'authentication_failed',
  'authentication_abandoned',
]);

/** How many attempts ended with somebody's no. One that nobody was asked about counts against nobody. */
export function countRefused(attempts: readonly { state: string; declineCode: string | null }[]): number {
  return attempts.filter(
    ({ state, declineCode }) =>
      (state === 'declined' || state === 'cancelled') && declineCode !== 'never_started',
  ).length;
}

/** Whether the customer may try again after `ended` attempts ended, this one with `code`. */
export function mayRetry(policy: RetryPolicy, code: EndCode, ended: number): boolean {
  // Nobody was asked, so nobody said no.
  if (code === 'never_started') return true;
  if (ended >= maxAttempts || policy === 'none') return false;
  return policy === 'all' || fixable.has(code);
}

// What a customer posted: what may be shown again, and whether a browser posted it a second time.

import type { ProtectedCard } from '../processors/card.ts';
import type { EnteredForm } from './views.ts';
import type { Visit } from './visit.ts';

/** What was entered, but the number and the code of the card. */
export function enteredIn(form: URLSearchParams): EnteredForm {
  return { name: form.get('cc_name')?.slice(0, 200) ?? '', expiry: form.get('cc_exp')?.slice(0, 20) ?? '' };
}

/**
 * Whether a browser that reloads the page of a decline posts the declined card again: the form was shown before the attempt
 * that declined it. A form without the field is a program's.
 */
export function isRepeatedPost(
  { view: { attempt }, form }: Pick<Visit, 'view' | 'form'>,
  card: Pick<ProtectedCard, 'last4'>,
): boolean {
  const lastAttempt = form.get('last_attempt');
  return (
    attempt?.state === 'declined' &&
    attempt.cardLast4 === card.last4 &&
    lastAttempt !== null &&
    lastAttempt !== attempt.attemptId
  );
}

// What a customer posted: what may be shown again, and whether a browser posted it a second time.

import type { PaymentMethod } from '../connections/list-methods.ts';
import { isAttemptFinal } from '../payments/states.ts';
import type { ProtectedCard } from '../processors/card.ts';
import { type EnteredForm, usedMethod } from './views.ts';
import type { Visit } from './visit.ts';

/** What was entered, but the number and the code of the card. */
export function enteredIn(form: URLSearchParams): EnteredForm {
  return { name: form.get('cc_name')?.slice(0, 200) ?? '', expiry: form.get('cc_exp')?.slice(0, 20) ?? '' };
}

/**
 * Whether a browser posts a form again, after a reload or Back: since the form was shown, an attempt with the same card, or at
 * the same processor's page, has ended. A form without the field is a program's.
 */
export function isRepeatedPost(
  { view: { attempts }, form }: Pick<Visit, 'view' | 'form'>,
  method: PaymentMethod,
  card: Pick<ProtectedCard, 'last4'> | null,
): boolean {
  const lastAttempt = form.get('last_attempt');
  if (lastAttempt === null) return false;
  const since = attempts.slice(attempts.findIndex(({ attemptId }) => attemptId === lastAttempt) + 1);
  return since.some(
    (attempt) =>
      isAttemptFinal(attempt.state) &&
      (card ? attempt.cardLast4 === card.last4 : usedMethod(attempt, method)),
  );
}

// What a customer posted: what may be shown again, and whether a browser posted it a second time.

import type { ProtectedCard } from '../processors/card.ts';
import { issueTimeOf } from './form-token.ts';
import type { EnteredForm } from './views.ts';
import type { Visit } from './visit.ts';

/** What was entered, but the number and the code of the card. */
export function enteredIn(form: URLSearchParams): EnteredForm {
  return { name: form.get('cc_name')?.slice(0, 200) ?? '', expiry: form.get('cc_exp')?.slice(0, 20) ?? '' };
}

/** Whether a browser that reloads the page of a decline posts the declined card again. */
export function isRepeatedPost(
  { view: { attempt }, form }: Pick<Visit, 'view' | 'form'>,
  card: Pick<ProtectedCard, 'last4'>,
): boolean {
  return (
    attempt?.state === 'declined' &&
    attempt.cardLast4 === card.last4 &&
    attempt.createdAt.getTime() > issueTimeOf(form.get('form_token') ?? '')
  );
}

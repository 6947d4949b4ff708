// The API shape of an attempt.

import { type Static, Type } from 'typebox';
import { toMajorNumber } from '../base/money.ts';
import { formerName, moment, textOrNull } from '../http/schema-parts.ts';
import type { PresentedAttempt } from './presented-store.ts';
import { attemptStatuses } from './states.ts';

const createdAt = moment('When it was created');

export const attemptExample = {
  attemptId: 'att_01m7wf3wswavyweszg1v4e9mnn',
  status: 'unknown',
  processor: 'sandbox',
  amount: 19.99,
  currency: 'EUR',
  cardBrand: 'visa',
  cardLast4: '4242',
  declineCode: null,
  createdAt: '2026-11-20T12:55:31.002Z',
  CreatedOn: '2026-11-20T12:55:31.002Z',
};

export const AttemptObject = Type.Object(
  {
    attemptId: Type.String({ description: 'ID of the attempt' }),
    status: Type.String({ enum: [...attemptStatuses] }),
    processor: Type.String(),
    amount: Type.Number({ description: 'Amount in major units' }),
    currency: Type.String({ description: 'ISO 4217 code' }),
    cardBrand: textOrNull('Brand of the card'),
    cardLast4: textOrNull('Last 4 digits of the card'),
    declineCode: textOrNull('Why it collected no money'),
    createdAt,
    CreatedOn: formerName(createdAt, 'createdAt'),
  },
  { title: 'Attempt', description: 'An attempt to pay', examples: [attemptExample] },
);
export type AttemptResponse = Static<typeof AttemptObject>;

export function presentAttempt(attempt: PresentedAttempt): AttemptResponse {
  const createdAt = attempt.createdAt.toISOString();
  return {
    attemptId: attempt.attemptId,
    status: attempt.state,
    processor: attempt.processor,
    amount: toMajorNumber(attempt.amountMinor, attempt.currency),
    currency: attempt.currency,
    cardBrand: attempt.cardBrand,
    cardLast4: attempt.cardLast4,
    declineCode: attempt.declineCode,
    createdAt,
    CreatedOn: createdAt,
  };
}

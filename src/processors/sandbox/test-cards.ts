// The published test card numbers of the sandbox and their effects. Any other number is refused with a clear
// message: nobody should type a real card into a sandbox.

import type { DeclineCode } from '../processor.ts';

export type TestCardScenario =
  | { kind: 'succeed' }
  | { kind: 'decline'; code: DeclineCode }
  | { kind: 'challenge'; settlesAs: 'succeeded' | 'declined' }
  /** Charges, then drops the connection instead of responding. */
  | { kind: 'lose_answer' }
  /** Responds, and settles, only after this many seconds. */
  | { kind: 'answer_late'; seconds: number }
  /** Charges, and reports it three times: two reports and the response. */
  | { kind: 'answer_twice' }
  /** Charges and reports it, then responds that it is still processing, as if an older report were late. */
  | { kind: 'answer_out_of_order' }
  /** Charges one minor unit more than requested. */
  | { kind: 'wrong_amount' }
  /** Neither charges nor responds, and records nothing: as if the request had been lost. */
  | { kind: 'never_answer' }
  /** Responds that it is in process, and stays so until a test settles it. */
  | { kind: 'stay_pending' }
  /** Declines, and then charges nevertheless. */
  | { kind: 'charge_after_decline'; code: DeclineCode };

export type TestCard = { number: string; scenario: TestCardScenario; description: string };

const card = (number: string, scenario: TestCardScenario, description: string): TestCard => ({
  number,
  scenario,
  description,
});

export const testCards: readonly TestCard[] = [
  card('4242424242424242', { kind: 'succeed' }, 'succeeds'),
  card('4000000000000002', { kind: 'decline', code: 'generic_decline' }, 'is declined'),
  card(
    '4000000000009995',
    { kind: 'decline', code: 'insufficient_funds' },
    'is declined: insufficient funds',
  ),
  card('4000000000000127', { kind: 'decline', code: 'incorrect_csc' }, 'is declined: wrong security code'),
  card('4000000000000069', { kind: 'decline', code: 'expired_card' }, 'is declined: expired card'),
  card('4000000000000119', { kind: 'decline', code: 'processing_error' }, 'is declined: processing error'),
  card('4000002760003184', { kind: 'challenge', settlesAs: 'succeeded' }, 'requires 3-D Secure'),
  card(
    '4000008400001629',
    { kind: 'challenge', settlesAs: 'declined' },
    'requires 3-D Secure, then is declined',
  ),
  card('4000000000009011', { kind: 'lose_answer' }, 'is charged, but the response is lost'),
  card('4000000000009029', { kind: 'answer_late', seconds: 40 }, 'gets a response after 40 seconds'),
  card('4000000000009037', { kind: 'answer_twice' }, 'is charged once, and reported three times'),
  card('4000000000009045', { kind: 'answer_out_of_order' }, 'is charged, then reported with an older status'),
  card('4000000000009052', { kind: 'wrong_amount' }, 'is charged a wrong amount, which is refunded'),
  card('4000000000009060', { kind: 'never_answer' }, 'is never charged and gets no response'),
  card(
    '4000000000009078',
    { kind: 'charge_after_decline', code: 'processing_error' },
    'is declined, then charged anyway, which is refunded',
  ),
  card('4000000000009086', { kind: 'stay_pending' }, 'stays in process until a test settles it'),
];

const byNumber = new Map(testCards.map((card) => [card.number, card]));

/** The test card of a number, digits only; undefined for any other card. */
export function findTestCard(number: string): TestCard | undefined {
  return byNumber.get(number);
}

export function groupDigits(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}

export const shownTestCards = [
  { number: '4242424242424242', what: 'success' },
  { number: '4000000000000002', what: 'declined' },
  { number: '4000002760003184', what: 'challenge' },
] as const;

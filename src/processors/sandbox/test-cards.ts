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
  /** Declines, and then charges nevertheless. */
  | { kind: 'charge_after_decline'; code: DeclineCode };

export type TestCard = { number: string; scenario: TestCardScenario; description: string };

export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', scenario: { kind: 'succeed' }, description: 'succeeds' },
  {
    number: '4000000000000002',
    scenario: { kind: 'decline', code: 'generic_decline' },
    description: 'is declined',
  },
  {
    number: '4000000000009995',
    scenario: { kind: 'decline', code: 'insufficient_funds' },
    description: 'is declined: insufficient funds',
  },
  {
    number: '4000000000000127',
    scenario: { kind: 'decline', code: 'incorrect_csc' },
    description: 'is declined: wrong security code',
  },
  {
    number: '4000000000000069',
    scenario: { kind: 'decline', code: 'expired_card' },
    description: 'is declined: expired card',
  },
  {
    number: '4000000000000119',
    scenario: { kind: 'decline', code: 'processing_error' },
    description: 'is declined: processing error',
  },
  {
    number: '4000002760003184',
    scenario: { kind: 'challenge', settlesAs: 'succeeded' },
    description: 'asks for 3-D Secure',
  },
  {
    number: '4000008400001629',
    scenario: { kind: 'challenge', settlesAs: 'declined' },
    description: 'asks for 3-D Secure, then is declined',
  },
  {
    number: '4000000000009011',
    scenario: { kind: 'lose_answer' },
    description: 'is charged, but the answer is lost',
  },
  {
    number: '4000000000009029',
    scenario: { kind: 'answer_late', seconds: 40 },
    description: 'is answered after 40 seconds',
  },
  {
    number: '4000000000009037',
    scenario: { kind: 'answer_twice' },
    description: 'is charged once, and told of three times',
  },
  {
    number: '4000000000009045',
    scenario: { kind: 'answer_out_of_order' },
    description: 'is charged, and then answered with older news',
  },
  {
    number: '4000000000009052',
    scenario: { kind: 'wrong_amount' },
    description: 'is charged a wrong amount, which goes back',
  },
  {
    number: '4000000000009060',
    scenario: { kind: 'never_answer' },
    description: 'is never charged and never answered',
  },
  {
    number: '4000000000009078',
    scenario: { kind: 'charge_after_decline', code: 'processing_error' },
    description: 'is declined, then charged all the same, which goes back',
  },
];

const byNumber = new Map(testCards.map((card) => [card.number, card]));

/** The test card of a number, digits only; undefined for any other card. */
export function findTestCard(number: string): TestCard | undefined {
  return byNumber.get(number);
}

/** Formats a number in groups of four, as printed on a card. */
export function groupDigits(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** The three cards that a test page suggests. */
export const shownTestCards = [
  { number: '4242424242424242', what: 'success' },
  { number: '4000000000000002', what: 'declined' },
  { number: '4000002760003184', what: 'challenge' },
] as const;

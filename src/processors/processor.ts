// What payments know of a processor: this interface and nothing else. A processor is asked outside
// any transaction, under the attempt's id as idempotency key. What it declines is a value; an
// exception or a time-out means that nobody knows, and is never taken for a decline.

import type { SealedCard } from './card.ts';

/** Why a processor declined, in our words. */
export type DeclineCode =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'lost_or_stolen'
  | 'suspected_fraud'
  | 'incorrect_csc'
  | 'expired_card'
  | 'processing_error'
  | 'authentication_failed';

/** What a processor says about one attempt. Amounts are minor units. */
export type Outcome =
  | { kind: 'succeeded'; reference: string; amountMinor: number; currency: string }
  | { kind: 'declined'; reference: string; code: DeclineCode }
  | { kind: 'requires_action'; reference: string; url: string }
  | { kind: 'processing'; reference: string }
  /** The attempt was made void before any money moved, and can never succeed. */
  | { kind: 'void' };

/** News of an attempt that a processor brings by itself, without being asked. */
export type Told = { processor: string; companyId: string; attemptId: string; outcome: Outcome };

/**
 * Takes news of an attempt. They may come before the answer to `authorise`, after it, late, twice and
 * out of order: what is no news changes nothing, and nothing goes back to an earlier state. Resolves
 * when the news are recorded, so a processor may call them delivered; never throws for a repeat.
 * Must not be called inside a transaction. Throws `not_found` for an attempt that the company does not have.
 */
export type Tell = (told: Told) => Promise<void>;

export type AuthoriseRequest = {
  companyId: string;
  /** Our idempotency key: one attempt is charged at most once, however often it is asked for. */
  attemptId: string;
  amountMinor: number;
  currency: string;
  card: SealedCard;
  /** Where the processor sends the browser after an action of its own, such as 3-D Secure. */
  returnUrl: string;
  merchantName: string;
  locale: string;
};

export type RefundRequest = {
  companyId: string;
  /** Our idempotency key: one refund is made at most once, however often it is asked for. */
  refundId: string;
  /** The attempt whose money goes back, and the processor's own reference of it. */
  attemptId: string;
  processorReference: string;
  amountMinor: number;
  currency: string;
};

/** What a processor says about one refund. */
export type RefundOutcome =
  | { kind: 'succeeded'; reference: string; amountMinor: number; currency: string }
  | { kind: 'failed'; reference: string; code: string }
  | { kind: 'processing'; reference: string };

/** One movement in a processor's own books: what it took for an attempt, or gave back for a refund. */
export type Movement = {
  kind: 'charge' | 'refund';
  /** Our idempotency key, as the processor has it: the attempt's or the refund's id. */
  key: string;
  reference: string;
  amountMinor: number;
  currency: string;
};
export type MovementPage = { movements: Movement[]; nextCursor: string | null };

export type Processor = {
  name: string;
  /** Null when the processor would take this card number, else why it can't even be tried. */
  refuseCard(card: SealedCard): 'unsupported_test_card' | null;
  /** Asks for the money. Must stop when the signal fires; the charge may have happened all the same. */
  authorise(request: AuthoriseRequest, signal: AbortSignal): Promise<Outcome>;
  /** What became of an attempt, by our own key; null when the processor never heard of it. */
  query(request: { companyId: string; attemptId: string }, signal: AbortSignal): Promise<Outcome | null>;
  /** Makes sure that an attempt can't take money any more, unless it already has; says what holds. */
  cancel(request: { companyId: string; attemptId: string }, signal: AbortSignal): Promise<Outcome>;
  /** Gives money back. Asked again under the same refund id it answers the same, and pays once. */
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>;
  /** The money that moved for a company by the processor's own books, from `from` to before `until`, a page at a time. */
  list(
    request: { companyId: string; from: Date; until: Date; cursor: string | null },
    signal: AbortSignal,
  ): Promise<MovementPage>;
};

/** The processors there are: `find` throws for a name that none has. */
export type Processors = { find(name: string): Processor; default: Processor; all: readonly Processor[] };

// What payments know of a processor: this interface and nothing else. A processor is asked outside
// any transaction, under the attempt's id as idempotency key. What it declines is a value; an
// exception or a time-out means that nobody knows, and is never taken for a decline.

import type { Currency } from '../base/money.ts';
import type { Mode, TenantScope } from '../db/database.ts';
import type { ProtectedCard } from './card.ts';

/** Why a processor declined, in our words. */
export type DeclineCode =
  | 'generic_decline'
  /** On the processor's own page: it refused the card or account that the customer chose there; another may do. */
  | 'source_declined'
  | 'insufficient_funds'
  | 'lost_or_stolen'
  | 'suspected_fraud'
  | 'incorrect_csc'
  | 'expired_card'
  | 'processing_error'
  | 'authentication_failed';

/** What a processor says about one attempt. Amounts are minor units. */
export type AttemptOutcome =
  /** `isLastOfIt`: no more money of this attempt can come, so less than was asked for is sent back at once. */
  | { kind: 'succeeded'; reference: string; amountMinor: number; currency: string; isLastOfIt?: true }
  | { kind: 'declined'; reference: string; code: DeclineCode }
  /** The customer has to go to `url`: a challenge, or the processor's own page. */
  | { kind: 'requires_action'; reference: string; url: string }
  | { kind: 'processing'; reference: string }
  /** The attempt was made void before any money moved, and can never succeed. */
  | { kind: 'void' }
  /**
   * Nothing was begun and nothing can come of it: the processor could not be reached, or refused to begin.
   * Only `authorise` says so, only when that is certain, and only of the first time it is asked: whoever asks
   * again takes it for `unknown`. A time-out is never certain. `isOfRequest`: what was asked for was refused, an
   * amount or an address; the processor itself is up, and takes the next request.
   */
  | { kind: 'unavailable'; why: string; isOfRequest?: true };

/** The customer has agreed, and no money has moved: `capture` takes it. */
export type ApprovedOutcome = { kind: 'approved'; reference: string };

/** News of an attempt that a processor brings by itself, without being asked. */
export type OutcomeReport = TenantScope & { processor: string; attemptId: string; outcome: AttemptOutcome };

/**
 * Takes news of an attempt. They may come before the answer to `authorise`, after it, late, twice and
 * out of order: what is no news changes nothing, and nothing goes back to an earlier state. Resolves
 * when the news are recorded, so a processor may call them delivered; never throws for a repeat.
 * Must not be called inside a transaction. Throws `not_found` for an attempt that the company does not have.
 */
export type ReportOutcome = (told: OutcomeReport) => Promise<void>;

export type { Mode };

/** A company's account with a processor, opened for one call. Its credentials must reach no log and no answer. */
export type ProcessorConnection = {
  /** Ours; null for the processor that is built in and needs no settings. */
  connectionId: string | null;
  companyId: string;
  mode: Mode;
  /** By the names of the processor's `fields`. */
  credentials: Readonly<Record<string, string>>;
};

/** An attempt as a processor is asked about it. The same for every question: nothing in it changes any more. */
export type AttemptRequest = {
  companyId: string;
  /** Our idempotency key: one attempt is charged at most once, however often it is asked for. */
  attemptId: string;
  /** The processor's own reference, once it has said one. */
  processorReference: string | null;
  amountMinor: number;
  currency: Currency;
  /** What the processor shows and keeps beside the money: our link code and the merchant's order. */
  linkCode: string;
  customerOrderId: string;
  description: string | null;
  merchantName: string;
  customer: { email: string; firstName: string | null; lastName: string | null; country: string };
  locale: string;
  /** Where the processor sends the browser when the customer is done there, and when they turn back. */
  returnUrl: string;
  cancelUrl: string;
  createdAt: Date;
  /** Until when the customer may act; what is begun at the processor must not live longer. */
  expiresAt: Date;
};

export type AuthoriseRequest = AttemptRequest & {
  /** Null for a processor that takes no card from us. */
  card: ProtectedCard | null;
};

export type ProcessorRefundRequest = {
  companyId: string;
  /** Our idempotency key: one refund is made at most once, however often it is asked for. */
  refundId: string;
  /** The attempt whose money goes back, and the processor's own reference of it. */
  attemptId: string;
  processorReference: string;
  amountMinor: number;
  currency: Currency;
};

/** What a processor says about one refund. */
export type RefundOutcome =
  | { kind: 'succeeded'; reference: string; amountMinor: number; currency: string }
  | { kind: 'failed'; reference: string; code: string }
  | { kind: 'processing'; reference: string };

/** What became of a refund that was made in the processor's dashboard. */
export type ExternalRefundKind = 'outside_refund' | 'failed_outside_refund';

/**
 * One movement in a processor's own books: what it took for an attempt, or gave back for a refund. `failed_refund`: a
 * refund of ours whose money did not arrive, maybe after it had counted as given back. `outside_refund`: money of an
 * attempt that went back by a refund which is none of ours, made in the processor's dashboard; `failed_outside_refund`:
 * such a refund whose money did not arrive.
 */
export type BalanceTransaction = {
  kind: 'charge' | 'refund' | 'failed_refund' | ExternalRefundKind;
  /** Our idempotency key, as the processor has it: the refund's id; of a charge or a refund that is none of ours, the attempt's. */
  key: string;
  /** The processor's own; one of an attempt is good wherever the attempt's own reference is. */
  reference: string;
  amountMinor: number;
  currency: string;
};
/** A refund that is none of ours; its key is the attempt whose money went back. */
export type ExternalRefund = BalanceTransaction & { kind: ExternalRefundKind };

/**
 * A page of the list. `completeUntil`: what moved at this moment or later may not be in the list yet,
 * where a processor's list lags; without it, the list is whole.
 */
export type BalanceTransactionPage = {
  movements: BalanceTransaction[];
  nextCursor: string | null;
  completeUntil?: Date;
};

/** What a customer needs who sends the money from their own bank. */
export type TransferInstructions = {
  holder: string;
  iban: string;
  bic: string | null;
  /** ISO 11649, without spaces. */
  reference: string;
  /** Still to be sent, and what has arrived, in minor units. */
  dueMinor: number;
  receivedMinor: number;
  currency: Currency;
  /** Until when the money should be with the merchant. */
  expiresAt: Date;
};

/** A processor, opened for one connection. */
export type Processor = {
  name: string;
  /** Null when the processor would take this card number, else why it can't even be tried. */
  refuseCard(card: ProtectedCard): 'unsupported_test_card' | null;
  /**
   * Asks for the money, or begins the session in which the customer gives it. Must stop when the signal
   * fires; the charge may have happened all the same.
   */
  authorise(request: AuthoriseRequest, signal: AbortSignal): Promise<AttemptOutcome>;
  /** What became of an attempt, by our own key; null when the processor never heard of it. Moves no money. */
  query(request: AttemptRequest, signal: AbortSignal): Promise<AttemptOutcome | ApprovedOutcome | null>;
  /**
   * Takes the money of an attempt that the customer has approved; under the same key at most once. The request is
   * the one that `query` was asked with: its reference may still be null.
   */
  capture(request: AttemptRequest, signal: AbortSignal): Promise<AttemptOutcome>;
  /** Makes sure that an attempt can't take money any more, unless it already has; says what holds. */
  cancel(request: AttemptRequest, signal: AbortSignal): Promise<AttemptOutcome>;
  /** Gives money back. Asked again under the same refund id it answers the same, and pays once. */
  refund(request: ProcessorRefundRequest, signal: AbortSignal): Promise<RefundOutcome>;
  /** The money that moved for a company by the processor's own books, from `from` to before `until`, a page at a time. */
  list(
    request: { companyId: string; from: Date; until: Date; cursor: string | null },
    signal: AbortSignal,
  ): Promise<BalanceTransactionPage>;
  /** The refunds of an attempt's money that are none of ours and have ended. Without it, there is no dashboard to make them. */
  listOutsideRefunds?(request: AttemptRequest, signal: AbortSignal): Promise<ExternalRefund[]>;
  /** How the customer sends the money of an attempt that waits for it; null for a processor with a page of its own. */
  instruct(request: AttemptRequest): Promise<TransferInstructions | null>;
};

/** One of the settings that a connection needs. */
export type CredentialField = {
  name: string;
  label: string;
  /** A secret is never shown again. What is none (an IBAN, a client id) is. */
  isSecret: boolean;
  isRequired: boolean;
  /** For people: where it is found, and what it looks like. */
  help: string;
  maxLength: number;
};

/**
 * Whether credentials hold, by the word of the processor. `holder` is whose account they open, for people; `account`
 * names it for ever: a connection whose credentials open another account would look for its payments in other books.
 */
export type CredentialError = { field: string; code: string; detail: string };

export type CredentialCheck =
  | { kind: 'good'; holder: string; account: string }
  | { kind: 'bad'; faults: CredentialError[] };

/** A webhook as it came. Header names are in lower case; `body` is what was signed, byte by byte. */
export type ProcessorWebhookRequest = {
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
  now: Date;
  /** The attempt that its address proves it is about (`webhook-proof.ts`); null where the address proves nothing. */
  provenAttemptId: string | null;
  /**
   * Takes one from the budget of calls that unproven webhooks of this connection may cause. Ask it before each call
   * that a webhook causes which neither its address nor its signature has proven yet.
   */
  mayAsk(): boolean;
};

/** One thing that a webhook tells of ours, with what it claims about it. Null: it makes no such claim. */
export type ProcessorWebhookSubject = {
  /** The attempt, or the refund, that it is about. */
  attemptId: string | null;
  refundId: string | null;
  /** The connection that the attempt was made with, as we had noted it at the processor. */
  connectionId: string | null;
  amountMinor: number | null;
  currency: string | null;
};

/** What a webhook comes to. None of it is believed: whoever receives it asks the processor itself. */
export type ProcessorWebhook =
  | { kind: 'news'; noticeId: string; news: ProcessorWebhookSubject[] }
  /** True, and about nothing of ours. */
  | { kind: 'irrelevant'; noticeId: string }
  /** Not signed by the processor for this connection, too old, or not of its form at all. */
  | { kind: 'forged'; why: string }
  /** Nothing is known of it, because `mayAsk` allowed no call: the processor has to send it again. */
  | { kind: 'deferred' };

/**
 * What there is to know of a processor before a connection to it is opened. `takes` is how the customer
 * pays: a card on our page, on the processor's own page, or by a transfer that they order at their bank.
 */
export type ProcessorKind = {
  /** As settings, addresses and log lines have it. */
  name: string;
  /** As people know it. */
  title: string;
  takes: 'card' | 'page' | 'transfer';
  modes: readonly Mode[];
  currencies: readonly Currency[];
  /** The least and the most that it takes, in minor units of each currency; without it, whatever a link may cost. */
  amountsMinor?: { least: number; most: number };
  /** How long a customer may take over what the processor asks of them. */
  actionLifeMs: number;
  /** Whether that may go on past the end of the link: an attempt begun in time may finish. */
  mayOutliveLink: boolean;
  fields: readonly CredentialField[];
  /** Asks the processor whether the credentials hold and are of the connection's mode. Throws when it gives no answer. */
  check(connection: ProcessorConnection, signal: AbortSignal): Promise<CredentialCheck>;
  connect(connection: ProcessorConnection): Processor;
  /** Verifies and reads a webhook of this connection; null for a processor that sends none. Throws when it must ask and gets no answer. */
  readNotice:
    | ((
        connection: ProcessorConnection,
        notice: ProcessorWebhookRequest,
        signal: AbortSignal,
      ) => Promise<ProcessorWebhook>)
    | null;
};

/**
 * The processors there are: `find` throws for a name that none has. The one that is `builtIn` is offered
 * to every company in test mode without any settings.
 */
export type ProcessorRegistry = {
  find(name: string): ProcessorKind;
  builtIn: ProcessorKind;
  kinds: readonly ProcessorKind[];
};

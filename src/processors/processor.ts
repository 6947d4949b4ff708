// The interface of processors. A processor is called outside any transaction, with the attempt's ID as
// idempotency key. A decline is a value. An exception or a timeout means an unknown outcome, never a decline.

import type { Currency } from '../base/money.ts';
import type { Mode, TenantScope } from '../db/database.ts';
import { t, type ValueOf } from '../db/statements.ts';
import type { ProtectedCard } from './card.ts';

/** Why a processor declined, in Paylink's codes. */
export const declineCodes = [
  'generic_decline',
  /** On the processor's own page: it refused the chosen card or account; another may work. */
  'source_declined',
  'insufficient_funds',
  'lost_or_stolen',
  'suspected_fraud',
  'incorrect_csc',
  'expired_card',
  'processing_error',
  'authentication_failed',
] as const;
export const declineCode = t.oneOf(...declineCodes);
export type DeclineCode = ValueOf<typeof declineCode>;

/** The outcome of an attempt, as a processor reports it. Amounts are in minor units. */
export type AttemptOutcome =
  /** `isLastOfIt`: no more money can arrive for this attempt, so an amount that is too small is refunded at once. */
  | { kind: 'succeeded'; reference: string; amountMinor: number; currency: string; isLastOfIt?: true }
  | { kind: 'declined'; reference: string; code: DeclineCode }
  /** The customer must go to `url`: a challenge, or the processor's own page. */
  | { kind: 'requires_action'; reference: string; url: string }
  | { kind: 'processing'; reference: string }
  /** The attempt was voided before any money moved, and can never succeed. */
  | { kind: 'void' }
  /**
   * Nothing was started and nothing can follow: the processor was unreachable, or refused to start. Only
   * `authorise` returns it, only when this is certain, and only for the first call: a repeated call treats it
   * as `unknown`. A time-out is never certain. `isOfRequest`: the processor refused the request itself, such
   * as an amount or an address; it is up and takes the next request.
   */
  | { kind: 'unavailable'; why: string; isOfRequest?: true };

/** The customer has agreed, and no money has moved: `capture` takes it. */
export type ApprovedOutcome = { kind: 'approved'; reference: string };

/** An unsolicited report of an attempt's outcome. */
export type OutcomeReport = TenantScope & { processor: string; attemptId: string; outcome: AttemptOutcome };

/**
 * Receives reports about an attempt. They may come before or after the response to `authorise`, late, twice
 * and out of order: repeated ones change nothing, and no status moves back. Resolves when the report is
 * recorded, so that a processor may count it as delivered; never throws for a repeated one. Must not be
 * called inside a transaction. Throws `not_found` for an attempt that the company does not have.
 */
export type ReportOutcome = (report: OutcomeReport) => Promise<void>;

export type { Mode };

/** Opened for one call. Must not: let its credentials into a log or a response. */
export type ProcessorConnection = {
  /** Our ID; null for the built-in processor, which needs no settings. */
  connectionId: string | null;
  companyId: string;
  mode: Mode;
  /** By the names of the processor's `fields`. */
  credentials: Readonly<Record<string, string>>;
};

/** A line of the order. The amount is gross, and negative for a discount. */
export type AttemptItem = { name: string; quantity: number; unitAmountMinor: number };

/**
 * An attempt in requests to a processor. It is the same in every request, except `merchantName` and `statementDescriptor`:
 * these are the company's own at that time, and it may change them between two requests.
 */
export type AttemptRequest = {
  companyId: string;
  /** Our idempotency key: one attempt is charged at most once, however often it is requested. */
  attemptId: string;
  /** The processor's own reference, once known. */
  processorReference: string | null;
  amountMinor: number;
  currency: Currency;
  /** Shown and stored by the processor: our link code and the merchant's order. */
  linkCode: string;
  customerOrderId: string;
  description: string | null;
  /** What the payment is for; empty if unknown. The sum of quantity × unit amount is the amount. */
  items: readonly AttemptItem[];
  merchantName: string;
  /** What a card statement shall show: 5 to 22 Latin letters, digits, spaces and `. - *`. Null: what the account there says. */
  statementDescriptor: string | null;
  customer: { email: string; firstName: string | null; lastName: string | null; country: string };
  locale: string;
  /** Where the processor sends the browser when the customer finishes, and when they go back. */
  returnUrl: string;
  cancelUrl: string;
  createdAt: Date;
  /** Until when the customer may act. Sessions at the processor must not live longer. */
  expiresAt: Date;
};

export type AuthoriseRequest = AttemptRequest & {
  /** Null for a processor that takes no card from us. */
  card: ProtectedCard | null;
};

export type ProcessorRefundRequest = {
  companyId: string;
  /** Our idempotency key: one refund is made at most once, however often it is requested. */
  refundId: string;
  /** The attempt that is refunded, and the processor's own reference of it. */
  attemptId: string;
  processorReference: string;
  amountMinor: number;
  currency: Currency;
};

export type RefundOutcome =
  | { kind: 'succeeded'; reference: string; amountMinor: number; currency: string }
  | { kind: 'failed'; reference: string; code: string }
  | { kind: 'processing'; reference: string };

/** The result of a refund that was made in the processor's dashboard. */
export type ExternalRefundKind = 'outside_refund' | 'failed_outside_refund';

/**
 * One movement in a processor's own records: a charge of an attempt, or a refund. `failed_refund`: one of our
 * refunds whose money did not arrive, maybe after it counted as succeeded. `outside_refund`: a refund of an
 * attempt's money made in the processor's dashboard; `failed_outside_refund`: such a refund whose money did
 * not arrive.
 */
export type BalanceTransaction = {
  kind: 'charge' | 'refund' | 'failed_refund' | ExternalRefundKind;
  /** Our idempotency key at the processor: the refund's ID; for a charge or an external refund, the attempt's ID. */
  key: string;
  /** The processor's own reference; one of an attempt works wherever the attempt's own reference does. */
  reference: string;
  amountMinor: number;
  currency: string;
  /** What the processor charges for it, if it says so and in this currency. */
  feeMinor?: number;
};

/** The columns of a movement in the tables of a processor of our own. */
export const ownTransaction = {
  kind: t.oneOf('charge', 'refund'),
  key: t.text,
  reference: t.text,
  amountMinor: t.int8,
  currency: t.text,
};

/** An external refund; its key is the attempt that was refunded. */
export type ExternalRefund = BalanceTransaction & { kind: ExternalRefundKind };

/** `completeUntil`: later movements may be missing, if the processor's list lags; without it, the list is complete. */
export type BalanceTransactionPage = {
  movements: BalanceTransaction[];
  nextCursor: string | null;
  completeUntil?: Date;
};

/** What a customer needs to send the money from their own bank. */
export type TransferInstructions = {
  holder: string;
  iban: string;
  bic: string | null;
  /** ISO 11649, without spaces. */
  reference: string;
  /** Amounts still due and received, in minor units. */
  dueMinor: number;
  receivedMinor: number;
  currency: Currency;
  /** When the money should have reached the merchant. */
  expiresAt: Date;
};

/** A processor, opened for one connection. */
export type Processor = {
  name: string;
  /** Null when the processor accepts this card number, else the reason. */
  refuseCard(card: ProtectedCard): 'unsupported_test_card' | null;
  /** Requests the money, or starts the customer's session. Stops at the signal; it may have charged nevertheless. */
  authorise(request: AuthoriseRequest, signal: AbortSignal): Promise<AttemptOutcome>;
  /** The outcome of an attempt, by our own key; null when the processor does not know it. Moves no money. */
  query(request: AttemptRequest, signal: AbortSignal): Promise<AttemptOutcome | ApprovedOutcome | null>;
  /** At most once per key. The request is the one of `query`: its reference may still be null. */
  capture(request: AttemptRequest, signal: AbortSignal): Promise<AttemptOutcome>;
  /** Makes sure that an attempt cannot take money any more, unless it already has. Returns the outcome. */
  cancel(request: AttemptRequest, signal: AbortSignal): Promise<AttemptOutcome>;
  /** Makes a refund. A repeated call with the same refund ID returns the same outcome and pays once. */
  refund(request: ProcessorRefundRequest, signal: AbortSignal): Promise<RefundOutcome>;
  /** A company's movements in the processor's records, from `from` to before `until`, page by page. */
  list(
    request: { companyId: string; from: Date; until: Date; cursor: string | null },
    signal: AbortSignal,
  ): Promise<BalanceTransactionPage>;
  /** The completed external refunds of an attempt. Missing for a processor without a dashboard. */
  listOutsideRefunds?(request: AttemptRequest, signal: AbortSignal): Promise<ExternalRefund[]>;
  /** How the customer sends the money of an attempt that waits for it; null for a processor with its own page. */
  instruct(request: AttemptRequest): Promise<TransferInstructions | null>;
};

export type CredentialField = {
  name: string;
  label: string;
  /** A secret is never shown again. Other settings (an IBAN, a client ID) are. */
  isSecret: boolean;
  isRequired: boolean;
  /** For people: where to find it, and its form. */
  help: string;
  maxLength: number;
};

/**
 * Whether credentials are valid, according to the processor. `holder` names their account for people;
 * `account` identifies it permanently: credentials of another account would not find the connection's
 * payments.
 */
export type CredentialError = { field: string; code: string; detail: string };

export type CredentialCheck =
  /** `offers`: what customers can use on the processor's page, by its brand; without it, the page shows none. */
  | { kind: 'good'; holder: string; account: string; offers?: readonly string[] }
  | { kind: 'bad'; faults: CredentialError[] };

/** A webhook as received. Header names are in lower case; `body` has the signed bytes. */
export type ProcessorWebhookRequest = {
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
  now: Date;
  /** The attempt that its address proves (`webhook-proof.ts`); null without a proof. */
  provenAttemptId: string | null;
  /** Call it before each call that neither the webhook's address nor its signature justifies. */
  mayAsk(): boolean;
};

/** One of our objects in a webhook, with the webhook's claims about it. Null: no such claim. */
export type ProcessorWebhookSubject = {
  /** The attempt or the refund concerned. */
  attemptId: string | null;
  refundId: string | null;
  /** The connection of the attempt, from our metadata at the processor. */
  connectionId: string | null;
  amountMinor: number | null;
  currency: string | null;
};

/** The content of a webhook. None of it is trusted: the receiver queries the processor. */
export type ProcessorWebhook =
  | { kind: 'news'; noticeId: string; news: ProcessorWebhookSubject[] }
  /** Authentic, but about none of our objects. */
  | { kind: 'irrelevant'; noticeId: string }
  /** Not signed by the processor for this connection, too old, or malformed. */
  | { kind: 'forged'; why: string }
  /** Unverified, because `mayAsk` allowed no call: the processor must send it again. */
  | { kind: 'deferred' };

/** `takes` is how the customer pays: a card on our page, on the processor's own page, or by a bank transfer. */
export type ProcessorKind = {
  /** The name in settings, addresses and log lines. */
  name: string;
  title: string;
  takes: 'card' | 'page' | 'transfer';
  modes: readonly Mode[];
  currencies: readonly Currency[];
  /** The smallest and largest amounts, in minor units of each currency; without it, any amount. */
  amountsMinor?: { least: number; most: number };
  /** How long a customer may take for the processor's page. */
  actionLifeMs: number;
  /** Whether that may last beyond the expiry of the link: an attempt that began in time may finish. */
  mayOutliveLink: boolean;
  /** Whether its records are ours, so that they follow the test clock of a company. */
  followsTestClock?: true;
  fields: readonly CredentialField[];
  /** Whether they are valid and belong to the connection's mode. Throws without a response. */
  check(connection: ProcessorConnection, signal: AbortSignal): Promise<CredentialCheck>;
  connect(connection: ProcessorConnection): Processor;
  /** Null for a processor without webhooks. Throws when a required query gets no response. */
  readNotice:
    | ((
        connection: ProcessorConnection,
        notice: ProcessorWebhookRequest,
        signal: AbortSignal,
      ) => Promise<ProcessorWebhook>)
    | null;
};

/** `find` throws for an unknown name. Every company has the `builtIn` one in test mode without any settings. */
export type ProcessorRegistry = {
  find(name: string): ProcessorKind;
  builtIn: ProcessorKind;
  kinds: readonly ProcessorKind[];
};

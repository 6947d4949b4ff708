// The operations on payments, refunds, events and the ledger as methods, grouped by resource. One line each,
// typed from openapi.json, without logic.

import type { Answer, CallOptions, Input, Request } from './call.ts';
import { type Feed, type FeedStart, followFeed, type List, listPages } from './pages.ts';

type Query<
  Id extends 'listPayments' | 'listPaymentEvents' | 'listPaymentDeliveries' | 'exportPayments' | 'drawQrCode',
> = NonNullable<Input<Id>['query']>;
export type PaymentRequest = Input<'processPayment'>['body'];
export type Payment = Answer<'processPayment'>;
export type PaymentQuery = Query<'listPayments'>;
export type PaymentChange = Input<'updatePayment'>['body'];
export type RefundRequest = Input<'refundPayment'>['body'];
export type Refund = Answer<'refundPayment'>;
export type ExpandableRefund = Answer<'getRefund'>;
export type RefundQuery = NonNullable<Input<'findRefunds'>['query']>;
/** What a call includes on request. */
type Expand<Id extends 'getPayment' | 'getRefund'> = Pick<NonNullable<Input<Id>['query']>, 'expand'>;
export type OverviewQuery = NonNullable<Input<'getOverview'>['query']>;
export type Overview = Answer<'getOverview'>;
export type Case = Answer<'listCases'>['data'][number];
export type CaseClosing = Input<'closeCase'>['body'];
export type ClosedCase = Answer<'closeCase'>;
/** An event of the feed. */
export type PaylinkEvent = Answer<'listEvents'>['data'][number];
/** An event in the timeline of a payment and the audit log: with the actor's email address. */
export type HistoryEntry = Answer<'listPaymentEvents'>['data'][number];
export type AuditQuery = NonNullable<Input<'listAuditEvents'>['query']>;
export type PaymentDelivery = Answer<'listPaymentDeliveries'>['data'][number];
export type EventPage = Answer<'listEvents'>;
export type EventQuery = NonNullable<Input<'listEvents'>['query']>;
export type Balance = Answer<'listBalances'>['data'][number];
export type LedgerEntry = Answer<'listLedgerEntries'>['data'][number];
export type LedgerQuery = NonNullable<Input<'listLedgerEntries'>['query']>;

export type Payments = {
  /**
   * Creates a payment. Send the customer to its `PaymentLink`. The same request again returns the same link.
   */
  create(payment: PaymentRequest, options?: CallOptions): Promise<Payment>;
  /** The payments that match the filters, newest first; all without filters. */
  list(query?: PaymentQuery, options?: CallOptions): List<Payment>;
  /** The current payment, with its refunds or attempts if `expand` names them. */
  get(code: string, options?: CallOptions & Expand<'getPayment'>): Promise<Payment>;
  /** Emails the link of an open payment to its customer. */
  sendLink(code: string, options?: CallOptions): Promise<Payment>;
  /** Changes an open payment; omitted fields stay unchanged. */
  update(code: string, change: PaymentChange, options?: CallOptions): Promise<Payment>;
  /** Cancels an open payment: its link accepts no payment any more. */
  cancel(code: string, options?: CallOptions): Promise<Payment>;
  /** Refunds a payment, partially or, without an amount, in full. Check the `status` of the response. */
  refund(code: string, refund?: RefundRequest, options?: CallOptions): Promise<Refund>;
  /** The refunds of a payment, oldest first. */
  listRefunds(code: string, options?: CallOptions): List<Refund>;
  /** The timeline of a payment, oldest first. */
  listEvents(code: string, query?: Query<'listPaymentEvents'>, options?: CallOptions): List<HistoryEntry>;
  /** The webhook deliveries of a payment's events, including due ones, newest first. */
  listDeliveries(
    code: string,
    query?: Query<'listPaymentDeliveries'>,
    options?: CallOptions,
  ): List<PaymentDelivery>;
  /**
   * The link as a QR code. Read the image from the response: `text()` of an SVG, `arrayBuffer()` of a PNG.
   */
  qr(code: string, query?: Query<'drawQrCode'>, options?: CallOptions): Promise<Response>;
  /** All payments that match the filters as a file. Reading its `body` throws when the file is truncated. */
  export(query?: Query<'exportPayments'>, options?: CallOptions): Promise<Response>;
};

export type Refunds = {
  /** Refunds of all payments that match the filters, newest first. */
  list(query?: RefundQuery, options?: CallOptions): List<ExpandableRefund>;
  /** The current refund, with its payment if `expand` names it. */
  get(refundId: string, options?: CallOptions & Expand<'getRefund'>): Promise<ExpandableRefund>;
};

export type Overviews = {
  /** Figures of the last days, and what needs attention. */
  get(query?: OverviewQuery, options?: CallOptions): Promise<Overview>;
};

export type Cases = {
  /** The cases that wait for a person, longest first. */
  list(options?: CallOptions): List<Case>;
  /** Closes a case about money that Paylink cannot account for, after you have settled it at the processor. */
  close(code: string, closing: CaseClosing, options?: CallOptions): Promise<ClosedCase>;
};

export type Events = {
  /** One request to the feed. Its `nextCursor` is always present: pass it as `after` to continue. */
  list(query?: EventQuery, options?: CallOptions): Promise<EventPage>;
  /** The endless feed: each event as it happens. Leave the loop, or abort, to stop. */
  follow(start?: FeedStart, options?: CallOptions): Feed<PaylinkEvent>;
  /** The audit log: everything that happened in the company, newest first. */
  listAudit(query?: AuditQuery, options?: CallOptions): List<HistoryEntry>;
};

export type Balances = {
  /** The balance of each ledger account in each currency. */
  list(options?: CallOptions): List<Balance>;
};

export type Ledger = {
  /** The ledger entries behind the balances, oldest first. */
  entries(query?: LedgerQuery, options?: CallOptions): List<LedgerEntry>;
};

const queryOf = <T>(expand: T | undefined) => (expand === undefined ? {} : { expand });

export function paymentsOf(request: Request): Payments {
  return {
    create: (body, options) => request('processPayment', { body }, options),
    list: (query, options) =>
      listPages((place) => request('listPayments', { query: { ...query, ...place } }, options)),
    get: (code, { expand, ...options } = {}) =>
      request('getPayment', { path: { code }, query: queryOf(expand) }, options),
    sendLink: (code, options) => request('sendPaymentLink', { path: { code } }, options),
    update: (code, body, options) => request('updatePayment', { path: { code }, body }, options),
    cancel: (code, options) => request('cancelPayment', { path: { code } }, options),
    refund: (code, body = {}, options) => request('refundPayment', { path: { code }, body }, options),
    listRefunds: (code, options) => listPages(() => request('listRefunds', { path: { code } }, options)),
    listEvents: (code, query, options) =>
      listPages((place) =>
        request('listPaymentEvents', { path: { code }, query: { ...query, ...place } }, options),
      ),
    listDeliveries: (code, query, options) =>
      listPages((place) =>
        request('listPaymentDeliveries', { path: { code }, query: { ...query, ...place } }, options),
      ),
    qr: (code, query = {}, options) => request('drawQrCode', { path: { code }, query }, options),
    export: (query = {}, options) => request('exportPayments', { query }, options),
  };
}

export function refundsOf(request: Request): Refunds {
  return {
    list: (query, options) =>
      listPages((place) => request('findRefunds', { query: { ...query, ...place } }, options)),
    get: (refundId, { expand, ...options } = {}) =>
      request('getRefund', { path: { refundId }, query: queryOf(expand) }, options),
  };
}

export function overviewsOf(request: Request): Overviews {
  return {
    get: (query = {}, options) => request('getOverview', { query }, options),
  };
}

export function casesOf(request: Request): Cases {
  return {
    list: (options) => listPages(() => request('listCases', {}, options)),
    close: (code, body, options) => request('closeCase', { path: { code }, body }, options),
  };
}

export function eventsOf(request: Request): Events {
  return {
    list: (query = {}, options) => request('listEvents', { query }, options),
    follow: (start, options) =>
      followFeed(start, (query, timeoutMs) =>
        request('listEvents', { query }, { ...options, timeoutMs: options?.timeoutMs ?? timeoutMs }),
      ),
    listAudit: (query, options) =>
      listPages((place) => request('listAuditEvents', { query: { ...query, ...place } }, options)),
  };
}

export function balancesOf(request: Request): Balances {
  return {
    list: (options) => listPages(() => request('listBalances', {}, options)),
  };
}

export function ledgerOf(request: Request): Ledger {
  return {
    entries: (query, options) =>
      listPages((place) => request('listLedgerEntries', { query: { ...query, ...place } }, options)),
  };
}

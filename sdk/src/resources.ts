// The operations on payments and what comes of them as methods, grouped by what they are about: one line each.
// What they send and answer is typed from openapi.json, and nothing is decided here.

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
export type OverviewQuery = NonNullable<Input<'getOverview'>['query']>;
export type Overview = Answer<'getOverview'>;
export type Case = Answer<'listCases'>['data'][number];
/** Something that happened, as the feed tells it. */
export type PaylinkEvent = Answer<'listEvents'>['data'][number];
/** The same as the history of a payment and the audit log tell it: with the address of who did it. */
export type HistoryEntry = Answer<'listPaymentEvents'>['data'][number];
export type AuditQuery = NonNullable<Input<'listAuditEvents'>['query']>;
export type PaymentDelivery = Answer<'listPaymentDeliveries'>['data'][number];
export type EventPage = Answer<'listEvents'>;
export type EventQuery = NonNullable<Input<'listEvents'>['query']>;
export type Balance = Answer<'listBalances'>['data'][number];
export type LedgerEntry = Answer<'listLedgerEntries'>['data'][number];
export type LedgerQuery = NonNullable<Input<'listLedgerEntries'>['query']>;

export type Payments = {
  /** Asks for a payment. Send the customer to its `PaymentLink`. The same request again answers the same link. */
  create(payment: PaymentRequest, options?: CallOptions): Promise<Payment>;
  /** The payments that pass the filters; all without any, the newest first. */
  list(query?: PaymentQuery, options?: CallOptions): List<Payment>;
  /** The payment as it is now. */
  get(code: string, options?: CallOptions): Promise<Payment>;
  /** Sends the link of an open payment to its customer by mail. */
  sendLink(code: string, options?: CallOptions): Promise<Payment>;
  /** Changes an open payment: what is left out stays as it is. */
  update(code: string, change: PaymentChange, options?: CallOptions): Promise<Payment>;
  /** Cancels an open payment: its link takes no card any more. */
  cancel(code: string, options?: CallOptions): Promise<Payment>;
  /** Gives a payment back, in part or, without an amount, in full. Read the `status` of the answer. */
  refund(code: string, refund?: RefundRequest, options?: CallOptions): Promise<Refund>;
  /** The refunds of a payment, the oldest first. */
  listRefunds(code: string, options?: CallOptions): List<Refund>;
  /** Everything that happened to a payment, the oldest first. */
  listEvents(code: string, query?: Query<'listPaymentEvents'>, options?: CallOptions): List<HistoryEntry>;
  /** What was and is to be delivered to webhook endpoints of a payment's events, the newest first. */
  listDeliveries(
    code: string,
    query?: Query<'listPaymentDeliveries'>,
    options?: CallOptions,
  ): List<PaymentDelivery>;
  /** The link as a QR code. Read the picture from the answer: `text()` of an SVG, `arrayBuffer()` of a PNG. */
  qr(code: string, query?: Query<'drawQrCode'>, options?: CallOptions): Promise<Response>;
  /** All payments that pass the filters as a file. Reading its `body` throws when the file breaks off. */
  export(query?: Query<'exportPayments'>, options?: CallOptions): Promise<Response>;
};

export type Overviews = {
  /** What was made and paid in the last days, and what needs attention. */
  get(query?: OverviewQuery, options?: CallOptions): Promise<Overview>;
};

export type Cases = {
  /** What waits for a person, longest first. */
  list(options?: CallOptions): List<Case>;
};

export type Events = {
  /** One look into the feed. Its `nextCursor` is always there: give it as `after` to go on. */
  list(query?: EventQuery, options?: CallOptions): Promise<EventPage>;
  /** The feed without an end: each event as it happens. Leave the loop, or abort, to stop. */
  follow(start?: FeedStart, options?: CallOptions): Feed<PaylinkEvent>;
  /** The audit log: everything that happened to the company, the newest first. */
  listAudit(query?: AuditQuery, options?: CallOptions): List<HistoryEntry>;
};

export type Balances = {
  /** What each account of the ledger comes to, in each currency. */
  list(options?: CallOptions): List<Balance>;
};

export type Ledger = {
  /** The movements of money behind the balances, the oldest first. */
  entries(query?: LedgerQuery, options?: CallOptions): List<LedgerEntry>;
};

export function paymentsOf(request: Request): Payments {
  return {
    create: (body, options) => request('processPayment', { body }, options),
    list: (query, options) =>
      listPages((place) => request('listPayments', { query: { ...query, ...place } }, options)),
    get: (code, options) => request('getPayment', { path: { code } }, options),
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

export function overviewsOf(request: Request): Overviews {
  return {
    get: (query = {}, options) => request('getOverview', { query }, options),
  };
}

export function casesOf(request: Request): Cases {
  return {
    list: (options) => listPages(() => request('listCases', {}, options)),
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

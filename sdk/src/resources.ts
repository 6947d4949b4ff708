// The operations of the API as methods, grouped by what they are about: one line each. What they send and
// answer is typed from openapi.json, and nothing is decided here.

import type { Answer, CallOptions, Input, Request } from './call.ts';
import { type List, listPages } from './pages.ts';

export type PaymentRequest = Input<'processPayment'>['body'];
export type Payment = Answer<'processPayment'>;
export type RefundRequest = Input<'refundPayment'>['body'];
export type Refund = Answer<'refundPayment'>;
export type Case = Answer<'listCases'>['data'][number];

export type Payments = {
  /** Asks for a payment. Send the customer to its `PaymentLink`. The same request again answers the same link. */
  create(payment: PaymentRequest, options?: CallOptions): Promise<Payment>;
  /** The payment as it is now. */
  get(code: string, options?: CallOptions): Promise<Payment>;
  /** Sends the link of an open payment to its customer by mail. */
  sendLink(code: string, options?: CallOptions): Promise<Payment>;
  /** Cancels an open payment: its link takes no card any more. */
  cancel(code: string, options?: CallOptions): Promise<Payment>;
  /** Gives a payment back, in part or, without an amount, in full. Read the `status` of the answer. */
  refund(code: string, refund?: RefundRequest, options?: CallOptions): Promise<Refund>;
  /** The refunds of a payment, the oldest first. */
  listRefunds(code: string, options?: CallOptions): List<Refund>;
};

export type Cases = {
  /** What waits for a person, longest first. */
  list(options?: CallOptions): List<Case>;
};

export function paymentsOf(request: Request): Payments {
  return {
    create: (body, options) => request('processPayment', { body }, options),
    get: (code, options) => request('getPayment', { path: { code } }, options),
    sendLink: (code, options) => request('sendPaymentLink', { path: { code } }, options),
    cancel: (code, options) => request('cancelPayment', { path: { code } }, options),
    refund: (code, body = {}, options) => request('refundPayment', { path: { code }, body }, options),
    listRefunds: (code, options) => listPages(() => request('listRefunds', { path: { code } }, options)),
  };
}

export function casesOf(request: Request): Cases {
  return {
    list: (options) => listPages(() => request('listCases', {}, options)),
  };
}

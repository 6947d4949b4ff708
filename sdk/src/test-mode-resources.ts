// The operations that work in test mode only, as methods: the test clock, states of payments, and events on request. One
// line each, typed from openapi.json, without logic.

import type { Answer, CallOptions, Input, Request } from './call.ts';

export type TestClock = Answer<'getTestClock'>;
export type AdvancedTestClock = Answer<'advanceTestClock'>;
export type TestedPayment = Answer<'testPayPayment'>;
export type CausedEvent = Answer<'causeTestEvent'>;
export type TestEventType = Input<'causeTestEvent'>['path']['type'];
export type TestEventFields = Input<'causeTestEvent'>['body'];

export type TestClocks = {
  /** The time of the company in test mode. */
  get(options?: CallOptions): Promise<TestClock>;
  /** Moves it forward by a duration such as P3D, and does what would have been done in that time. */
  advance(by: string, options?: CallOptions): Promise<AdvancedTestClock>;
};

export type TestPayments = {
  /** Opens the link, as a customer does. */
  open(code: string, options?: CallOptions): Promise<TestedPayment>;
  /** Pays with a test card. */
  pay(code: string, options?: CallOptions): Promise<TestedPayment>;
  decline(
    code: string,
    decline?: Input<'testDeclinePayment'>['body'],
    options?: CallOptions,
  ): Promise<TestedPayment>;
  /** Begins to pay, without an outcome. */
  process(
    code: string,
    process?: Input<'testProcessPayment'>['body'],
    options?: CallOptions,
  ): Promise<TestedPayment>;
  /** Ends the live attempt, or the refund without an outcome. */
  settle(
    code: string,
    settle?: Input<'testSettlePayment'>['body'],
    options?: CallOptions,
  ): Promise<TestedPayment>;
  expire(code: string, options?: CallOptions): Promise<TestedPayment>;
  cancel(code: string, options?: CallOptions): Promise<TestedPayment>;
  /** Asks for a new link, as the customer of a failed or expired one. */
  requestLink(code: string, options?: CallOptions): Promise<TestedPayment>;
  refund(
    code: string,
    refund?: Input<'testRefundPayment'>['body'],
    options?: CallOptions,
  ): Promise<TestedPayment>;
  /** Pays with a test card that is charged a wrong amount. */
  overpay(code: string, options?: CallOptions): Promise<TestedPayment>;
  /** Receives a bank transfer for the payment. */
  transfer(
    code: string,
    transfer?: Input<'testTransferPayment'>['body'],
    options?: CallOptions,
  ): Promise<TestedPayment>;
  /** Makes the live attempt, or the refund without an outcome, a case. */
  escalate(code: string, options?: CallOptions): Promise<TestedPayment>;
};

export type TestEvents = {
  /** Causes an event, with a new payment or webhook endpoint. */
  cause(type: TestEventType, fields?: TestEventFields, options?: CallOptions): Promise<CausedEvent>;
};

export function testClockOf(request: Request): TestClocks {
  return {
    get: (options) => request('getTestClock', {}, options),
    advance: (by, options) => request('advanceTestClock', { body: { by } }, options),
  };
}

export function testPaymentsOf(request: Request): TestPayments {
  return {
    open: (code, options) => request('testOpenPayment', { path: { code }, body: {} }, options),
    pay: (code, options) => request('testPayPayment', { path: { code }, body: {} }, options),
    decline: (code, body = {}, options) => request('testDeclinePayment', { path: { code }, body }, options),
    process: (code, body = {}, options) => request('testProcessPayment', { path: { code }, body }, options),
    settle: (code, body = {}, options) => request('testSettlePayment', { path: { code }, body }, options),
    expire: (code, options) => request('testExpirePayment', { path: { code }, body: {} }, options),
    cancel: (code, options) => request('testCancelPayment', { path: { code }, body: {} }, options),
    requestLink: (code, options) => request('testRequestPaymentLink', { path: { code }, body: {} }, options),
    refund: (code, body = {}, options) => request('testRefundPayment', { path: { code }, body }, options),
    overpay: (code, options) => request('testOverpayPayment', { path: { code }, body: {} }, options),
    transfer: (code, body = {}, options) => request('testTransferPayment', { path: { code }, body }, options),
    escalate: (code, options) => request('testEscalatePayment', { path: { code }, body: {} }, options),
  };
}

export function testEventsOf(request: Request): TestEvents {
  return {
    cause: (type, body = {}, options) => request('causeTestEvent', { path: { type }, body }, options),
  };
}

// What tools return, as far as their descriptions promise it. The service decides; further fields may come.

import { Type } from 'typebox';
import { oneOf } from './tool.ts';

const text = (description: string) => Type.String({ description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const amount = (description: string) => Type.Number({ description: `${description}, in major units` });
const amountOrNull = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}, in major units` });
const moment = (description: string) => Type.String({ description: `${description}; RFC 3339, UTC` });
const momentOrNull = (description: string) => textOrNull(`${description}; RFC 3339, UTC`);

export const paymentStatuses = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'] as const;
export const refundStatuses = ['created', 'processing', 'unknown', 'succeeded', 'failed'] as const;
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const payment = Type.Object(
  {
    PaymentLinkCode: text('Identifies the payment'),
    PaymentLink: text('The address where the customer pays'),
    customerOrderId: text("The merchant's order ID"),
    status: oneOf(paymentStatuses, 'paid: the money has arrived'),
    amount: amount('What the customer pays'),
    refundedAmount: amount('What was refunded'),
    currency: text('ISO 4217 code'),
    mode: oneOf(['test', 'live'], 'live: real money'),
    email: text("The customer's email address"),
    createdAt: moment('When it was created'),
    expiresAt: moment('When the link expires'),
    paidAt: momentOrNull('When it was paid'),
    fee: amountOrNull('What the processor charges, if known'),
  },
  { description: 'A payment with its link' },
);

export const refund = Type.Object(
  {
    refundId: text('Identifies the refund'),
    paymentLinkCode: text('The refunded payment'),
    amount: amount('What is refunded'),
    currency: text('ISO 4217 code'),
    status: oneOf(refundStatuses, 'succeeded: the processor has refunded it; failed: no money has moved'),
    reason: textOrNull('For the records of the merchant'),
    failureCode: textOrNull('Why the processor refused it'),
    createdAt: moment('When it was created'),
  },
  { description: 'A refund' },
);

export const event = Type.Object(
  {
    eventId: text('Identifies the event'),
    type: text('Such as payment.paid'),
    createdAt: moment('When it happened'),
    actor: text('Who caused it'),
    paymentLinkCode: textOrNull('The payment concerned'),
    data: Type.Object({}, { description: 'Facts of the event' }),
  },
  { description: 'An event' },
);

export const balance = Type.Object(
  {
    account: text('The account of the ledger'),
    currency: text('ISO 4217 code'),
    balance: amount('Debits less credits'),
  },
  { description: 'The balance of an account of the ledger in a currency' },
);

export const webhookEndpoint = Type.Object(
  {
    endpointId: text('Identifies the endpoint'),
    url: text('Where messages are sent'),
    events: Type.Array(Type.String(), { description: 'The types of events that it receives' }),
    status: text('Whether messages are sent'),
    disabledReason: textOrNull('Why none are sent'),
    createdAt: moment('When it was created'),
  },
  { description: 'A webhook endpoint' },
);

export const webhookDelivery = Type.Object(
  {
    deliveryId: text('Identifies the delivery'),
    endpointId: text('The endpoint that receives it'),
    eventId: text('The event that it delivers'),
    type: text('The type of the event'),
    status: oneOf(deliveryStatuses, 'pending: not delivered yet; failed: there is no further attempt'),
    tries: Type.Integer({ description: 'The number of attempts' }),
    lastStatus: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the last attempt' }),
    lastFault: textOrNull('Why the last attempt got no response'),
    createdAt: moment('When the event happened'),
  },
  { description: 'A delivery of an event to an endpoint' },
);

export const apiRequest = Type.Object(
  {
    requestId: text('Identifies the call'),
    createdAt: moment('When it began'),
    method: text('The HTTP method'),
    path: text('The path'),
    status: Type.Integer({ description: 'The HTTP status of the response' }),
    durationMs: Type.Integer({ description: 'Milliseconds until the response' }),
    keyId: textOrNull('The ID of the key; null for a call from the dashboard'),
    actor: text('Who called'),
    errorCode: textOrNull('The error code; null for a call that succeeded'),
  },
  { description: 'A call of the API' },
);

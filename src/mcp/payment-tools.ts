// Tools that read payments and refunds.

import { Type } from 'typebox';
import { event, payment, paymentStatuses, refund, refundStatuses } from './shapes.ts';
import {
  argumentsOf,
  listed,
  oneOf,
  optionalText,
  pageArguments,
  pageOf,
  paymentLinkCode,
  readingTool,
  type Tool,
  time,
} from './tool.ts';

const amountBound = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, description: `${description}, in major units` }));

const createdRange = {
  createdFrom: time('Created at this time or later'),
  createdTo: time('Created before this time'),
};

const listPayments = readingTool({
  name: 'list_payments',
  title: 'Find payments',
  description:
    'Lists the payments that match all arguments, newest first; without arguments, the latest. Use customerOrderId or ' +
    'email for one that you know, and text for words that it may contain.',
  scope: 'payments:read',
  input: argumentsOf({
    status: Type.Optional(oneOf(paymentStatuses, 'Only payments with this status')),
    customerOrderId: optionalText('The order ID; a * at the end matches any ending', 129),
    email: optionalText("The customer's email address; a * at the end matches any ending", 255),
    text: optionalText(
      'Beginnings of words of the name, email address, order ID, description or amount; all must match',
      254,
    ),
    minAmount: amountBound('The smallest amount'),
    maxAmount: amountBound('The largest amount'),
    currency: Type.Optional(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, such as EUR' }),
    ),
    ...createdRange,
    sort: Type.Optional(
      oneOf(['-createdAt', 'createdAt'], '-createdAt: newest first, the default; createdAt: oldest first'),
    ),
    ...pageArguments,
  }),
  output: pageOf(payment, 'The payments'),
  // The service knows the currencies, and refuses another with its list.
  read: async ({ paylink, options }, { currency, ...given }) =>
    await paylink.payments
      .list({ ...listed(given), ...(currency === undefined ? {} : { currency: currency as 'EUR' }) }, options)
      .page(),
});

const getPayment = readingTool({
  name: 'get_payment',
  title: 'Retrieve a payment',
  description:
    'Returns a payment with its refunds and its attempts to pay. Its status is current: read it here before you say that ' +
    'an order is paid. The amount that can still be refunded is amount less refundedAmount.',
  scope: 'payments:read',
  input: argumentsOf({ paymentLinkCode }),
  output: payment,
  read: async ({ paylink, options }, given) =>
    await paylink.payments.get(given.paymentLinkCode, { ...options, expand: 'refunds,attempts' }),
});

const listPaymentEvents = readingTool({
  name: 'list_payment_events',
  title: 'List the events of a payment',
  description: 'Returns the timeline of a payment, oldest first, with who caused each event.',
  scope: 'payments:read',
  input: argumentsOf({ paymentLinkCode, ...pageArguments }),
  output: pageOf(event, 'The events'),
  read: async ({ paylink, options }, { paymentLinkCode: code, ...page }) =>
    await paylink.payments.listEvents(code, listed(page), options).page(),
});

const listRefunds = readingTool({
  name: 'list_refunds',
  title: 'Find refunds',
  description:
    'Lists the refunds that match all arguments, newest first, including refunds of overpayments. A refund with status ' +
    'unknown may have moved money: do not refund again.',
  scope: 'payments:read',
  input: argumentsOf({
    paymentLinkCode: Type.Optional(paymentLinkCode),
    status: Type.Optional(oneOf(refundStatuses, 'Only refunds with this status')),
    ...createdRange,
    ...pageArguments,
  }),
  output: pageOf(refund, 'The refunds'),
  read: async ({ paylink, options }, given) => await paylink.refunds.list(listed(given), options).page(),
});

const getRefund = readingTool({
  name: 'get_refund',
  title: 'Retrieve a refund',
  description: 'Returns a refund with its current status.',
  scope: 'payments:read',
  input: argumentsOf({
    refundId: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The refundId, as list_refunds returns it',
    }),
  }),
  output: refund,
  read: async ({ paylink, options }, { refundId }) => await paylink.refunds.get(refundId, options),
});

export const paymentTools: readonly Tool[] = [
  listPayments,
  getPayment,
  listPaymentEvents,
  listRefunds,
  getRefund,
];

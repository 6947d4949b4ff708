// Tools that change something. What creates or moves money demands an idempotency key, so that a repeated call does
// nothing twice. Must not: default to an amount.

import { Type } from 'typebox';
import type { PaymentRequest } from '../../sdk/src/index.ts';
import { payment, refund } from './shapes.ts';
import { actingTool, argumentsOf, optionalText, paymentLinkCode, type Tool, time } from './tool.ts';

const amount = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, description: `${description}, in major units, such as 19.99` });

/** Long enough that no two intentions share one by accident. */
const idempotencyKey = Type.String({
  minLength: 16,
  maxLength: 255,
  // A header loses blanks at its ends.
  pattern: '^[!-~][ -~]*[!-~]$',
  description:
    'A new UUID for each act that the user wants. Repeat a call whose result you did not see with the same key and the same ' +
    'arguments: nothing is done twice. Keys are kept for 48 hours',
});

const item = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'What the customer buys' }),
    quantity: Type.Integer({ minimum: 1, maximum: 9_999, description: 'How many' }),
    unitAmount: Type.Number({
      description: 'Price of one in major units, tax included; negative for a discount',
    }),
    taxRate: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, description: 'Tax in percent. It is shown, never added' }),
    ),
  },
  { additionalProperties: false },
);

const createPayment = actingTool({
  name: 'create_payment',
  title: 'Create a payment link',
  description:
    'Creates a payment and returns its PaymentLink, which you give to the customer. An order has one link that is open, ' +
    'processing or paid: the same request again returns it. No money moves until the customer pays.',
  act: 'payments:create',
  isDestructive: false,
  input: argumentsOf({
    idempotencyKey,
    customerOrderId: Type.String({
      minLength: 1,
      maxLength: 128,
      description: "The merchant's ID of the order",
    }),
    email: Type.String({ maxLength: 254, description: "The customer's email address" }),
    amount: amount('What the customer pays'),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, such as EUR' }),
    success_url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'Where the customer goes after paying',
    }),
    failure_url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'Where the customer goes if the payment failed',
    }),
    firstName: optionalText("The customer's first name", 100),
    lastName: optionalText("The customer's last name", 100),
    phone: optionalText("The customer's phone number", 32),
    description: optionalText('What the payment is for, shown to the customer', 500),
    expiresAt: time('When the link expires, 5 minutes to 180 days from now; default: 7 days'),
    locale: optionalText('The language of the page, such as de', 35),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
        maxProperties: 20,
        description: 'Up to 20 pairs for the records of the merchant',
      }),
    ),
    items: Type.Optional(
      Type.Array(item, {
        maxItems: 100,
        description: 'What the payment is for. The sum of quantity × unitAmount must equal amount',
      }),
    ),
  }),
  output: payment,
  perform: async ({ paylink, options }, { idempotencyKey: key, currency, ...given }) => {
    // The service knows the currencies, and refuses another with its list.
    const request: PaymentRequest = { ...given, currency: currency as PaymentRequest['currency'] };
    return await paylink.payments.create(request, { ...options, idempotencyKey: key });
  },
});

const cancelPayment = actingTool({
  name: 'cancel_payment',
  title: 'Cancel a payment link',
  description:
    'Cancels an open payment: its link can no longer be paid. This cannot be undone. It refunds nothing: a payment that is ' +
    'paid is refused. Cancelling again gives the same result.',
  act: 'payments:cancel',
  isDestructive: true,
  input: argumentsOf({ paymentLinkCode }),
  output: payment,
  perform: async ({ paylink, options }, given) =>
    await paylink.payments.cancel(given.paymentLinkCode, options),
});

const refundPayment = actingTool({
  name: 'refund_payment',
  title: 'Refund a payment',
  description:
    'Sends money of a paid payment back to the customer. This cannot be undone. Read the payment first, and give ' +
    'expectedRemaining: then a refund that somebody else made meanwhile is not repeated. Check the status of the result: ' +
    'failed means that the processor refused it and no money moved, unknown that it may have moved.',
  act: 'payments:refund',
  isDestructive: true,
  input: argumentsOf({
    idempotencyKey,
    paymentLinkCode,
    amount: amount('What to refund. It is required: an omission never refunds the rest'),
    expectedRemaining: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'What you expect to be left before this refund: amount less refundedAmount of the payment. If it differs, nothing ' +
          'is refunded',
      }),
    ),
    reason: optionalText('For the records of the merchant', 500),
  }),
  output: refund,
  perform: async ({ paylink, options }, { idempotencyKey: key, paymentLinkCode: code, ...given }) =>
    await paylink.payments.refund(code, given, { ...options, idempotencyKey: key }),
});

export const actTools: readonly Tool[] = [createPayment, cancelPayment, refundPayment];

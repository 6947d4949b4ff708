// The API shapes of payments, refunds and cases. The documented interface's field names must not change.

import { type Static, type TSchema, Type } from 'typebox';
import { emailAddressHint, emailAddressPattern } from '../base/email-address.ts';
import { currencies } from '../base/money.ts';
import { listSchema } from '../http/page-query.ts';
import { exampleCode, moment, momentOrNull, textOrNull } from '../http/schema-parts.ts';
import { AttemptObject } from './attempt-schema.ts';
import { endCodes, uncountedCodes } from './end-codes.ts';
import { maxItemName, maxItemQuantity, maxItems } from './items.ts';
import { RefundResponse } from './refund-schema.ts';
import { paymentStatuses } from './states.ts';

const url = (description: string) =>
  Type.String({ minLength: 1, maxLength: 2048, description, examples: ['https://shop.example/paid?cart=7'] });

const expiresAt = Type.String({
  description:
    'When the link expires, 5 minutes to 180 days from now (RFC 3339). Default for a new link: 7 days',
  examples: ['2030-01-31T12:00:00Z'],
});
const metadata = Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
  title: 'MetadataInput',
  maxProperties: 20,
  description: 'Up to 20 key-value pairs. Keys have up to 40 characters, values up to 500',
});

/** A field that counts as missing if it is null or, before validation, an empty text: shops send both. */
const optional = <T extends TSchema>({
  description,
  examples,
  ...rest
}: T & { description?: string; examples?: unknown }) =>
  Type.Optional(
    Type.Union([rest as unknown as T, Type.Null()], {
      description: `${description}. null and "" count as missing`,
      ...(examples ? { examples } : {}),
    }),
  );

const itemsExample = [
  { name: 'Ticket', quantity: 2, unitAmount: 12.5, taxRate: 19 },
  { name: 'Discount', quantity: 1, unitAmount: -5.01, taxRate: 19 },
];

const taxExample = { taxRate: 19, grossAmount: 19.99, taxAmount: 3.19 };

export const ItemInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: maxItemName, description: 'What the customer buys' }),
    quantity: Type.Integer({ minimum: 1, maximum: maxItemQuantity, description: 'How many' }),
    unitAmount: Type.Number({
      description: 'Price of one in major units, tax included. Negative for a discount',
    }),
    taxRate: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
        description: 'Tax in percent, at most 2 decimals. It is shown, never added',
      }),
    ),
  },
  { title: 'PaymentItemInput', additionalProperties: false, examples: itemsExample },
);
export type ItemInput = Static<typeof ItemInput>;

export const PaymentRequest = Type.Object(
  {
    firstName: optional(Type.String({ maxLength: 100, description: 'Customer first name' })),
    lastName: optional(Type.String({ maxLength: 100, description: 'Customer last name' })),
    customerOrderId: Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'Merchant reference for the order, unique among open, processing and paid links. A UUID is recommended',
      examples: ['7d9f3c8e-4f57-4a6b-9a51-0c7a2f1f8b11'],
    }),
    email: Type.String({
      maxLength: 254,
      pattern: emailAddressPattern,
      'x-hint': emailAddressHint,
      description: 'Customer email address',
      examples: ['ada@example.com'],
    }),
    amount: Type.Number({
      description: 'Invoice amount in major units, at most 2 decimals',
      examples: [19.99],
    }),
    currency: Type.String({ enum: currencies, description: 'ISO 4217 code', examples: ['EUR'] }),
    phone: optional(
      Type.String({
        minLength: 3,
        maxLength: 32,
        pattern: '^[0-9+\\-(). ]*$',
        'x-hint': 'This may contain only digits, spaces and + - ( ) .',
        description: 'Customer phone number',
        examples: ['+49 30 901820'],
      }),
    ),
    success_url: url('Address the service redirects the user to after a successful payment'),
    failure_url: url('Address the service redirects the user to after a failed payment'),
    description: optional(
      Type.String({ maxLength: 500, description: 'What the payment is for, shown to the customer' }),
    ),
    expiresAt: optional(expiresAt),
    locale: optional(
      Type.String({
        maxLength: 35,
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        'x-hint': 'This must be a language tag such as en or de-AT.',
        description:
          'Language of the page, the emails and the receipt (BCP 47), unless the customer picks another one. Default: that of the customer’s browser',
        examples: ['de'],
      }),
    ),
    metadata: optional(metadata),
    items: optional(
      Type.Array(ItemInput, {
        maxItems,
        description:
          'What the payment is for, at most 100 items. The sum of quantity × unitAmount must equal amount. A list without items counts as missing, too',
        examples: [itemsExample],
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        firstName: 'Ada',
        lastName: 'Lovelace',
        customerOrderId: '7d9f3c8e-4f57-4a6b-9a51-0c7a2f1f8b11',
        email: 'ada@example.com',
        amount: 19.99,
        currency: 'EUR',
        phone: '+44 20 7946 0018',
        success_url: 'https://shop.example/paid?cart=7',
        failure_url: 'https://shop.example/not-paid?cart=7',
      },
    ],
  },
);
export type PaymentRequest = Static<typeof PaymentRequest>;

export const PaymentUpdate = Type.Object(
  { expiresAt: Type.Optional(expiresAt), metadata: Type.Optional(metadata) },
  { additionalProperties: false, examples: [{ metadata: { cart: '7' } }] },
);
export type PaymentUpdate = Static<typeof PaymentUpdate>;

export const paymentExample = {
  country: 'GB',
  CreatedOn: '2026-11-20T12:54:58.330Z',
  currency: 'EUR',
  customerOrderId: '7d9f3c8e-4f57-4a6b-9a51-0c7a2f1f8b11',
  PaymentLink: `https://pay.example.com/pay/${exampleCode}`,
  PaymentLinkCode: exampleCode,
  responseCode: '200',
  responseMessage: 'The payment link was created.',
  amount: 19.99,
  status: 'open',
  refundedAmount: 0,
  mode: 'test',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+44 20 7946 0018',
  success_url: 'https://shop.example/paid?cart=7',
  failure_url: 'https://shop.example/not-paid?cart=7',
  description: null,
  locale: null,
  metadata: {},
  items: itemsExample,
  taxes: [taxExample],
  expiresAt: '2026-11-27T12:54:58.330Z',
  version: 1,
  createdAt: '2026-11-20T12:54:58.330Z',
  paymentLinkCode: exampleCode,
  paidAt: null,
  method: null,
  fee: null,
  lastDecline: null,
};

const PaymentItem = Type.Object(
  {
    name: Type.String({ description: 'What the customer buys' }),
    quantity: Type.Integer({ description: 'How many' }),
    unitAmount: Type.Number({ description: 'Price of one in major units, tax included' }),
    taxRate: Type.Union([Type.Number(), Type.Null()], { description: 'Tax in percent' }),
  },
  { title: 'PaymentItem', examples: itemsExample },
);

export const PaymentTax = Type.Object(
  {
    taxRate: Type.Number({ description: 'Tax in percent' }),
    grossAmount: Type.Number({ description: 'Sum of the items with this rate in major units, tax included' }),
    taxAmount: Type.Number({ description: 'Tax in that sum, rounded half up' }),
  },
  { title: 'PaymentTax', examples: [taxExample] },
);

const PaymentMethod = Type.Object(
  {
    type: Type.String({
      enum: ['card', 'bank_transfer', 'processor_page'],
      description:
        'card: entered on Paylink’s page; processor_page: what the customer chose there is not known to Paylink',
    }),
    processor: Type.String({ description: 'Name of the processor' }),
    connectionId: textOrNull('The connection with the processor; null for the sandbox without a connection'),
    card: Type.Union(
      [
        Type.Object(
          {
            brand: Type.String({ description: 'Brand such as visa; unknown if it is not known' }),
            last4: Type.String({ description: 'Last 4 digits' }),
          },
          { title: 'PaymentCard' },
        ),
        Type.Null(),
      ],
      { description: 'The card; null for another type' },
    ),
  },
  { title: 'PaymentMethod' },
);

const PaymentDecline = Type.Object(
  {
    attemptId: Type.String({ description: 'ID of the attempt' }),
    code: Type.String({
      enum: endCodes.filter((code) => !uncountedCodes.has(code)),
      description: 'Why it was declined, for programs',
    }),
    message: Type.String({ description: 'Why it was declined, in a sentence for developers' }),
    declinedAt: moment('When it was declined'),
    method: PaymentMethod,
  },
  { title: 'PaymentDecline' },
);

/** The most refunds that an expanded payment has. */
export const maxExpandedRefunds = 25;

export const PaymentResponse = Type.Object(
  {
    country: Type.String({ description: 'Country of the request; ISO 3166-1 alpha-2' }),
    CreatedOn: Type.String({ description: 'Date created; RFC 3339, UTC' }),
    currency: Type.String({ description: 'Currency of the payment request' }),
    customerOrderId: Type.String({ description: 'Merchant reference echoed from the request' }),
    PaymentLink: Type.String({ description: 'Address where the user is sent to pay' }),
    PaymentLinkCode: Type.String({ description: 'Identification of the requested payment' }),
    responseCode: Type.String({ description: 'Deprecated. The HTTP status as text', deprecated: true }),
    responseMessage: Type.String({ description: 'Any message returned from the request' }),
    amount: Type.Number({ description: 'Amount in major units' }),
    status: Type.String({
      enum: [...paymentStatuses],
      description: 'Status of the payment',
    }),
    refundedAmount: Type.Number({ description: 'Refunded amount in major units' }),
    mode: Type.String({ enum: ['test', 'live'], description: 'Whether real money moves' }),
    email: Type.String({ description: 'Customer email address' }),
    firstName: textOrNull('Customer first name'),
    lastName: textOrNull('Customer last name'),
    phone: textOrNull('Customer phone number as it was sent'),
    success_url: Type.String(),
    failure_url: Type.String(),
    description: textOrNull('What the payment is for'),
    locale: textOrNull('The language that was requested'),
    metadata: Type.Record(Type.String(), Type.String(), { title: 'Metadata' }),
    items: Type.Array(PaymentItem, {
      description: 'What the payment is for; empty if the request had no items',
    }),
    taxes: Type.Array(PaymentTax, { description: 'The tax in the items, by rate, highest rate first' }),
    expiresAt: Type.String({ description: 'When the link expires; RFC 3339, UTC' }),
    version: Type.Integer({ description: 'Version number: 1 for a new payment, plus 1 for each change' }),
    createdAt: moment('Same as CreatedOn, under the name that all objects have'),
    paymentLinkCode: Type.String({
      description: 'Same as PaymentLinkCode, under the name that all objects have',
    }),
    paidAt: momentOrNull('When it was paid; null if it is not'),
    method: Type.Union([PaymentMethod, Type.Null()], {
      description: 'How it was or is being paid; null until the customer has started',
    }),
    fee: Type.Union([Type.Number(), Type.Null()], {
      description: 'What the processor charges for it, in major units; null if it is not known',
    }),
    lastDecline: Type.Union([PaymentDecline, Type.Null()], {
      description: 'The last declined attempt, also if a later one succeeded; null without one',
    }),
    refunds: Type.Optional(
      Type.Array(RefundResponse, {
        description: `Only with expand=refunds: its refunds, newest first, at most ${maxExpandedRefunds}`,
      }),
    ),
    attempts: Type.Optional(
      Type.Array(AttemptObject, {
        description: 'Only with expand=attempts: its attempts, oldest first, the current one last',
      }),
    ),
  },
  {
    title: 'Payment',
    description: 'The payment and its link',
    examples: [paymentExample],
  },
);
export type PaymentResponse = Static<typeof PaymentResponse>;

export const PaymentList = listSchema(PaymentResponse, {
  description: 'The payments. A page may have fewer entries than limit even if it is not the last',
  examples: [{ data: [{ ...paymentExample, status: 'paid', version: 3 }], nextCursor: null }],
});

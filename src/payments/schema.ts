// The API shapes of payments, refunds and cases. The documented interface's field names must not change.

import { type Static, type TSchema, Type } from 'typebox';
import { emailAddressHint, emailAddressPattern } from '../base/email-address.ts';
import { currencies } from '../base/money.ts';
import { listSchema } from '../http/page-query.ts';
import { exampleCode } from '../http/schema-parts.ts';
import { maxItemName, maxItemQuantity, maxItems } from './items.ts';

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

const nullableString = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

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
      enum: ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'],
      description: 'Status of the payment',
    }),
    refundedAmount: Type.Number({ description: 'Refunded amount in major units' }),
    mode: Type.String({ enum: ['test', 'live'], description: 'Whether real money moves' }),
    email: Type.String({ description: 'Customer email address' }),
    firstName: nullableString('Customer first name'),
    lastName: nullableString('Customer last name'),
    phone: nullableString('Customer phone number as it was sent'),
    success_url: Type.String(),
    failure_url: Type.String(),
    description: nullableString('What the payment is for'),
    locale: nullableString('The language that was requested'),
    metadata: Type.Record(Type.String(), Type.String(), { title: 'Metadata' }),
    items: Type.Array(PaymentItem, {
      description: 'What the payment is for; empty if the request had no items',
    }),
    taxes: Type.Array(PaymentTax, { description: 'The tax in the items, by rate, highest rate first' }),
    expiresAt: Type.String({ description: 'When the link expires; RFC 3339, UTC' }),
    version: Type.Integer({ description: 'Version number: 1 for a new payment, plus 1 for each change' }),
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

export const RefundRequest = Type.Object(
  {
    amount: Type.Optional(
      Type.Number({
        description: 'Amount to refund in major units. Default: the remaining amount',
        examples: [5],
      }),
    ),
    expectedRemaining: Type.Optional(
      Type.Number({
        description:
          'The remaining amount that you expect, in major units. If it differs, the response is 412',
        examples: [19.99],
      }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'For your own records' })),
  },
  {
    additionalProperties: false,
    examples: [{ amount: 5, expectedRemaining: 19.99, reason: 'arrived broken' }],
  },
);

const refundFields = {
  refundId: Type.String({ description: 'ID of the refund' }),
  amount: Type.Number({ description: 'Amount in major units' }),
  currency: Type.String({ description: 'ISO 4217 code' }),
  status: Type.String({ enum: ['created', 'processing', 'unknown', 'succeeded', 'failed'] }),
  kind: Type.String({ enum: ['merchant', 'surplus'], description: 'surplus: refund of an overpayment' }),
  reason: nullableString('For your own records'),
  failureCode: nullableString('Why the processor refused it'),
  CreatedOn: Type.String({ description: 'Date created; RFC 3339, UTC' }),
};
const refundExample = {
  refundId: 'ref_01m7wf3wswavyweszg1v4e9mnn',
  amount: 5,
  currency: 'EUR',
  status: 'succeeded',
  kind: 'merchant',
  reason: 'arrived broken',
  failureCode: null,
  CreatedOn: '2026-11-21T09:12:44.108Z',
};

export const RefundResponse = Type.Object(refundFields, {
  title: 'Refund',
  description: 'The refund, which may still be in progress',
  examples: [refundExample],
});
export const RefundList = listSchema(RefundResponse, {
  description: 'The refunds of the payment',
  examples: [{ data: [refundExample], nextCursor: null }],
});

export const CaseList = listSchema(
  Type.Object(
    {
      PaymentLinkCode: Type.String({ description: 'Code of the payment' }),
      attemptId: Type.String({ description: 'ID of the attempt' }),
      refundId: nullableString('ID of the refund; null if the case is about the attempt'),
      status: Type.String({
        enum: [
          ...['created', 'requires_action', 'processing', 'unknown', 'failed'],
          ...['succeeded', 'declined', 'cancelled'],
        ],
        description:
          'failed: the processor refused to refund an overpayment; succeeded, declined, cancelled: money that cannot be accounted for',
      }),
      processor: Type.String(),
      processorReference: nullableString('The processor’s reference, if any'),
      amount: Type.Number({ description: 'Amount in major units' }),
      currency: Type.String({ description: 'ISO 4217 code' }),
      failureCode: nullableString('Why the processor refused the refund'),
      CreatedOn: Type.String({ description: 'When the attempt or refund began; RFC 3339, UTC' }),
      escalatedAt: Type.String({ description: 'When the case was opened; RFC 3339, UTC' }),
    },
    { title: 'Case' },
  ),
  {
    description: 'Cases that a person must resolve, oldest first',
    examples: [
      {
        data: [
          {
            PaymentLinkCode: exampleCode,
            attemptId: 'att_01m7wf3wswavyweszg1v4e9mnn',
            refundId: null,
            status: 'unknown',
            processor: 'sandbox',
            processorReference: 'sbx_4y1m8c0d',
            amount: 19.99,
            currency: 'EUR',
            failureCode: null,
            CreatedOn: '2026-11-20T12:55:31.002Z',
            escalatedAt: '2026-11-23T12:56:02.540Z',
          },
        ],
        nextCursor: null,
      },
    ],
  },
);

export const CaseClosing = Type.Object(
  {
    processorReference: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The processorReference of the case',
    }),
    note: Type.Optional(
      Type.String({ maxLength: 500, description: 'How you settled it, for your own records' }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ processorReference: 'ch_4y1m8c0d', note: 'Refunded in the dashboard of the processor' }],
  },
);

export const ClosedCaseResponse = Type.Object(
  {
    PaymentLinkCode: Type.String({ description: 'Code of the payment' }),
    processorReference: Type.String({ description: 'The processor’s ID of the charge or refund' }),
    note: nullableString('For your own records'),
    closedBy: Type.String({ description: 'Who closed it: account:acc_…' }),
    closedAt: Type.String({ description: 'When it was closed; RFC 3339, UTC' }),
  },
  {
    title: 'ClosedCase',
    description: 'The case, which the list no longer has',
    examples: [
      {
        PaymentLinkCode: exampleCode,
        processorReference: 'ch_4y1m8c0d',
        note: 'Refunded in the dashboard of the processor',
        closedBy: 'account:acc_01m7wf3wswavyweszg1v4e9mnn',
        closedAt: '2026-11-24T08:01:13.000Z',
      },
    ],
  },
);

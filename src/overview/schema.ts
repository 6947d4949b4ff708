// The shapes of the overview: its parameters and its response, declared once.

import { type Static, Type } from 'typebox';
import { querySchema } from '../http/page-query.ts';
import { PaymentResponse, paymentExample } from '../payments/schema.ts';

export const OverviewQuery = querySchema({
  days: Type.Optional(
    Type.String({
      enum: ['1', '7', '30'],
      description: 'How many days, today included; without it, 7',
      examples: ['30'],
    }),
  ),
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Whose days: a name of the IANA tables; without it, UTC',
      examples: ['Europe/Berlin'],
    }),
  ),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

const sumOf = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'How many' }),
      amount: Type.Number({ description: 'What they come to, in major units' }),
    },
    { title: 'OverviewTotal', description },
  );

const Slot = Type.Object(
  {
    at: Type.String({ description: 'When the slot begins; RFC 3339, UTC' }),
    createdCount: Type.Integer({ description: 'Links that were created in it' }),
    failedCount: Type.Integer({ description: 'Those of them that have failed by now' }),
    paidCount: Type.Integer({
      description: 'Payments that were paid in it, whenever their link was created',
    }),
    paidAmount: Type.Number({ description: 'What they came to, in major units' }),
  },
  { title: 'OverviewInterval' },
);

const CurrencyOverview = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217 code' }),
    paid: sumOf('What was paid in the span, by the ledger, whenever the link was created'),
    refunded: sumOf('What was given back in the span, by the ledger; money that nobody owed is not in it'),
    created: sumOf('Links that were created in the span; each is one of the five below'),
    converted: sumOf('Those of them that are paid by now'),
    open: sumOf('Those of them that can be paid still, or are being paid'),
    failed: sumOf('Those of them that have failed'),
    expired: sumOf('Those of them whose time is up'),
    cancelled: sumOf('Those of them that were cancelled'),
    conversion: Type.Union([Type.Number(), Type.Null()], {
      description:
        'converted.count divided by created.count, from 0 to 1; null where no link was created in the span',
    }),
    series: Type.Array(Slot, { description: 'Every hour of the day that has begun, or every day' }),
  },
  { title: 'CurrencyOverview' },
);

const countOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], {
    description: `${description}; null for who may not see endpoints`,
  });

const sumExample = (count: number, amount: number) => ({ count, amount });

export const OverviewResponse = Type.Object(
  {
    from: Type.String({ description: 'When the first of the days began; RFC 3339, UTC' }),
    to: Type.String({ description: 'Now; RFC 3339, UTC' }),
    timeZone: Type.String({ description: 'As it was asked for' }),
    mode: Type.String({ enum: ['test', 'live'], description: 'Of which mode all of it is' }),
    currencies: Type.Array(CurrencyOverview, {
      description: 'Each currency in which a link was created or money moved in the span',
    }),
    attention: Type.Object(
      {
        cases: Type.Integer({ description: 'What waits for a person, as GET /v1/cases lists it' }),
        unknown: Type.Integer({
          description: 'Payments held up because nobody knows yet what became of an attempt',
        }),
        expiring: Type.Object(
          {
            count: Type.Integer({ description: 'How many there are, counted to 1,000' }),
            payments: Type.Array(PaymentResponse, { description: 'The five that end first' }),
          },
          { description: 'Open links that end within 24 hours' },
        ),
        failingEndpoints: countOrNull('Endpoints that are on, and whose last delivery failed'),
        disabledEndpoints: countOrNull(
          'Endpoints that were switched off because they failed or said to be gone',
        ),
      },
      { description: 'What is to be looked at now, whatever the span' },
    ),
  },
  {
    title: 'Overview',
    description: 'How business stands',
    examples: [
      {
        from: '2026-11-19T23:00:00.000Z',
        to: '2026-11-20T12:54:58.330Z',
        timeZone: 'Europe/Berlin',
        mode: 'test',
        currencies: [
          {
            currency: 'EUR',
            paid: sumExample(2, 39.98),
            refunded: sumExample(1, 5),
            created: sumExample(4, 79.96),
            converted: sumExample(1, 19.99),
            open: sumExample(2, 39.98),
            failed: sumExample(1, 19.99),
            expired: sumExample(0, 0),
            cancelled: sumExample(0, 0),
            conversion: 0.25,
            series: [
              {
                at: '2026-11-19T23:00:00.000Z',
                createdCount: 4,
                failedCount: 1,
                paidCount: 2,
                paidAmount: 39.98,
              },
            ],
          },
        ],
        attention: {
          cases: 0,
          unknown: 0,
          expiring: {
            count: 1,
            payments: [
              {
                ...paymentExample,
                responseMessage: 'The payment is open.',
                expiresAt: '2026-11-20T18:00:00.000Z',
              },
            ],
          },
          failingEndpoints: 0,
          disabledEndpoints: null,
        },
      },
    ],
  },
);
export type OverviewResponse = Static<typeof OverviewResponse>;

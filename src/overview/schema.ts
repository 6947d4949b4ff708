// The shapes of the overview: its parameters and its response, declared once.

import { type Static, Type } from 'typebox';
import { querySchema } from '../http/page-query.ts';
import { formerName, moment } from '../http/schema-parts.ts';
import { PaymentResponse, paymentExample } from '../payments/schema.ts';

export const OverviewQuery = querySchema({
  days: Type.Optional(
    Type.String({
      enum: ['1', '7', '30'],
      description: 'Number of days, including today; default: 7',
      examples: ['30'],
    }),
  ),
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'IANA time zone that determines the days; default: UTC',
      examples: ['Europe/Berlin'],
    }),
  ),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

const sumOf = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'Number' }),
      amount: Type.Number({ description: 'Total, in major units' }),
    },
    { title: 'OverviewTotal', description },
  );

const Slot = Type.Object(
  {
    at: Type.String({ description: 'When the slot begins; RFC 3339, UTC' }),
    createdCount: Type.Integer({ description: 'Links created in the slot' }),
    failedCount: Type.Integer({ description: 'Links created in the slot that have failed' }),
    paidCount: Type.Integer({
      description: 'Payments paid in the slot, whenever their link was created',
    }),
    paidAmount: Type.Number({ description: 'Total of these payments, in major units' }),
  },
  { title: 'OverviewInterval' },
);

const CurrencyOverview = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217 code' }),
    paid: sumOf('Paid in the period, by the ledger, whenever the link was created'),
    refunded: sumOf('Refunded in the period, by the ledger, without overpayments'),
    created: sumOf('Links created in the period; each is in one of the next five sums'),
    converted: sumOf('Created links that are paid'),
    open: sumOf('Created links that are open or processing'),
    failed: sumOf('Created links that have failed'),
    expired: sumOf('Created links that have expired'),
    cancelled: sumOf('Created links that were cancelled'),
    conversion: Type.Union([Type.Number(), Type.Null()], {
      description:
        'converted.count divided by created.count, from 0 to 1; null if no link was created in the period',
    }),
    series: Type.Array(Slot, { description: 'Each hour of the day so far, or each day' }),
  },
  { title: 'CurrencyOverview' },
);

const countOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], {
    description: `${description}; null without the right to see endpoints`,
  });

const sumExample = (count: number, amount: number) => ({ count, amount });

const startsAt = moment('When the first day began');
const endsAt = moment('The current time');

export const OverviewResponse = Type.Object(
  {
    startsAt,
    endsAt,
    from: formerName(startsAt, 'startsAt'),
    to: formerName(endsAt, 'endsAt'),
    timeZone: Type.String({ description: 'The requested time zone' }),
    mode: Type.String({ enum: ['test', 'live'], description: 'The mode of all figures' }),
    currencies: Type.Array(CurrencyOverview, {
      description: 'Each currency with a created link or a movement of money in the period',
    }),
    attention: Type.Object(
      {
        cases: Type.Integer({ description: 'Cases that need a person, as GET /v1/cases lists them' }),
        unknown: Type.Integer({
          description: 'Payments that are blocked because the outcome of an attempt is unknown',
        }),
        expiring: Type.Object(
          {
            count: Type.Integer({ description: 'Their number, at most 1,000' }),
            payments: Type.Array(PaymentResponse, { description: 'The five that expire first' }),
          },
          { description: 'Open links that expire within 24 hours' },
        ),
        failingEndpoints: countOrNull('Enabled endpoints whose last delivery failed'),
        disabledEndpoints: countOrNull('Endpoints that were disabled after failures or a 410 response'),
      },
      { description: 'What needs attention now, whatever the period' },
    ),
  },
  {
    title: 'Overview',
    description: 'Overview of the payments',
    examples: [
      {
        startsAt: '2026-11-19T23:00:00.000Z',
        endsAt: '2026-11-20T12:54:58.330Z',
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

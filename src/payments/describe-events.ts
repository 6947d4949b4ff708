// The objects of events in their API form, in their current state: a late notification is never out of date.

import { type Static, Type } from 'typebox';
import { toMajorNumber } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import type { StoredEvent } from '../events/list-events.ts';
import { presentPayment } from './present-payment.ts';
import { presentRefund } from './present-refund.ts';
import { listRefundsById } from './refund-store.ts';
import type { PaymentResponse, RefundResponse } from './schema.ts';
import { type Attempt, listAttemptsById, listPaymentsById } from './store.ts';

const nullableString = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const AttemptObject = Type.Object(
  {
    attemptId: Type.String({ description: 'ID of the attempt' }),
    status: Type.String({
      enum: ['created', 'requires_action', 'processing', 'unknown', 'succeeded', 'declined', 'cancelled'],
    }),
    processor: Type.String(),
    amount: Type.Number({ description: 'Amount in major units' }),
    currency: Type.String({ description: 'ISO 4217 code' }),
    cardBrand: nullableString('Brand of the card'),
    cardLast4: nullableString('Last 4 digits of the card'),
    declineCode: nullableString('Why it collected no money'),
    CreatedOn: Type.String({ description: 'Date created; RFC 3339, UTC' }),
  },
  {
    title: 'Attempt',
    description: 'The current attempt',
    examples: [
      {
        attemptId: 'att_01m7wf3wswavyweszg1v4e9mnn',
        status: 'unknown',
        processor: 'sandbox',
        amount: 19.99,
        currency: 'EUR',
        cardBrand: 'visa',
        cardLast4: '4242',
        declineCode: null,
        CreatedOn: '2026-11-20T12:55:31.002Z',
      },
    ],
  },
);

function presentAttempt(attempt: Attempt): Static<typeof AttemptObject> {
  return {
    attemptId: attempt.attemptId,
    status: attempt.state,
    processor: attempt.processor,
    amount: toMajorNumber(attempt.amountMinor, attempt.currency),
    currency: attempt.currency,
    cardBrand: attempt.cardBrand,
    cardLast4: attempt.cardLast4,
    declineCode: attempt.declineCode,
    CreatedOn: attempt.createdAt.toISOString(),
  };
}

export type EventObjects = {
  payment?: PaymentResponse;
  attempt?: Static<typeof AttemptObject>;
  refund?: Static<typeof RefundResponse>;
};

const refundIdOf = ({ data }: StoredEvent) => (typeof data.refundId === 'string' ? data.refundId : null);

async function lookUp<Row>(
  ids: readonly (string | null)[],
  list: (wanted: readonly string[]) => Promise<Row[]>,
  idOf: (row: Row) => string,
): Promise<ReadonlyMap<string | null, Row>> {
  const wanted = [...new Set(ids.flatMap((id) => id ?? []))];
  return new Map(wanted.length === 0 ? [] : (await list(wanted)).map((row) => [idOf(row), row]));
}

/** The objects of each event, by event ID. An event about a refund does not include its attempt. */
export async function describeEvents(
  tx: TenantTx,
  events: readonly StoredEvent[],
  options: { baseUrl: string },
): Promise<ReadonlyMap<string, EventObjects>> {
  const payments = await lookUp(
    events.map(({ paymentId }) => paymentId),
    async (ids) => await listPaymentsById(tx, ids),
    ({ paymentId }) => paymentId,
  );
  const attempts = await lookUp(
    events.map(({ attemptId }) => attemptId),
    async (ids) => await listAttemptsById(tx, ids),
    ({ attemptId }) => attemptId,
  );
  const refunds = await lookUp(
    events.map(refundIdOf),
    async (ids) => await listRefundsById(tx, ids),
    ({ refundId }) => refundId,
  );
  const describe = (event: StoredEvent): EventObjects => {
    const payment = payments.get(event.paymentId);
    const refund = refunds.get(refundIdOf(event));
    const attempt = refund ? undefined : attempts.get(event.attemptId);
    const message = payment ? `The payment is ${payment.state}.` : '';
    return {
      ...(payment ? { payment: presentPayment(payment, { ...options, message }) } : {}),
      ...(attempt ? { attempt: presentAttempt(attempt) } : {}),
      ...(refund ? { refund: presentRefund(refund) } : {}),
    };
  };
  return new Map(events.map((event) => [event.eventId, describe(event)]));
}

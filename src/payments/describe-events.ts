// The objects of events in their API form, in their current state: a late notification is never out of date.

import type { TenantTx } from '../db/database.ts';
import type { StoredEvent } from '../events/list-events.ts';
import { type AttemptResponse, presentAttempt } from './attempt-schema.ts';
import { presentPayment } from './present-payment.ts';
import { presentRefund } from './present-refund.ts';
import { listPaymentsById } from './presented-store.ts';
import type { RefundResponse } from './refund-schema.ts';
import { listRefundsById } from './refund-store.ts';
import type { PaymentResponse } from './schema.ts';
import { listAttemptsById } from './store.ts';

export type EventObjects = {
  payment?: PaymentResponse;
  attempt?: AttemptResponse;
  refund?: RefundResponse;
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
      ...(refund ? { refund: presentRefund(refund, payment?.code ?? '') } : {}),
    };
  };
  return new Map(events.map((event) => [event.eventId, describe(event)]));
}

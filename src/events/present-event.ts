// An event as the API shows it. It identifies its payment by link code, and has amounts in major units. Must
// not: show a column that the schema does not name.

import { type Static, Type } from 'typebox';
import { isCurrency, maxExactMinor, toMajorNumber } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import { accountOf } from '../http/roles.ts';
import { exampleCode, formerName, moment, textOrNull } from '../http/schema-parts.ts';
import { listEmails } from './actors.ts';
import type { StoredEvent } from './list-events.ts';
import { listCodes } from './payment-codes.ts';

const eventId = Type.String({ description: 'ID of the event; the same in every delivery' });
const paymentLinkCode = textOrNull('The payment concerned');

export const EventResponse = Type.Object(
  {
    eventId,
    id: formerName(eventId, 'eventId'),
    type: Type.String({ description: 'Type of the event', examples: ['payment.paid'] }),
    createdAt: moment('When it happened'),
    actor: Type.String({
      description:
        'Who caused it: customer, account:<id>, key:<id> (a service key), processor:<name>, job:<name> or system',
      examples: ['customer'],
    }),
    paymentLinkCode,
    PaymentLinkCode: formerName(paymentLinkCode, 'paymentLinkCode'),
    attemptId: textOrNull('The attempt concerned'),
    refundId: textOrNull('The refund concerned'),
    version: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The version of the payment after the event; null if the payment did not change',
    }),
    data: Type.Record(Type.String(), Type.Unknown(), { title: 'EventData', description: 'What changed' }),
  },
  { title: 'Event' },
);
export type EventResponse = Static<typeof EventResponse>;

export const eventExample: EventResponse = {
  eventId: 'evt_01m7wf3wswavyweszg1v4e9mnn',
  id: 'evt_01m7wf3wswavyweszg1v4e9mnn',
  type: 'payment.paid',
  createdAt: '2026-11-20T12:55:31.002Z',
  actor: 'customer',
  paymentLinkCode: exampleCode,
  PaymentLinkCode: exampleCode,
  attemptId: 'att_01m7wf3wswavyweszg1v4e9mnp',
  refundId: null,
  version: 3,
  data: { from: 'processing', to: 'paid', amount: 19.99, currency: 'EUR' },
};

export const HistoryEntry = Type.Object(
  {
    ...EventResponse.properties,
    actorEmail: textOrNull('The email address of the account that caused it; null if it was not an account'),
    mode: Type.Union([Type.String({ enum: ['test', 'live'] }), Type.Null()], {
      description: 'The mode of the credentials that caused it; null for an event about the company itself',
    }),
  },
  { title: 'AuditEvent' },
);
export type HistoryEntry = Static<typeof HistoryEntry>;

export const historyExample: HistoryEntry = { ...eventExample, actorEmail: null, mode: 'test' };

/**
 * Converts amounts (`…Minor`) to major units. An amount in an unknown currency, or too large to be exact,
 * stays as reported.
 */
function presentData(data: Record<string, unknown>): Record<string, unknown> {
  const { refundId: _, version: __, ...rest } = data;
  const currency = String(rest.currency);
  if (!isCurrency(currency)) return rest;
  const shown = Object.entries(rest).map(([name, value]) =>
    name.endsWith('Minor') && typeof value === 'number' && Math.abs(value) <= maxExactMinor
      ? [name.slice(0, -'Minor'.length), toMajorNumber(value, currency)]
      : [name, value],
  );
  return Object.fromEntries(shown);
}

/** Events with the codes of their payments, read in the same transaction. */
export async function presentEvents(tx: TenantTx, events: readonly StoredEvent[]): Promise<EventResponse[]> {
  const ids = events.flatMap(({ paymentId }) => paymentId ?? []);
  const codes = ids.length === 0 ? new Map<string, string>() : await listCodes(tx, ids);
  const codeOf = (paymentId: string | null) => (paymentId && codes.get(paymentId)) ?? null;
  return events.map(({ eventId, type, at, actor, paymentId, attemptId, data }) => ({
    eventId,
    id: eventId,
    type,
    createdAt: at.toISOString(),
    actor,
    paymentLinkCode: codeOf(paymentId),
    PaymentLinkCode: codeOf(paymentId),
    attemptId,
    refundId: typeof data.refundId === 'string' ? data.refundId : null,
    version: typeof data.version === 'number' ? data.version : null,
    data: presentData(data),
  }));
}

/** The same for people, with the email addresses of the actors. */
export async function presentHistory(tx: TenantTx, events: readonly StoredEvent[]): Promise<HistoryEntry[]> {
  const accountIds = events.flatMap(({ actor }) => accountOf(actor) ?? []);
  const emails = accountIds.length === 0 ? new Map<string, string>() : await listEmails(tx, accountIds);
  const shown = await presentEvents(tx, events);
  return shown.map((event, index) => ({
    ...event,
    actorEmail: emails.get(accountOf(event.actor) ?? '') ?? null,
    mode: events[index]?.mode ?? null,
  }));
}

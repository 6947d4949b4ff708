// The feed: a reader can follow its order by a cursor while transactions commit out of order. The order is (transaction,
// ID), limited to transactions older than every open one, so nothing can be added among them. Must not: show an event at
// or above that horizon, or read more than a bounded number of rows.

import type { TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';
import { unnestDistinct } from '../db/unnest.ts';

export const StoredEvent = {
  eventId: t.text,
  type: t.text,
  isPublic: t.bool,
  /**
   * The mode of the transaction that wrote it, from the credentials; null for an event about the company
   * itself.
   */
  mode: t.nullable(t.mode),
  paymentId: t.nullable(t.text),
  attemptId: t.nullable(t.text),
  /** Who caused it: `customer`, `processor:sandbox`, `job:reconcile-attempt`, `account:acc_…`. */
  actor: t.text,
  data: t.jsonObject,
  at: t.timestamptz,
};
export type StoredEvent = RowOf<typeof StoredEvent>;

export type FeedPage = {
  events: StoredEvent[];
  /** Where to continue: pass it as `after`. Null only when the feed was empty from its start. */
  cursor: FeedPosition | null;
};

/** The columns of `StoredEvent`, for every statement that reads events. */
/** A position in the order. Numbers of events exceed the exact range of a number, so they are text. */
export const FeedPosition = { xact: t.text, eventId: t.text };
export type FeedPosition = RowOf<typeof FeedPosition>;

/** The position before all events, for callers that need one. */
export const feedStart: FeedPosition = { xact: '0', eventId: '0' };

/** The current end of the feed: after every event so far, before every later one. */
export const latest = 'latest';

const findHorizonSql = statement({ xact: t.text })`
  select event_horizon()::text as xact`;

/** The current position: the feed has shown everything below the horizon; the rest follows it. */
async function findHorizon(tx: TenantTx): Promise<FeedPosition> {
  const [horizon] = await tx.query(findHorizonSql);
  if (!horizon) throw new Error('a select without a table gave no row');
  return { xact: horizon.xact, eventId: '0' };
}

const listEventsSql = statement({ ...StoredEvent, xact: t.text })`
  select ${StoredEvent}, xact::text as xact
  from events
  where company_id = $1 and mode = current_mode() and is_public and (xact, event_id) > ($2::xid8, $3)
    and xact < event_horizon()
  order by events.xact, event_id limit $4`;

/**
 * The public events of the transaction's mode after a position, oldest first. A transaction that stays open
 * delays the events that came after it began, but none is lost. The index events_public contains only these
 * events, so the cost of a page does not depend on others. After `latest` the result is empty, with the
 * current position.
 */
export async function listEvents(
  tx: TenantTx,
  page: { after: FeedPosition | typeof latest | null; limit: number },
): Promise<FeedPage> {
  if (page.after === latest) return { events: [], cursor: await findHorizon(tx) };
  const after = page.after ?? { xact: '0', eventId: '' };
  await preferIndexScans(tx);
  const rows = await tx.query(listEventsSql, [tx.companyId, after.xact, after.eventId, page.limit]);
  const last = rows.at(-1);
  return {
    events: rows.map(({ xact: _, ...event }) => event),
    cursor: last ? { xact: last.xact, eventId: last.eventId } : page.after,
  };
}

const listPaymentEventsSql = statement({ ...StoredEvent, ...FeedPosition })`
  select ${StoredEvent}, xact::text as xact
  from events
  where company_id = $1 and (payment_id, xact, event_id) > ($2, $3::xid8, $4) and payment_id <= $2
  order by events.payment_id, events.xact, event_id limit $5`;

/**
 * The events of a payment and who caused them, in the order of the feed, including the transaction's own
 * events. It is a view, not a feed: it ignores the horizon, and a reader at the end queries again from the
 * start. The row comparison restricts the plan to one index, that of the payment.
 */
export async function listPaymentEvents(
  tx: TenantTx,
  paymentId: string,
  page: { after: FeedPosition | null; limit: number },
): Promise<(StoredEvent & FeedPosition)[]> {
  const after = page.after ?? { xact: '0', eventId: '' };
  await preferIndexScans(tx);
  return await tx.query(listPaymentEventsSql, [
    tx.companyId,
    paymentId,
    after.xact,
    after.eventId,
    page.limit,
  ]);
}

const listEventsByIdSql = statement(StoredEvent)`
  select ${StoredEvent}
  from ${unnestDistinct('$2')} join events on event_id = wanted where company_id = $1`;

/** Events by their IDs, in no order. */
export async function listEventsById(tx: TenantTx, eventIds: readonly string[]): Promise<StoredEvent[]> {
  return await tx.query(listEventsByIdSql, [tx.companyId, eventIds]);
}

const findLatestEventSql = statement({ eventId: t.text, at: t.timestamptz })`
  select event_id as "eventId", at from events
  where company_id = $1 and mode = current_mode() and type = $2 and payment_id is not distinct from $3
  order by events.xact desc, event_id desc limit 1`;

/** The last event of a type about a payment, or about none; null if there is none. */
export async function findLatestEvent(
  tx: TenantTx,
  { type, paymentId }: { type: string; paymentId: string | null },
): Promise<{ eventId: string; at: Date } | null> {
  return first(await tx.query(findLatestEventSql, [tx.companyId, type, paymentId]));
}

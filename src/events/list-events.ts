// The feed: events in an order that a reader can follow by a cursor while transactions commit out of
// order. Neither time nor ids give such an order: both are taken before the commit, so what commits late
// would stand behind a reader who has passed. The order here is (transaction, id), and only
// transactions older than every one still under way are shown: nothing can be added among those.
// Must never show an event at or above that horizon, nor look at more than a bounded number of rows.

import type { Mode, TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { unnestDistinct } from '../db/unnest.ts';

export type StoredEvent = {
  eventId: string;
  type: string;
  isPublic: boolean;
  /** The mode of the transaction that wrote it, which is that of the credentials; null for one about the company itself. */
  mode: Mode | null;
  paymentId: string | null;
  attemptId: string | null;
  /** Who did it: `customer`, `processor:sandbox`, `job:reconcile-attempt`, `account:acc_…`. */
  actor: string;
  data: Record<string, unknown>;
  at: Date;
};

export type FeedPage = {
  events: StoredEvent[];
  /** Where to go on: give it as `after`. Null only when the feed was empty from its start. */
  cursor: FeedPosition | null;
};

/** The columns of `StoredEvent`, for every statement that reads events. */
export const eventColumns = `event_id as "eventId", type, is_public as "isPublic", mode, payment_id as "paymentId",
  attempt_id as "attemptId", actor, data, at`;

/** A place in the order. Transaction ids are wider than a number is exact, so they travel as text. */
export type FeedPosition = { xact: string; eventId: string };

/** The place of a feed's beginning, for who needs one before there is an event. */
export const feedStart: FeedPosition = { xact: '0', eventId: '0' };

/** The current end of the feed: after every event so far, before every later one. */
export const latest = 'latest';

/** The place of now: what is below the horizon has been told, all else begins with it. */
async function findHorizon(tx: TenantTx): Promise<FeedPosition> {
  const [horizon] = await tx.query<{ xact: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as xact',
  );
  if (!horizon) throw new Error('a select without a table gave no row');
  return { xact: horizon.xact, eventId: '0' };
}

/**
 * The public events of the transaction's mode that follow a place, the oldest first. A transaction that stays open
 * holds back what came after it began, and loses nothing of it. The index events_public has these events alone, so a
 * page costs the same whatever else was written. After `latest` there is nothing, and the place of now.
 */
export async function listEvents(
  tx: TenantTx,
  page: { after: FeedPosition | typeof latest | null; limit: number },
): Promise<FeedPage> {
  if (page.after === latest) return { events: [], cursor: await findHorizon(tx) };
  const after = page.after ?? { xact: '0', eventId: '' };
  await preferIndexScans(tx);
  const rows = await tx.query<StoredEvent & { xact: string }>(
    // safe: the columns are a literal of this file.
    `select ${eventColumns}, xact::text as xact
     from events
     where company_id = $1 and mode = current_mode() and is_public and (xact, event_id) > ($2::xid8, $3)
       and xact < pg_snapshot_xmin(pg_current_snapshot())
     order by events.xact, event_id limit $4`,
    [tx.companyId, after.xact, after.eventId, page.limit],
  );
  const last = rows.at(-1);
  return {
    events: rows.map(({ xact: _, ...event }) => event),
    cursor: last ? { xact: last.xact, eventId: last.eventId } : page.after,
  };
}

/**
 * What happened to a payment and who did it, in the order of the feed, the transaction's own events
 * included. It is a view, not a feed: nothing waits below the horizon, and who has come to the end looks
 * again from the start. The row comparison leaves one index to be walked, that of the payment.
 */
export async function listPaymentEvents(
  tx: TenantTx,
  paymentId: string,
  page: { after: FeedPosition | null; limit: number },
): Promise<(StoredEvent & FeedPosition)[]> {
  const after = page.after ?? { xact: '0', eventId: '' };
  await preferIndexScans(tx);
  return await tx.query<StoredEvent & FeedPosition>(
    // safe: the columns are a literal of this file.
    `select ${eventColumns}, xact::text as xact
     from events
     where company_id = $1 and (payment_id, xact, event_id) > ($2, $3::xid8, $4) and payment_id <= $2
     order by events.payment_id, events.xact, event_id limit $5`,
    [tx.companyId, paymentId, after.xact, after.eventId, page.limit],
  );
}

/** Events by their ids, in no order. */
export async function listEventsById(tx: TenantTx, eventIds: readonly string[]): Promise<StoredEvent[]> {
  return await tx.query<StoredEvent>(
    // safe: the columns are a literal of this file.
    `select ${eventColumns}
     from ${unnestDistinct('$2')} join events on event_id = wanted where company_id = $1`,
    [tx.companyId, eventIds],
  );
}

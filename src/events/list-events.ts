// The feed: events in an order that a reader can follow by a cursor while transactions commit out of
// order. Neither time nor ids give such an order: both are taken before the commit, so what commits late
// would stand behind a reader who has passed. The order here is (transaction, id), and only
// transactions older than every one still under way are shown: nothing can be added among those.
// Must never show an event at or above that horizon, nor look at more than a bounded number of rows.

import { errors } from '../base/errors.ts';
import type { TenantTx } from '../db/database.ts';
import { followIndexes } from '../db/index-order.ts';

export type FeedEvent = {
  eventId: string;
  type: string;
  isPublic: boolean;
  paymentId: string | null;
  attemptId: string | null;
  /** Who did it: `customer`, `processor:sandbox`, `job:reconcile-attempt`, `account:acc_…`. */
  actor: string;
  data: Record<string, unknown>;
  at: Date;
};

export type FeedPage = {
  events: FeedEvent[];
  /** Where to go on: give it as `after`. Null only when the feed was empty from its start. */
  cursor: string | null;
};

/** The columns of `FeedEvent`, for every statement that reads events. */
export const eventColumns = `event_id as "eventId", type, is_public as "isPublic", payment_id as "paymentId",
  attempt_id as "attemptId", actor, data, at`;

/** A place in the order. Transaction ids are wider than a number is exact, so they travel as text. */
export type Place = { xact: string; eventId: string };

const largestXact = 2n ** 64n - 1n;

function writeCursor({ xact, eventId }: Place): string {
  return Buffer.from(`${xact} ${eventId}`).toString('base64url');
}

/** The place that a cursor names; null when it is none of ours. */
function readCursor(cursor: string): Place | null {
  if (!/^[\w-]{1,120}$/.test(cursor)) return null;
  const parts = /^(\d{1,20}) (\w{1,60})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, xact = '', eventId = ''] = parts ?? [];
  return parts && BigInt(xact) <= largestXact ? { xact, eventId } : null;
}

function placeAfter(cursor: string | null): Place {
  const place = cursor === null ? { xact: '0', eventId: '' } : readCursor(cursor);
  if (place) return place;
  const detail = 'This must be a cursor that the feed gave, unchanged.';
  throw errors.invalidFields({ errors: [{ field: 'after', code: 'invalid_cursor', detail }] });
}

/** The cursor of a feed's beginning, for who needs one before there is an event. */
export const feedStart: string = writeCursor({ xact: '0', eventId: '0' });

/** Stands for the cursor of now: behind all that the feed has told, and before all that it will tell. */
export const latest = 'latest';

/** The place of now: what is below the horizon has been told, all else begins with it. */
async function findHorizon(tx: TenantTx): Promise<Place> {
  const [horizon] = await tx.query<{ xact: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as xact',
  );
  if (!horizon) throw new Error('a select without a table gave no row');
  return { xact: horizon.xact, eventId: '0' };
}

/** How many events one look goes over for the public ones among them. */
const scanRows = 2_000;

/** The place of the last event that one look may go over; null when fewer are left below the horizon. */
async function findScanEnd(tx: TenantTx, after: Place): Promise<Place | null> {
  const [end] = await tx.query<Place>(
    `select xact::text as xact, event_id as "eventId" from events
     where company_id = $1 and (xact, event_id) > ($2::xid8, $3) and xact < pg_snapshot_xmin(pg_current_snapshot())
     order by events.xact, event_id offset $4 limit 1`,
    [tx.companyId, after.xact, after.eventId, scanRows - 1],
  );
  return end ?? null;
}

/**
 * The events that follow a cursor, the oldest first; without `isPublicOnly` the audit trail's, too. A
 * transaction that stays open holds back what came after it began, and loses nothing of it. Where a long
 * stretch has nothing public, the page is empty or short and its cursor is further on all the same.
 * After `latest` there is nothing, and the cursor of now. Throws `invalid_fields` for a cursor that is none.
 */
export async function listEvents(
  tx: TenantTx,
  page: { after: string | null; limit: number; isPublicOnly?: boolean },
): Promise<FeedPage> {
  if (page.after === latest) return { events: [], cursor: writeCursor(await findHorizon(tx)) };
  const after = placeAfter(page.after);
  await followIndexes(tx);
  const isPublicOnly = page.isPublicOnly ?? false;
  const end = isPublicOnly ? await findScanEnd(tx, after) : null;
  const rows = await tx.query<FeedEvent & { xact: string }>(
    // safe: the columns are a literal of this file.
    `select ${eventColumns}, xact::text as xact
     from events
     where company_id = $1 and (xact, event_id) > ($2::xid8, $3) and (is_public or not $4)
       and xact < pg_snapshot_xmin(pg_current_snapshot())
       and ($6::text is null or (xact, event_id) <= ($6::xid8, $7))
     order by events.xact, event_id limit $5`,
    [
      tx.companyId,
      after.xact,
      after.eventId,
      isPublicOnly,
      page.limit,
      end?.xact ?? null,
      end?.eventId ?? null,
    ],
  );
  const last = rows.length === page.limit ? rows.at(-1) : (end ?? rows.at(-1));
  return {
    events: rows.map(({ xact: _, ...event }) => event),
    cursor: last ? writeCursor(last) : page.after,
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
  page: { after: Place | null; limit: number },
): Promise<(FeedEvent & Place)[]> {
  const after = page.after ?? { xact: '0', eventId: '' };
  await followIndexes(tx);
  return await tx.query<FeedEvent & Place>(
    // safe: the columns are a literal of this file.
    `select ${eventColumns}, xact::text as xact
     from events
     where company_id = $1 and (payment_id, xact, event_id) > ($2, $3::xid8, $4) and payment_id <= $2
     order by events.payment_id, events.xact, event_id limit $5`,
    [tx.companyId, paymentId, after.xact, after.eventId, page.limit],
  );
}

/** Events by their ids, in no order. */
export async function listEventsById(tx: TenantTx, eventIds: readonly string[]): Promise<FeedEvent[]> {
  return await tx.query<FeedEvent>(
    // safe: the columns are a literal of this file.
    `select ${eventColumns}
     from events where company_id = $1 and event_id = any($2)`,
    [tx.companyId, eventIds],
  );
}

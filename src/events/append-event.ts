// The audit log: one row for everything that happened, written in the same transaction. Rows are never
// changed or removed; the tenant's role has no right to.

import { newId } from '../base/ids.ts';
import type { TenantTx } from '../db/database.ts';
import { type Fragment, sql, statement, t } from '../db/statements.ts';
import { actorOf, type Caller } from '../http/roles.ts';

export type NewEvent = {
  /** For work that may run again: an existing event with this ID is not written twice. */
  eventId?: string;
  type: string;
  /** Whether merchants see it in the event feed and as webhooks. */
  isPublic: boolean;
  paymentId?: string;
  attemptId?: string;
  /** Who caused it: `customer`, `processor:sandbox`, `job:reconcile-attempt`, `account:acc_…`, `key:…`. */
  actor: string;
  /** What changed. Never card data, never a secret. */
  data: Record<string, unknown>;
  at: Date;
};

/**
 * The insert of events from rows with these columns, also for a statement that makes the changes that they describe. $1 is
 * the company.
 */
export const insertEventsFrom = (rows: Fragment): Fragment => sql`
  insert into events (company_id, event_id, type, is_public, payment_id, attempt_id, actor, data, at)
  select $1, event_id, type, is_public, payment_id, attempt_id, actor, data, at from ${rows}
  on conflict (company_id, event_id) do nothing`;

const appendEventsSql = insertEventsFrom(sql`
  unnest($2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::jsonb[], $9::timestamptz[])
    as new (event_id, type, is_public, payment_id, attempt_id, actor, data, at)`);

/**
 * Appends events of the transaction's company, in their order. Signals public ones after the commit. Returns
 * their IDs.
 */
export async function appendEvents(tx: TenantTx, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const ids = events.map((event) => event.eventId ?? newId('evt', event.at));
  await tx.query(appendEventsSql, [
    tx.companyId,
    ids,
    events.map(({ type }) => type),
    events.map(({ isPublic }) => isPublic),
    events.map(({ paymentId }) => paymentId ?? null),
    events.map(({ attemptId }) => attemptId ?? null),
    events.map(({ actor }) => actor),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ at }) => at),
  ]);
  if (events.some(({ isPublic }) => isPublic)) tx.signal('public_event');
  return ids;
}

const hasEventSql = statement({ eventId: t.text })`
  select event_id as "eventId" from events where company_id = $1 and event_id = $2`;

/** Whether an event was written: an earlier run of the caller's request may have done it. */
export async function hasEvent(tx: TenantTx, eventId: string): Promise<boolean> {
  return (await tx.query(hasEventSql, [tx.companyId, eventId])).length === 1;
}

/** `appendEvents` for a single one. */
export async function appendEvent(tx: TenantTx, event: NewEvent): Promise<string> {
  const [eventId] = await appendEvents(tx, [event]);
  if (!eventId) throw new Error('an event was appended without an id');
  return eventId;
}

/** Appends an event of the audit log only, caused by an account or a service key. */
export async function appendCallerEvent(
  tx: TenantTx,
  caller: Caller,
  event: Pick<NewEvent, 'eventId' | 'type' | 'data' | 'at'>,
): Promise<void> {
  await appendEvent(tx, { ...event, isPublic: false, actor: actorOf(caller) });
}

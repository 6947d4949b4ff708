// All SQL of deliveries and their attempts: one exported function per statement. A trigger on events
// (migrations/0008_webhooks.sql) inserts deliveries in the event's own transaction.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { type Fragment, first, type RowOf, sql, statement, t, type ValueOf } from '../db/statements.ts';
import { dueRows } from '../work/due-rows.ts';

export const deliveryStatus = t.oneOf('pending', 'delivered', 'failed');
export type DeliveryStatus = ValueOf<typeof deliveryStatus>;

export const Delivery = {
  deliveryId: t.text,
  endpointId: t.text,
  /** The current URL of the endpoint; for a deleted one its last. */
  url: t.text,
  /** That of the endpoint. */
  apiVersion: t.nullable(t.text),
  eventId: t.text,
  type: t.text,
  eventAt: t.timestamptz,
  state: deliveryStatus,
  tries: t.int4,
  dueAt: t.timestamptz,
  endedAt: t.nullable(t.timestamptz),
  lastStatus: t.nullable(t.int4),
  lastFault: t.nullable(t.text),
};
export type Delivery = RowOf<typeof Delivery>;

export const DeliveryAttempt = {
  tryId: t.text,
  at: t.timestamptz,
  durationMs: t.int4,
  status: t.nullable(t.int4),
  answer: t.nullable(t.text),
  fault: t.nullable(t.text),
};
export type DeliveryAttempt = RowOf<typeof DeliveryAttempt>;

/** A delivery whose lease this process has. */
export const DeliveryClaim = { deliveryId: t.text, eventId: t.text, step: t.int4, leaseToken: t.int8 };
export type DeliveryClaim = RowOf<typeof DeliveryClaim>;

/** Waiting deliveries, by endpoint. Those of an endpoint that is off wait until it is enabled. */
export const dueDeliveries = dueRows(
  {
    table: sql`webhook_deliveries`,
    id: sql`delivery_id`,
    token: sql`lease_token`,
    lane: sql`endpoint_id`,
    waiting: sql`state = 'pending'`,
    openLanes: {
      source: sql`lanes join webhook_endpoints e
        on e.company_id = lanes.company_id and e.endpoint_id = lanes.lane and e.is_enabled`,
      isFailing: sql`e.failing_since is not null`,
    },
  },
  DeliveryClaim,
);

/**
 * Ends a lease with the result of the attempt: delivered, failed for good, or due again after `dueInMs`. False if another process has
 * the lease by then and will record the result.
 */
export async function finishDeliveryAttempt(
  tx: TenantTx,
  claim: DeliveryClaim,
  at: Date | null,
  settled: { state: DeliveryStatus; dueInMs: number | null; endedAt: Date | null },
): Promise<boolean> {
  const rows = await tx.query(
    `update webhook_deliveries
     set state = $4, due_at = coalesce(coalesce($7::timestamptz, statement_timestamp()) + $5::float8 * interval '1 millisecond', due_at),
         ended_at = $6, step = step + 1, tries = tries + 1, leased_until = null
     where company_id = $1 and delivery_id = $2 and lease_token = $3 and state = 'pending'
     returning delivery_id`,
    [tx.companyId, claim.deliveryId, claim.leaseToken, settled.state, settled.dueInMs, settled.endedAt, at],
  );
  return rows.length === 1;
}

export async function insertDeliveryAttempt(
  tx: TenantTx,
  deliveryId: string,
  made: DeliveryAttempt,
): Promise<void> {
  await tx.query(
    `insert into webhook_tries (company_id, delivery_id, try_id, at, duration_ms, status, answer, fault)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tx.companyId, deliveryId, made.tryId, made.at, made.durationMs, made.status, made.answer, made.fault],
  );
}

const columns = sql`d.delivery_id as "deliveryId", d.endpoint_id as "endpointId", w.url, w.api_version as "apiVersion",
  d.event_id as "eventId", e.type,
  d.event_at as "eventAt", d.state, d.tries, d.due_at as "dueAt", d.ended_at as "endedAt",
  last.status as "lastStatus", last.fault as "lastFault"`;

/** The source of deliveries, a table or a part of it, joined with what the API shows. */
const sourcesOf = (deliveries: Fragment) => sql`${deliveries} d
  join events e on e.company_id = d.company_id and e.event_id = d.event_id
  join webhook_endpoints w on w.company_id = d.company_id and w.endpoint_id = d.endpoint_id
  left join lateral (select status, fault from webhook_tries t
    where t.company_id = d.company_id and t.delivery_id = d.delivery_id order by try_id desc limit 1) last on true`;
const sources = sourcesOf(sql`webhook_deliveries`);

/**
 * The deliveries of a payment ($2). They are collected first: a payment has few events, and the table may have
 * millions. The order by endpoint is that of the one index that finds them by event.
 */
const sourcesOfPayment = sourcesOf(sql`(
  select found.company_id, delivery_id, endpoint_id, found.event_id, event_at, state, tries, due_at, ended_at
  from unnest(array(
    select event_id from events where company_id = $1 and payment_id = $2)) wanted (event_id)
  cross join lateral (
    select company_id, delivery_id, endpoint_id, event_id, event_at, state, tries, due_at, ended_at
    from webhook_deliveries d
    where d.company_id = $1 and d.mode = current_mode() and d.event_id = wanted.event_id
    order by d.endpoint_id offset 0) found offset 0)`);

const listDeliveriesSql = statement(Delivery)`
  select ${columns} from ${sources}
  where d.company_id = $1 and d.endpoint_id = $2 and ($3::text is null or d.state = $3)
    and ($4::text is null or d.delivery_id < $4)
  order by d.delivery_id desc limit $5`;

/** Deliveries to an endpoint, newest first, after a cursor (null: from the newest). */
export async function listDeliveries(
  tx: TenantTx,
  wanted: { endpointId: string; state: DeliveryStatus | null; before: string | null; limit: number },
): Promise<Delivery[]> {
  return await tx.query(listDeliveriesSql, [
    tx.companyId,
    wanted.endpointId,
    wanted.state,
    wanted.before,
    wanted.limit,
  ]);
}

const listPaymentDeliveriesSql = statement(Delivery)`
  select ${columns} from ${sourcesOfPayment}
  where $3::text is null or d.delivery_id < $3
  order by d.delivery_id desc limit $4`;

/** Deliveries of a payment's events, to any endpoint, newest first, after a cursor (null: from the newest). */
export async function listPaymentDeliveries(
  tx: TenantTx,
  paymentId: string,
  wanted: { before: string | null; limit: number },
): Promise<Delivery[]> {
  await preferIndexScans(tx);
  return await tx.query(listPaymentDeliveriesSql, [tx.companyId, paymentId, wanted.before, wanted.limit]);
}

const findDeliverySql = statement(Delivery)`
  select ${columns} from ${sources} where d.company_id = $1 and d.delivery_id = $2`;

export async function findDelivery(tx: TenantTx, deliveryId: string): Promise<Delivery | null> {
  return first(await tx.query(findDeliverySql, [tx.companyId, deliveryId]));
}

const listDeliveryAttemptsSql = statement(DeliveryAttempt)`
  select ${DeliveryAttempt} from webhook_tries
  where company_id = $1 and delivery_id = $2 order by try_id limit 1000`;

/** The attempts of a delivery, oldest first. */
export async function listDeliveryAttempts(tx: TenantTx, deliveryId: string): Promise<DeliveryAttempt[]> {
  return await tx.query(listDeliveryAttemptsSql, [tx.companyId, deliveryId]);
}

/** Inserts the delivery of an event that is for a single endpoint. */
export async function insertDelivery(
  tx: TenantTx,
  delivery: { deliveryId: string; endpointId: string; eventId: string; at: Date },
): Promise<void> {
  await tx.query(
    `insert into webhook_deliveries (company_id, delivery_id, endpoint_id, event_id, event_at, due_at)
     values ($1, $2, $3, $4, $5, $5)`,
    [tx.companyId, delivery.deliveryId, delivery.endpointId, delivery.eventId, delivery.at],
  );
}

/** Makes a delivery due now, at the beginning of its schedule. A delivery that is being sent stays claimed. */
export async function resendDelivery(tx: TenantTx, deliveryId: string, at: Date): Promise<void> {
  await tx.query(
    `update webhook_deliveries set state = 'pending', step = 0, due_at = least($3, statement_timestamp()), ended_at = null
     where company_id = $1 and delivery_id = $2`,
    [tx.companyId, deliveryId, at],
  );
}

const resendEndedSql = statement({ deliveryId: t.text })`
  with resent as (
    update webhook_deliveries set state = 'pending', step = 0, due_at = least($4, statement_timestamp()), ended_at = null
    where company_id = $1 and delivery_id in (
      select delivery_id from webhook_deliveries
      where company_id = $1 and endpoint_id = $2 and state <> 'pending' and event_at >= $3 and ended_at < $4
        and ($5::text is null or delivery_id > $5)
      order by delivery_id limit $6)
    returning delivery_id)
  select delivery_id as "deliveryId" from resent order by delivery_id`;

/**
 * The same for ended deliveries to an endpoint, of events since a moment, `limit` at most, after a cursor (null: from
 * the first). Returns their IDs. Continuing after the last ID visits none twice.
 */
export async function resendEnded(
  tx: TenantTx,
  wanted: { endpointId: string; since: Date; at: Date; after: string | null; limit: number },
): Promise<string[]> {
  const rows = await tx.query(resendEndedSql, [
    tx.companyId,
    wanted.endpointId,
    wanted.since,
    wanted.at,
    wanted.after,
    wanted.limit,
  ]);
  return rows.map(({ deliveryId }) => deliveryId);
}

/** Makes all waiting deliveries of an endpoint due now. */
export async function makeDeliveriesDue(tx: TenantTx, endpointId: string, at: Date): Promise<void> {
  await tx.query(
    `update webhook_deliveries set due_at = least($3, statement_timestamp())
     where company_id = $1 and endpoint_id = $2 and state = 'pending' and due_at > $3`,
    [tx.companyId, endpointId, at],
  );
}

const deleteOldDeliveriesSql = statement({ count: t.int4 })`
  with oldest as (select created_at from webhook_deliveries
    where created_at < now() - interval '30 days' order by created_at limit $1),
  gone as (delete from webhook_deliveries
    where created_at <= (select max(created_at) from oldest) returning 1)
  select count(*)::int as count from gone`;

/**
 * Deletes the oldest deliveries of 30 days and more, with their attempts, about `limit` of them. Returns how many. Uses
 * now(), which is constant within a statement, so that the index applies.
 */
export async function deleteOldDeliveries(tx: SystemTx, limit: number): Promise<number> {
  await preferIndexScans(tx);
  const [gone] = await tx.query(deleteOldDeliveriesSql, [limit]);
  return gone?.count ?? 0;
}

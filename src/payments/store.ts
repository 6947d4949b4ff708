// All other SQL of payments and attempts, one exported function per statement. Only this module turns rows into domain
// shapes. Only transition.ts writes the status.

import { Type } from 'typebox';
import type { SystemTx, TenantScope, TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { type Fragment, first, insertAllOf, pick, type RowOf, sql, statement, t } from '../db/statements.ts';
import { unnestDistinct } from '../db/unnest.ts';
import type { PaymentItem } from './items.ts';
import { attemptStatus, paymentStatus } from './states.ts';

const storedItem = Type.Object({
  name: Type.String(),
  quantity: Type.Integer(),
  unitAmountMinor: Type.Integer(),
  taxRate: Type.Union([Type.Integer(), Type.Null()]),
});

export const PaymentDetails = {
  customerOrderId: t.text,
  amountMinor: t.int8,
  currency: t.currency,
  email: t.text,
  firstName: t.nullable(t.text),
  lastName: t.nullable(t.text),
  phone: t.nullable(t.text),
  phoneE164: t.nullable(t.text),
  country: t.text,
  successUrl: t.text,
  failureUrl: t.text,
  description: t.nullable(t.text),
  locale: t.nullable(t.text),
  metadata: t.jsonTexts,
  /** Empty if the merchant sent none. */
  items: t.jsonAs<PaymentItem[]>(Type.Array(storedItem)),
  requestedExpiresAt: t.nullable(t.timestamptz),
};
export type PaymentDetails = RowOf<typeof PaymentDetails>;

export const Payment = {
  ...PaymentDetails,
  companyId: t.text,
  paymentId: t.text,
  code: t.text,
  state: paymentStatus,
  mode: t.mode,
  refundedMinor: t.int8,
  /** The amount of refunds under way, beside the refunded amount. */
  refundingMinor: t.int8,
  /** The metadata of the request that created the link, once it was changed; null: unchanged. */
  requestedMetadata: t.nullable(t.jsonTexts),
  expiresAt: t.timestamptz,
  createdAt: t.timestamptz,
  updatedAt: t.timestamptz,
  /** The language that the customer picked, or in which they first paid, as a tag of our pages; null until then. */
  customerLocale: t.nullable(t.text),
  /** When a customer first opened the link; null until then. */
  openedAt: t.nullable(t.timestamptz),
  /** Counts the changes of the payment, from 1. */
  version: t.int4,
};
export type Payment = RowOf<typeof Payment>;

export const Attempt = {
  attemptId: t.text,
  paymentId: t.text,
  mode: t.mode,
  state: attemptStatus,
  processor: t.text,
  /** Null for the built-in processor. */
  connectionId: t.nullable(t.text),
  processorReference: t.nullable(t.text),
  amountMinor: t.int8,
  currency: t.currency,
  cardBrand: t.nullable(t.text),
  cardLast4: t.nullable(t.text),
  /** What the processor charges, in minor units; null until its records say it. */
  feeMinor: t.nullable(t.int8),
  actionUrl: t.nullable(t.text),
  declineCode: t.nullable(t.text),
  /** The language for the processor's page. */
  locale: t.nullable(t.text),
  createdAt: t.timestamptz,
  /** When its status last changed. */
  updatedAt: t.timestamptz,
  /** Until when the customer may act. */
  expiresAt: t.nullable(t.timestamptz),
};
export type Attempt = RowOf<typeof Attempt>;

/** The columns of an insert. The others have one value for all new payments. */
export const NewPayment = {
  ...PaymentDetails,
  ...pick(Payment, 'paymentId', 'code', 'mode', 'expiresAt', 'createdAt'),
  createdBy: t.text,
};
export type NewPayment = RowOf<typeof NewPayment>;

/** A payment directly after its insert. */
function asInserted(companyId: string, payment: NewPayment): Payment {
  const { createdBy: _, ...details } = payment;
  return {
    ...details,
    companyId,
    state: 'open',
    refundedMinor: 0,
    refundingMinor: 0,
    requestedMetadata: null,
    updatedAt: payment.createdAt,
    customerLocale: null,
    openedAt: null,
    version: 1,
  };
}

const newPayments = insertAllOf(NewPayment);
const insertPaymentsSql = statement({ paymentId: t.text })`
  insert into payments (company_id, state, updated_at, ${newPayments.names})
  select $1, 'open', created_at, ${newPayments.names} from ${newPayments.rows}
  on conflict (company_id, mode, customer_order_id) where state in ('open', 'processing', 'paid') do nothing
  returning payment_id as "paymentId"`;

/**
 * Inserts open payments, in one statement. Returns the inserted ones by ID. For the others, the order has a live or
 * paid link: the partial unique index decides, whatever runs concurrently. Callers sort by order ID, so that two
 * overlapping batches wait for each other in one direction.
 */
export async function insertPayments(
  tx: TenantTx,
  payments: readonly NewPayment[],
): Promise<ReadonlyMap<string, Payment>> {
  if (payments.length === 0) return new Map();
  const rows = await tx.query(insertPaymentsSql, [tx.companyId, newPayments.rowsParameter(payments)]);
  const inserted = new Set(rows.map(({ paymentId }) => paymentId));
  for (const _ of rows) tx.note({ kind: 'payment', status: 'open' });
  return new Map(
    payments
      .filter(({ paymentId }) => inserted.has(paymentId))
      .map((payment) => [payment.paymentId, asInserted(tx.companyId, payment)]),
  );
}

/** What a merchant may change of an open payment; null leaves it unchanged. */
export type PaymentChange = { expiresAt: Date | null; metadata: Record<string, string> | null };

const updateOpenPaymentSql = statement(Payment)`
  update payments set expires_at = coalesce($3, expires_at),
         requested_metadata = case when $4::jsonb is null then requested_metadata else coalesce(requested_metadata, metadata) end,
         metadata = coalesce($4::jsonb, metadata), updated_at = $5, version = version + 1
  where company_id = $1 and payment_id = $2 and state = 'open'
  returning ${Payment}`;

/** Changes an open payment; null if it is no longer open. */
export async function updateOpenPayment(
  tx: TenantTx,
  paymentId: string,
  change: PaymentChange & { at: Date },
): Promise<Payment | null> {
  return first(
    await tx.query(updateOpenPaymentSql, [
      tx.companyId,
      paymentId,
      change.expiresAt,
      change.metadata && JSON.stringify(change.metadata),
      change.at,
    ]),
  );
}

/** Records that a link was opened, once: false if that was recorded before, or the link is no longer open. */
export async function markOpened(tx: TenantTx, paymentId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update payments set opened_at = $3
     where company_id = $1 and payment_id = $2 and opened_at is null and state = 'open'
     returning payment_id`,
    [tx.companyId, paymentId, at],
  );
  return rows.length === 1;
}

/**
 * Records that the customer of a link asked for a new one: false if that was recorded since `unlessSince`, or the link has
 * not ended unpaid. A concurrent request waits for the row and then finds the time of the first.
 */
export async function markLinkRequested(
  tx: TenantTx,
  paymentId: string,
  { at, unlessSince }: { at: Date; unlessSince: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update payments set link_requested_at = $3
     where company_id = $1 and payment_id = $2 and state in ('failed', 'expired')
       and (link_requested_at is null or link_requested_at <= $4)
     returning payment_id`,
    [tx.companyId, paymentId, at, unlessSince],
  );
  return rows.length === 1;
}

const findRequestSql = statement({ paymentId: t.text })`
  select payment_id as "paymentId" from payments where company_id = $1 and payment_id = $2 and link_requested_at > $3`;

/** Whether a request for a new link was recorded after `since`. */
export async function wasLinkRequested(tx: TenantTx, paymentId: string, since: Date): Promise<boolean> {
  return (await tx.query(findRequestSql, [tx.companyId, paymentId, since])).length === 1;
}

/** Stores the language that a customer picked. It is no change that the merchant sees, so it does not count as one. */
export async function saveCustomerLocale(tx: TenantTx, paymentId: string, locale: string): Promise<void> {
  await tx.query(
    `update payments set customer_locale = $3
     where company_id = $1 and payment_id = $2 and customer_locale is distinct from $3`,
    [tx.companyId, paymentId, locale],
  );
}

const markRemindedSql = statement({ paymentId: t.text })`
  with due as materialized (
    select payment_id from payments
    where company_id = $1 and state = 'open' and reminded_at is null and expires_at > $2 and expires_at <= $3
      and expires_at - created_at >= $4 * interval '2 hours'
    order by expires_at limit $5 for update skip locked)
  update payments p set reminded_at = $2 from due
  where p.company_id = $1 and p.payment_id = due.payment_id
  returning p.payment_id as "paymentId"`;

/**
 * Marks open links that expire by `until` as reminded, soonest first, each once. Skips a link whose lifetime was less
 * than twice `hours`: the customer knew its expiry when it came.
 */
export async function markReminded(
  tx: TenantTx,
  look: { now: Date; until: Date; hours: number; limit: number },
): Promise<string[]> {
  const rows = await tx.query(markRemindedSql, [tx.companyId, look.now, look.until, look.hours, look.limit]);
  return rows.map(({ paymentId }) => paymentId);
}

const findPaymentSql = statement(Payment)`
  select ${Payment} from payments where company_id = $1 and payment_id = $2`;

export async function findPayment(tx: TenantTx, paymentId: string): Promise<Payment | null> {
  return first(await tx.query(findPaymentSql, [tx.companyId, paymentId]));
}

const findPaymentByCodeSql = statement(Payment)`
  select ${Payment} from payments where company_id = $1 and code = $2`;

export async function findPaymentByCode(tx: TenantTx, code: string): Promise<Payment | null> {
  return first(await tx.query(findPaymentByCodeSql, [tx.companyId, code]));
}

const lockPaymentByCodeSql = statement(Payment)`
  select ${Payment} from payments where company_id = $1 and code = $2 for update`;

/** The payment of a code, locked until the transaction ends. Paying and recording take this lock first. */
export async function lockPaymentByCode(tx: TenantTx, code: string): Promise<Payment | null> {
  return first(await tx.query(lockPaymentByCodeSql, [tx.companyId, code]));
}

const lockPaymentSql = statement(Payment)`
  select ${Payment} from payments where company_id = $1 and payment_id = $2 for update`;

export async function lockPayment(tx: TenantTx, paymentId: string): Promise<Payment | null> {
  return first(await tx.query(lockPaymentSql, [tx.companyId, paymentId]));
}

/** `skipsLocked`: skips payments that another transaction has locked, instead of waiting. */
export type LockOptions = { skipsLocked: boolean };

/** Locks in one order, so that no two callers deadlock. */
const lockedBy = (lock: Fragment) => statement(Payment)`
  select ${Payment} from ${unnestDistinct('$2')} join payments on payment_id = wanted where company_id = $1
  order by payment_id for update of payments ${lock}`;
const lockByIdSql = { wait: lockedBy(sql``), skip: lockedBy(sql`skip locked`) };

/** `lockPayment` for many IDs. Returns them by ID. */
export async function lockPayments(
  tx: TenantTx,
  paymentIds: readonly string[],
  { skipsLocked }: LockOptions,
): Promise<ReadonlyMap<string, Payment>> {
  const rows = await tx.query(lockByIdSql[skipsLocked ? 'skip' : 'wait'], [tx.companyId, paymentIds]);
  return new Map(rows.map((payment) => [payment.paymentId, payment]));
}

const findAttemptSql = statement(Attempt)`
  select ${Attempt} from attempts where company_id = $1 and attempt_id = $2`;

export async function findAttempt(tx: TenantTx, attemptId: string): Promise<Attempt | null> {
  return first(await tx.query(findAttemptSql, [tx.companyId, attemptId]));
}

const listAttemptsByIdSql = statement(Attempt)`
  select ${Attempt} from ${unnestDistinct('$2')} join attempts on attempt_id = wanted where company_id = $1`;

export async function listAttemptsById(tx: TenantTx, attemptIds: readonly string[]): Promise<Attempt[]> {
  return await tx.query(listAttemptsByIdSql, [tx.companyId, attemptIds]);
}

const isFresh = sql`(reminded_at is null)`;
const openGroup = sql`select company_id, mode, ${isFresh} as is_fresh from payments where state = 'open'`;

// Steps along the index payments_ending, from one company, mode and half to the next, so that there is no index over time
// alone.
const listDuePaymentsSql = statement({ companyId: t.text, mode: t.mode, paymentId: t.text })`
  with recursive groups as (
    (${openGroup} order by company_id, mode, ${isFresh} limit 1)
    union all
    select next.company_id, next.mode, next.is_fresh from groups cross join lateral (
      ${openGroup} and (company_id, mode, ${isFresh}) > (groups.company_id, groups.mode, groups.is_fresh)
      order by company_id, mode, ${isFresh} limit 1) next)
  select due.company_id as "companyId", due.mode, due.payment_id as "paymentId"
  from groups cross join lateral (
    select company_id, mode, payment_id from payments
    where company_id = groups.company_id and mode = groups.mode and ${isFresh} = groups.is_fresh
      and state = 'open' and expires_at <= $1
    order by expires_at limit $2) due
  where groups.company_id <> all($3) limit $2`;

/** Overdue open links of all companies but `except`, soonest first in each: the one query across tenants, by the system's role. */
export async function listDuePayments(
  tx: SystemTx,
  { before, limit, except }: { before: Date; limit: number; except: readonly string[] },
): Promise<(TenantScope & { paymentId: string })[]> {
  await preferIndexScans(tx);
  return await tx.query(listDuePaymentsSql, [before, limit, except]);
}

const listOverdueLinksSql = statement({ paymentId: t.text })`
  select payment_id as "paymentId" from payments
  where company_id = $1 and mode = current_mode() and state = 'open' and expires_at <= $2 order by expires_at limit $3`;

/** Overdue open links of the transaction's company and mode. */
export async function listOverdueLinks(tx: TenantTx, before: Date, limit: number): Promise<string[]> {
  const rows = await tx.query(listOverdueLinksSql, [tx.companyId, before, limit]);
  return rows.map(({ paymentId }) => paymentId);
}

const findNextLinkTimeSql = statement({ at: t.nullable(t.timestamptz) })`
  select min(found.at) as at from payments p join companies co using (company_id) cross join lateral (
    select p.expires_at as at
    union all
    select p.expires_at - co.reminder_hours * interval '1 hour' where p.reminded_at is null) found
  where p.company_id = $1 and p.mode = current_mode() and p.state = 'open' and found.at > $2`;

/** When the next open link of the transaction's company and mode expires or may be due for a reminder, after a time. */
export async function findNextLinkTime(tx: TenantTx, after: Date): Promise<Date | null> {
  return first(await tx.query(findNextLinkTimeSql, [tx.companyId, after]))?.at ?? null;
}

/** Stores the processor's reference of a charge that came after its attempt had ended, for its refund. */
export async function saveProcessorReference(
  tx: TenantTx,
  attemptId: string,
  reference: string,
): Promise<void> {
  await tx.query('update attempts set processor_reference = $3 where company_id = $1 and attempt_id = $2', [
    tx.companyId,
    attemptId,
    reference,
  ]);
}

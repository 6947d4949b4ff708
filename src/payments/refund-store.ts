// All SQL of refunds except their status, which transition.ts writes. The counters on the payment are the guard:
// refunded and pending amounts together never exceed what was captured.

import type { TenantTx } from '../db/database.ts';
import {
  first,
  insertOf,
  omit,
  outputNames,
  type RowOf,
  sql,
  statement,
  t,
  type ValueOf,
} from '../db/statements.ts';
import { unnestDistinct } from '../db/unnest.ts';
import { businessTime, type DueTime } from '../work/due-rows.ts';
import { retriedRows } from '../work/retried-rows.ts';
import { refundStatus } from './states.ts';

export const refundKind = t.oneOf('merchant', 'surplus');
export type RefundKind = ValueOf<typeof refundKind>;

export const Refund = {
  refundId: t.text,
  paymentId: t.text,
  attemptId: t.text,
  mode: t.mode,
  kind: refundKind,
  state: refundStatus,
  amountMinor: t.int8,
  currency: t.currency,
  reason: t.nullable(t.text),
  failureCode: t.nullable(t.text),
  createdAt: t.timestamptz,
};
export type Refund = RowOf<typeof Refund>;

/** Reserves an amount for a refund. False if the payment is not paid, or has less left than that. */
export async function reserveRefundAmount(
  tx: TenantTx,
  paymentId: string,
  amountMinor: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update payments set refunding_minor = refunding_minor + $3, version = version + 1
     where company_id = $1 and payment_id = $2 and state = 'paid'
       and refunded_minor + refunding_minor + $3 <= amount_minor
     returning payment_id`,
    [tx.companyId, paymentId, amountMinor],
  );
  return rows.length === 1;
}

/** Ends the reservation: the amount was refunded, or is the merchant's again. */
export async function settleRefundAmount(
  tx: TenantTx,
  settle: { paymentId: string; amountMinor: number; isRefunded: boolean; at: Date },
): Promise<void> {
  await tx.query(
    `update payments set refunding_minor = refunding_minor - $3,
            refunded_minor = refunded_minor + case when $4 then $3 else 0 end,
            updated_at = $5, version = version + 1
     where company_id = $1 and payment_id = $2`,
    [tx.companyId, settle.paymentId, settle.amountMinor, settle.isRefunded, settle.at],
  );
}

/** Reverses a refunded amount. False if less than that was refunded. */
export async function reverseRefundAmount(
  tx: TenantTx,
  reverse: { paymentId: string; amountMinor: number; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update payments set refunded_minor = refunded_minor - $3, updated_at = $4, version = version + 1
     where company_id = $1 and payment_id = $2 and refunded_minor >= $3
     returning payment_id`,
    [tx.companyId, reverse.paymentId, reverse.amountMinor, reverse.at],
  );
  return rows.length === 1;
}

const newRefund = insertOf(
  {
    ...omit(Refund, 'mode', 'state', 'failureCode'),
    createdBy: t.text,
    /** The processor's ID of a refund that was made in its dashboard. */
    outsideReference: t.nullable(t.text),
  },
  5,
);
export type NewRefund = Omit<Refund, 'mode' | 'state' | 'failureCode'> & {
  createdBy: string;
  /** The processor's ID of a refund that was made in its dashboard. */
  externalReference?: string;
  /** When the worker asks the processor about it; without it, at once. */
  due?: DueTime;
};

/**
 * Inserts a refund in status `created`. False if a refund of this attempt's overpayment is under way or has succeeded.
 */
export async function insertRefund(tx: TenantTx, refund: NewRefund): Promise<boolean> {
  const rows = await tx.query(
    sql`
      insert into refunds (company_id, updated_at, state, due_at, ${newRefund.names})
      values ($1, $2, 'created', coalesce(${businessTime(sql`$3`)} + $4::float8 * interval '1 millisecond', least($2, statement_timestamp())), ${newRefund.values})
      on conflict (company_id, mode, attempt_id) where kind = 'surplus' and state <> 'failed' do nothing
      returning refund_id`,
    [
      tx.companyId,
      refund.createdAt,
      refund.due?.at ?? null,
      refund.due?.inMs ?? null,
      ...newRefund.parameters({ ...refund, outsideReference: refund.externalReference ?? null }),
    ],
  );
  return rows.length === 1;
}

const findRefundSql = statement(Refund)`
  select ${Refund} from refunds where company_id = $1 and refund_id = $2`;

export async function findRefund(tx: TenantTx, refundId: string): Promise<Refund | null> {
  return first(await tx.query(findRefundSql, [tx.companyId, refundId]));
}

/** Whether a refund of an attempt already has the processor's ID, whoever made it. */
export async function findRefundByReference(
  tx: TenantTx,
  by: { attemptId: string; reference: string },
): Promise<boolean> {
  const rows = await tx.query(
    `select from refunds
     where company_id = $1 and attempt_id = $2 and (outside_reference = $3 or processor_reference = $3)`,
    [tx.companyId, by.attemptId, by.reference],
  );
  return rows.length > 0;
}

/** Whether a refund of an attempt with this amount is under way, so that its processor ID is not known yet. */
export async function hasRefundUnderWay(
  tx: TenantTx,
  by: { attemptId: string; amountMinor: number },
): Promise<boolean> {
  const rows = await tx.query(
    `select from refunds
     where company_id = $1 and attempt_id = $2 and amount_minor = $3 and state in ('created', 'processing', 'unknown')
     limit 1`,
    [tx.companyId, by.attemptId, by.amountMinor],
  );
  return rows.length > 0;
}

const findExternalRefundSql = statement(Refund)`
  select ${Refund} from refunds where company_id = $1 and attempt_id = $2 and outside_reference = $3`;

/** The refund that was imported from the processor's dashboard, by its ID there. */
export async function findExternalRefund(
  tx: TenantTx,
  by: { attemptId: string; reference: string },
): Promise<Refund | null> {
  return first(await tx.query(findExternalRefundSql, [tx.companyId, by.attemptId, by.reference]));
}

const listRefundsByIdSql = statement(Refund)`
  select ${Refund} from ${unnestDistinct('$2')} join refunds on refund_id = wanted where company_id = $1`;

export async function listRefundsById(tx: TenantTx, refundIds: readonly string[]): Promise<Refund[]> {
  return await tx.query(listRefundsByIdSql, [tx.companyId, refundIds]);
}

const findOverpaymentRefundSql = statement(Refund)`
  select ${Refund} from refunds
  where company_id = $1 and attempt_id = $2 and kind = 'surplus'
  order by state = 'failed', refund_id desc limit 1`;

/** The newest refund of an attempt's overpayment; null if there was none. */
export async function findOverpaymentRefund(tx: TenantTx, attemptId: string): Promise<Refund | null> {
  return first(await tx.query(findOverpaymentRefundSql, [tx.companyId, attemptId]));
}

const listRefundsSql = statement(Refund)`
  select ${Refund} from refunds where company_id = $1 and payment_id = $2 order by refund_id limit 1000`;

/** The refunds of a payment, oldest first, at most 1,000: enough even for small partial refunds. */
export async function listRefunds(tx: TenantTx, paymentId: string): Promise<Refund[]> {
  return await tx.query(listRefundsSql, [tx.companyId, paymentId]);
}

const listRefundsOfPaymentsSql = statement(Refund)`
  select ${outputNames(Refund, 'newest')} from ${unnestDistinct('$2')} cross join lateral (
    select ${Refund} from refunds where company_id = $1 and payment_id = wanted order by refund_id desc limit $3) newest
  order by "refundId" desc`;

/** The newest refunds of each payment, at most `each`, newest first. Payments without refunds are missing. */
export async function listRefundsOfPayments(
  tx: TenantTx,
  paymentIds: readonly string[],
  { each }: { each: number },
): Promise<ReadonlyMap<string, readonly Refund[]>> {
  const rows = await tx.query(listRefundsOfPaymentsSql, [tx.companyId, paymentIds, each]);
  return Map.groupBy(rows, ({ paymentId }) => paymentId);
}

export const Capture = { attemptId: t.text, connectionId: t.nullable(t.text) };
export type Capture = RowOf<typeof Capture>;

const findCaptureSql = statement(Capture)`
  select ${Capture} from attempts
  where company_id = $1 and payment_id = $2 and state = 'succeeded'`;

/** The attempt that took the money of a paid payment, and its connection. */
export async function findCapture(tx: TenantTx, paymentId: string): Promise<Capture | null> {
  return first(await tx.query(findCaptureSql, [tx.companyId, paymentId]));
}

export const ChargeReference = {
  processor: t.text,
  connectionId: t.nullable(t.text),
  processorReference: t.nullable(t.text),
};
export type ChargeReference = RowOf<typeof ChargeReference>;

const findChargeSql = statement(ChargeReference)`
  select ${ChargeReference} from attempts
  where company_id = $1 and attempt_id = $2`;

/** What a refund request needs: the processor of its attempt, the connection, and its reference of the charge. */
export async function findCharge(tx: TenantTx, attemptId: string): Promise<ChargeReference | null> {
  return first(await tx.query(findChargeSql, [tx.companyId, attemptId]));
}

/** Refunds without an outcome, by connection: the worker asks their processors. A trigger sets the target. */
export const dueRefunds = retriedRows({
  table: sql`refunds`,
  id: sql`refund_id`,
  token: sql`lease_token`,
  createdAt: sql`created_at`,
  lane: sql`(mode || ' ' || target)`,
  waiting: sql`state in ('created', 'processing', 'unknown')`,
});

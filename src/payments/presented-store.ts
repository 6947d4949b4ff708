// Payments as the API presents them: with what their attempts tell about them, in one statement.

import type { TenantTx } from '../db/database.ts';
import {
  type Fragment,
  jsonOf,
  pick,
  type RowOf,
  readJson,
  selectList,
  sql,
  statement,
  t,
} from '../db/statements.ts';
import { unnestDistinct } from '../db/unnest.ts';
import { currentAttemptLast, listAttemptsOfPayments } from './attempt-store.ts';
import { Attempt, Payment } from './store.ts';

/** What the API shows of an attempt. */
export const PresentedAttempt = pick(
  Attempt,
  ...(['attemptId', 'state', 'processor', 'connectionId', 'amountMinor', 'currency'] as const),
  ...(['cardBrand', 'cardLast4', 'declineCode', 'feeMinor', 'createdAt', 'updatedAt'] as const),
);
export type PresentedAttempt = RowOf<typeof PresentedAttempt>;

/** A payment with its attempts: the oldest first, but the live or succeeded one last. */
export type PaymentWithAttempts = Payment & { attempts: readonly PresentedAttempt[] };

/**
 * The attempts of the payment in a row, as a value and no join: they are read for the rows that are returned. A payment of
 * version 1 has had none, because the start of an attempt changes it.
 */
export const attemptsOf = (
  company: Fragment,
  payment: { paymentId: Fragment; version: Fragment },
): Fragment => sql`case when ${payment.version} > 1 then (
  select json_agg(${jsonOf(PresentedAttempt, 'a')} order by ${currentAttemptLast})
  from attempts a where a.company_id = ${company} and a.payment_id = ${payment.paymentId}) end`;

export const PaymentWithAttemptsRow = { ...Payment, attempts: t.nullable(t.jsonRows) };

/** The row with its attempts read. */
export function readAttempts<Row extends RowOf<typeof PaymentWithAttemptsRow>>(
  row: Row,
): Omit<Row, 'attempts'> & PaymentWithAttempts {
  return { ...row, attempts: (row.attempts ?? []).map((attempt) => readJson(PresentedAttempt, attempt)) };
}

const inTable = { paymentId: sql`p.payment_id`, version: sql`p.version` };

const presentedFrom = (join: Fragment, condition: Fragment) => statement(PaymentWithAttemptsRow)`
  select ${selectList(Payment, 'p')}, ${attemptsOf(sql`$1`, inTable)} as attempts
  from ${unnestDistinct('$2')} join payments p on ${join} where p.company_id = $1 ${condition}`;

const byIdSql = presentedFrom(sql`p.payment_id = wanted`, sql``);
const byCodeSql = presentedFrom(sql`p.code = wanted`, sql``);
const liveByOrderSql = presentedFrom(
  sql`p.customer_order_id = wanted`,
  sql`and p.state in ('open', 'processing', 'paid')`,
);

export async function listPaymentsById(
  tx: TenantTx,
  paymentIds: readonly string[],
): Promise<PaymentWithAttempts[]> {
  return (await tx.query(byIdSql, [tx.companyId, paymentIds])).map(readAttempts);
}

/** The payments of codes, by code. */
export async function listPaymentsByCode(
  tx: TenantTx,
  codes: readonly string[],
): Promise<ReadonlyMap<string, PaymentWithAttempts>> {
  const rows = await tx.query(byCodeSql, [tx.companyId, codes]);
  return new Map(rows.map((row) => [row.code, readAttempts(row)]));
}

/** The live or paid payments of orders: at most one for each order, by its ID. */
export async function listLivePaymentsByOrder(
  tx: TenantTx,
  customerOrderIds: readonly string[],
): Promise<ReadonlyMap<string, PaymentWithAttempts>> {
  const rows = await tx.query(liveByOrderSql, [tx.companyId, customerOrderIds]);
  return new Map(rows.map((row) => [row.customerOrderId, readAttempts(row)]));
}

/** A payment that was read alone, with its attempts. */
export async function withAttempts(tx: TenantTx, payment: Payment): Promise<PaymentWithAttempts> {
  const attempts = await listAttemptsOfPayments(tx, [payment.paymentId]);
  return { ...payment, attempts: attempts.get(payment.paymentId) ?? [] };
}

// Refunds that a merchant sends by bank transfer, with all SQL of bank_refunds.

import type { TenantTx } from '../../db/database.ts';
import { first, insertOf, pick, type RowOf, sql, statement, t, type ValueOf } from '../../db/statements.ts';
import type { Mode } from '../processor.ts';

export const bankRefundState = t.oneOf('waiting', 'sent', 'failed');
export type BankRefundState = ValueOf<typeof bankRefundState>;

export const BankRefund = {
  refundId: t.text,
  attemptId: t.text,
  state: bankRefundState,
  reference: t.text,
  amountMinor: t.int8,
  currency: t.currency,
  toName: t.nullable(t.text),
  toIban: t.nullable(t.text),
  /** The booking that shows it; null until one does. */
  lineId: t.nullable(t.text),
  endedBy: t.nullable(t.text),
  note: t.nullable(t.text),
  linkCode: t.text,
  customerOrderId: t.text,
  createdAt: t.timestamptz,
  endedAt: t.nullable(t.timestamptz),
};
export type BankRefund = RowOf<typeof BankRefund>;

const columns = sql`r.refund_id as "refundId", r.attempt_id as "attemptId", r.state, r.reference,
  r.amount_minor as "amountMinor", r.currency, r.to_name as "toName", r.to_iban as "toIban", r.line_id as "lineId",
  r.ended_by as "endedBy", r.note, t.link_code as "linkCode", t.customer_order_id as "customerOrderId",
  r.created_at as "createdAt", r.ended_at as "endedAt"`;
const from = sql`from bank_refunds r join bank_transfers t using (company_id, attempt_id)`;

export const NewBankRefund = {
  ...pick(BankRefund, 'refundId', 'attemptId', 'reference', 'amountMinor', 'currency', 'toName', 'toIban'),
  createdAt: t.timestamptz,
};
export type NewBankRefund = RowOf<typeof NewBankRefund>;

const newRefund = insertOf(NewBankRefund);

/** Inserts an open refund. False when it exists already, or its reference does. */
export async function insertBankRefund(tx: TenantTx, refund: NewBankRefund): Promise<boolean> {
  const rows = await tx.query(
    sql`
      insert into bank_refunds (company_id, state, ${newRefund.names}) values ($1, 'waiting', ${newRefund.values})
      on conflict do nothing returning refund_id`,
    [tx.companyId, ...newRefund.parameters(refund)],
  );
  return rows.length === 1;
}

const findBankRefundSql = statement(BankRefund)`
  select ${columns} ${from} where r.company_id = $1 and r.refund_id = $2`;

export async function findBankRefund(tx: TenantTx, refundId: string): Promise<BankRefund | null> {
  return first(await tx.query(findBankRefundSql, [tx.companyId, refundId]));
}

const listBankRefundsByReferenceSql = statement(BankRefund)`
  select ${columns} ${from} where r.company_id = $1 and t.mode = $2 and r.reference = any($3)
  order by r.refund_id limit 10`;

export async function listBankRefundsByReference(
  tx: TenantTx,
  mode: Mode,
  references: readonly string[],
): Promise<BankRefund[]> {
  return await tx.query(listBankRefundsByReferenceSql, [tx.companyId, mode, references]);
}

const listUnappliedRefundsSql = statement({ refundId: t.text })`
  select r.refund_id as "refundId" from bank_refunds r join refunds using (company_id, refund_id)
  where r.company_id = $1 and r.state = 'sent' and refunds.state in ('created', 'processing', 'unknown')
  order by r.refund_id limit $2`;

/** Sent refunds that payments do not know to have succeeded yet. */
export async function listUnappliedRefunds(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx.query(listUnappliedRefundsSql, [tx.companyId, limit]);
  return rows.map(({ refundId }) => refundId);
}

const listBankRefundsSql = statement(BankRefund)`
  select ${columns} ${from}
  where r.company_id = $1 and t.mode = $2 and ($3::text is null or r.state = $3)
    and ($4::text is null or r.refund_id < $4)
  order by r.refund_id desc limit $5`;

/** Refunds of a mode, newest first, after `before`; of every status unless one is given. */
export async function listBankRefunds(
  tx: TenantTx,
  page: { mode: Mode; state: BankRefundState | null; before: string | null; limit: number },
): Promise<BankRefund[]> {
  return await tx.query(listBankRefundsSql, [tx.companyId, page.mode, page.state, page.before, page.limit]);
}

/** Ends an open refund. False when it has ended. */
export async function endBankRefund(
  tx: TenantTx,
  end: {
    refundId: string;
    to: 'sent' | 'failed';
    lineId: string | null;
    endedBy: string | null;
    note: string | null;
    at: Date;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `update bank_refunds set state = $3, line_id = $4, ended_by = $5, note = $6, ended_at = $7
     where company_id = $1 and refund_id = $2 and state = 'waiting'
     returning refund_id`,
    [tx.companyId, end.refundId, end.to, end.lineId, end.endedBy, end.note, end.at],
  );
  return rows.length === 1;
}

/** Records the booking of a refund that a person had reported as sent. False when it has one, or was never reported. */
export async function noteRefundLine(tx: TenantTx, refundId: string, lineId: string): Promise<boolean> {
  const rows = await tx.query(
    `update bank_refunds set line_id = $3
     where company_id = $1 and refund_id = $2 and state = 'sent' and line_id is null
     returning refund_id`,
    [tx.companyId, refundId, lineId],
  );
  return rows.length === 1;
}

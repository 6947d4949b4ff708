// Refunds that a merchant must send by bank transfer: one row each, until a statement or a person says that
// it was sent. All SQL of bank_refunds is here.

import type { Currency } from '../../base/money.ts';
import type { TenantTx } from '../../db/database.ts';
import type { Mode } from '../processor.ts';

export type BankRefundState = 'waiting' | 'sent' | 'failed';

export type BankRefund = {
  refundId: string;
  attemptId: string;
  state: BankRefundState;
  reference: string;
  amountMinor: number;
  currency: Currency;
  toName: string | null;
  toIban: string | null;
  /** The booking that shows it; null until one does. */
  lineId: string | null;
  endedBy: string | null;
  note: string | null;
  linkCode: string;
  customerOrderId: string;
  createdAt: Date;
  endedAt: Date | null;
};

const columns = `r.refund_id as "refundId", r.attempt_id as "attemptId", r.state, r.reference,
  r.amount_minor as "amountMinor", r.currency, r.to_name as "toName", r.to_iban as "toIban", r.line_id as "lineId",
  r.ended_by as "endedBy", r.note, t.link_code as "linkCode", t.customer_order_id as "customerOrderId",
  r.created_at as "createdAt", r.ended_at as "endedAt"`;
const from = 'from bank_refunds r join bank_transfers t using (company_id, attempt_id)';

export type NewBankRefund = Pick<
  BankRefund,
  'refundId' | 'attemptId' | 'reference' | 'amountMinor' | 'currency' | 'toName' | 'toIban' | 'createdAt'
>;

/** Inserts an open refund. False when it exists already, or its reference does. */
export async function insertBankRefund(tx: TenantTx, refund: NewBankRefund): Promise<boolean> {
  const rows = await tx.query(
    `insert into bank_refunds (company_id, refund_id, attempt_id, state, reference, amount_minor, currency, to_name,
                               to_iban, created_at)
     values ($1, $2, $3, 'waiting', $4, $5, $6, $7, $8, $9) on conflict do nothing
     returning refund_id`,
    [
      tx.companyId,
      refund.refundId,
      refund.attemptId,
      refund.reference,
      refund.amountMinor,
      refund.currency,
      refund.toName,
      refund.toIban,
      refund.createdAt,
    ],
  );
  return rows.length === 1;
}

export async function findBankRefund(tx: TenantTx, refundId: string): Promise<BankRefund | null> {
  const [refund] = await tx.query<BankRefund>(
    `select ${columns} ${from} where r.company_id = $1 and r.refund_id = $2`,
    [tx.companyId, refundId],
  );
  return refund ?? null;
}

/** The refunds with any of the references. */
export async function listBankRefundsByReference(
  tx: TenantTx,
  mode: Mode,
  references: readonly string[],
): Promise<BankRefund[]> {
  return await tx.query<BankRefund>(
    `select ${columns} ${from} where r.company_id = $1 and t.mode = $2 and r.reference = any($3)
     order by r.refund_id limit 10`,
    [tx.companyId, mode, references],
  );
}

/** Refunds of a mode, newest first, after `before`; of every status unless one is given. */
export async function listBankRefunds(
  tx: TenantTx,
  page: { mode: Mode; state: BankRefundState | null; before: string | null; limit: number },
): Promise<BankRefund[]> {
  return await tx.query<BankRefund>(
    `select ${columns} ${from}
     where r.company_id = $1 and t.mode = $2 and ($3::text is null or r.state = $3)
       and ($4::text is null or r.refund_id < $4)
     order by r.refund_id desc limit $5`,
    [tx.companyId, page.mode, page.state, page.before, page.limit],
  );
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

// All SQL of refunds except their status, which transition.ts writes. The counters on the payment are the guard:
// refunded and pending amounts together never exceed what was captured.

import type { Currency } from '../base/money.ts';
import type { Mode, TenantTx } from '../db/database.ts';
import type { RefundStatus } from './states.ts';

export type RefundKind = 'merchant' | 'surplus';

export type Refund = {
  refundId: string;
  paymentId: string;
  attemptId: string;
  mode: Mode;
  kind: RefundKind;
  state: RefundStatus;
  amountMinor: number;
  currency: Currency;
  reason: string | null;
  failureCode: string | null;
  createdAt: Date;
};

const columns = `refund_id as "refundId", payment_id as "paymentId", attempt_id as "attemptId", mode, kind, state,
  amount_minor as "amountMinor", currency, reason, failure_code as "failureCode", created_at as "createdAt"`;

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

export type NewRefund = Omit<Refund, 'mode' | 'state' | 'failureCode'> & {
  createdBy: string;
  /** The processor's ID of a refund that was made in its dashboard. */
  externalReference?: string;
};

/**
 * Inserts a refund in status `created`. False if a refund of this attempt's overpayment is under way or has succeeded.
 */
export async function insertRefund(tx: TenantTx, refund: NewRefund): Promise<boolean> {
  const rows = await tx.query(
    `insert into refunds (company_id, refund_id, payment_id, attempt_id, kind, state, amount_minor, currency, reason,
                          created_by, created_at, updated_at, outside_reference)
     values ($1, $2, $3, $4, $5, 'created', $6, $7, $8, $9, $10, $10, $11)
     on conflict (company_id, mode, attempt_id) where kind = 'surplus' and state <> 'failed' do nothing
     returning refund_id`,
    [
      tx.companyId,
      refund.refundId,
      refund.paymentId,
      refund.attemptId,
      refund.kind,
      refund.amountMinor,
      refund.currency,
      refund.reason,
      refund.createdBy,
      refund.createdAt,
      refund.externalReference ?? null,
    ],
  );
  return rows.length === 1;
}

export async function findRefund(tx: TenantTx, refundId: string): Promise<Refund | null> {
  const [refund] = await tx.query<Refund>(
    `select ${columns} from refunds where company_id = $1 and refund_id = $2`,
    [tx.companyId, refundId],
  );
  return refund ?? null;
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

/** The refund that was imported from the processor's dashboard, by its ID there. */
export async function findExternalRefund(
  tx: TenantTx,
  by: { attemptId: string; reference: string },
): Promise<Refund | null> {
  const [refund] = await tx.query<Refund>(
    `select ${columns} from refunds where company_id = $1 and attempt_id = $2 and outside_reference = $3`,
    [tx.companyId, by.attemptId, by.reference],
  );
  return refund ?? null;
}

export async function listRefundsById(tx: TenantTx, refundIds: readonly string[]): Promise<Refund[]> {
  return await tx.query<Refund>(
    `select ${columns} from refunds where company_id = $1 and refund_id = any($2)`,
    [tx.companyId, refundIds],
  );
}

/** The newest refund of an attempt's overpayment; null if there was none. */
export async function findOverpaymentRefund(tx: TenantTx, attemptId: string): Promise<Refund | null> {
  const [refund] = await tx.query<Refund>(
    `select ${columns} from refunds
     where company_id = $1 and attempt_id = $2 and kind = 'surplus'
     order by state = 'failed', refund_id desc limit 1`,
    [tx.companyId, attemptId],
  );
  return refund ?? null;
}

/** The refunds of a payment, oldest first, at most 1,000: enough even for small partial refunds. */
export async function listRefunds(tx: TenantTx, paymentId: string): Promise<Refund[]> {
  return await tx.query<Refund>(
    `select ${columns} from refunds where company_id = $1 and payment_id = $2 order by refund_id limit 1000`,
    [tx.companyId, paymentId],
  );
}

/** Those of the given payments with an overpayment that is refunded. */
export async function listOverpaid(
  tx: TenantTx,
  paymentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ paymentId: string }>(
    `select distinct payment_id as "paymentId" from refunds
     where company_id = $1 and payment_id = any($2) and kind = 'surplus'`,
    [tx.companyId, paymentIds],
  );
  return new Set(rows.map(({ paymentId }) => paymentId));
}

export type Capture = { attemptId: string; connectionId: string | null };

/** The attempt that took the money of a paid payment, and its connection. */
export async function findCapture(tx: TenantTx, paymentId: string): Promise<Capture | null> {
  const [capture] = await tx.query<Capture>(
    `select attempt_id as "attemptId", connection_id as "connectionId" from attempts
     where company_id = $1 and payment_id = $2 and state = 'succeeded'`,
    [tx.companyId, paymentId],
  );
  return capture ?? null;
}

export type ChargeReference = {
  processor: string;
  connectionId: string | null;
  processorReference: string | null;
};

/** What a refund request needs: the processor of its attempt, the connection, and its reference of the charge. */
export async function findCharge(tx: TenantTx, attemptId: string): Promise<ChargeReference | null> {
  const [charge] = await tx.query<ChargeReference>(
    `select processor, connection_id as "connectionId", processor_reference as "processorReference" from attempts
     where company_id = $1 and attempt_id = $2`,
    [tx.companyId, attemptId],
  );
  return charge ?? null;
}

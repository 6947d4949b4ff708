// The sandbox's own records: one row per idempotency key. All its SQL is here.

import type { TenantTx } from '../../db/database.ts';
import { first, insertOf, type RowOf, sql, statement, t, type ValueOf } from '../../db/statements.ts';
import { type BalanceTransaction, type DeclineCode, declineCode, ownTransaction } from '../processor.ts';

export const chargeState = t.oneOf('challenge', 'pending', 'succeeded', 'declined', 'void');
export type ChargeState = ValueOf<typeof chargeState>;

/** How a refund of a charge fails: it is refused, or gets no response. */
export const refundFault = t.oneOf('refuse', 'no_answer');
export type RefundFault = ValueOf<typeof refundFault>;

export const SandboxCharge = {
  idempotencyKey: t.text,
  reference: t.text,
  state: chargeState,
  afterChallenge: t.nullable(t.oneOf('succeeded', 'declined')),
  declineCode: t.nullable(declineCode),
  amountMinor: t.int8,
  currency: t.text,
  returnUrl: t.nullable(t.text),
  merchantName: t.nullable(t.text),
  locale: t.nullable(t.text),
  settlesAt: t.nullable(t.timestamptz),
};
export type SandboxCharge = RowOf<typeof SandboxCharge>;

export const NewSandboxCharge = { ...SandboxCharge, createdAt: t.timestamptz };
export type NewSandboxCharge = RowOf<typeof NewSandboxCharge>;

const newCharge = insertOf(NewSandboxCharge);
const insertChargeSql = statement({ reference: t.text })`
  insert into sandbox_charges (company_id, ${newCharge.names}) values ($1, ${newCharge.values})
  on conflict (company_id, mode, idempotency_key) do nothing
  returning reference`;

/** Inserts a charge: false if there is one under its key. */
export async function insertCharge(tx: TenantTx, charge: NewSandboxCharge): Promise<boolean> {
  return (await tx.query(insertChargeSql, [tx.companyId, ...newCharge.parameters(charge)])).length === 1;
}

const findSandboxChargeSql = statement(SandboxCharge)`
  select ${SandboxCharge} from sandbox_charges where company_id = $1 and idempotency_key = $2`;

export async function findSandboxCharge(tx: TenantTx, idempotencyKey: string): Promise<SandboxCharge | null> {
  return first(await tx.query(findSandboxChargeSql, [tx.companyId, idempotencyKey]));
}

const lockChargeSql = statement(SandboxCharge)`
  select ${SandboxCharge} from sandbox_charges where company_id = $1 and idempotency_key = $2 for update`;

/** The same, locked until the transaction ends, so that refunds of it are counted one at a time. */
export async function lockCharge(tx: TenantTx, idempotencyKey: string): Promise<SandboxCharge | null> {
  return first(await tx.query(lockChargeSql, [tx.companyId, idempotencyKey]));
}

const findChargeByReferenceSql = statement(SandboxCharge)`
  select ${SandboxCharge} from sandbox_charges where company_id = $1 and reference = $2`;

export async function findChargeByReference(tx: TenantTx, reference: string): Promise<SandboxCharge | null> {
  return first(await tx.query(findChargeByReferenceSql, [tx.companyId, reference]));
}

const moveChargeSql = statement(SandboxCharge)`
  update sandbox_charges set state = $4, decline_code = coalesce($5, decline_code)
  where company_id = $1 and idempotency_key = $2 and state = $3
  returning ${SandboxCharge}`;

/** Moves a charge that is still in `from`; null when it was moved before. */
export async function moveCharge(
  tx: TenantTx,
  move: { idempotencyKey: string; from: ChargeState; to: ChargeState; declineCode?: DeclineCode },
): Promise<SandboxCharge | null> {
  const { idempotencyKey, from, to, declineCode = null } = move;
  return first(await tx.query(moveChargeSql, [tx.companyId, idempotencyKey, from, to, declineCode]));
}

type FaultyRefund = { attemptId: string; refundId: string };

/** Sets how a refund of a charge fails, also before it is asked for; null: it succeeds. */
export async function setRefundFault(
  tx: TenantTx,
  { attemptId, refundId }: FaultyRefund,
  fault: RefundFault | null,
): Promise<void> {
  await tx.query(
    `update sandbox_charges
     set refund_faults = case when $4::text is null then refund_faults - $3::text
                              else refund_faults || jsonb_build_object($3::text, $4::text) end
     where company_id = $1 and idempotency_key = $2`,
    [tx.companyId, attemptId, refundId, fault],
  );
}

const findRefundFaultSql = statement({ fault: t.nullable(refundFault) })`
  select refund_faults ->> $3::text as fault from sandbox_charges where company_id = $1 and idempotency_key = $2`;

/** How a refund of a charge fails; null: it does not. */
export async function findRefundFault(
  tx: TenantTx,
  { attemptId, refundId }: FaultyRefund,
): Promise<RefundFault | null> {
  const [row] = await tx.query(findRefundFaultSql, [tx.companyId, attemptId, refundId]);
  return row?.fault ?? null;
}

export const SandboxRefund = {
  idempotencyKey: t.text,
  chargeReference: t.text,
  reference: t.text,
  state: t.oneOf('succeeded', 'failed'),
  amountMinor: t.int8,
  currency: t.text,
};
export type SandboxRefund = RowOf<typeof SandboxRefund>;

const newRefund = insertOf({ ...SandboxRefund, createdAt: t.timestamptz });
const findSandboxRefundSql = statement(SandboxRefund)`
  select ${SandboxRefund} from sandbox_refunds where company_id = $1 and idempotency_key = $2`;

/** Inserts a refund unless its key exists, and returns the stored one. */
export async function insertSandboxRefund(
  tx: TenantTx,
  refund: SandboxRefund,
  at: Date,
): Promise<SandboxRefund> {
  await tx.query(
    sql`
      insert into sandbox_refunds (company_id, ${newRefund.names}) values ($1, ${newRefund.values})
      on conflict (company_id, mode, idempotency_key) do nothing`,
    [tx.companyId, ...newRefund.parameters({ ...refund, createdAt: at })],
  );
  const [existing] = await tx.query(findSandboxRefundSql, [tx.companyId, refund.idempotencyKey]);
  if (!existing) throw new Error('a refund is neither new nor there');
  return existing;
}

const sumRefundsSql = statement({ refundedMinor: t.int8 })`
  select coalesce(sum(amount_minor), 0)::bigint as "refundedMinor" from sandbox_refunds
  where company_id = $1 and charge_reference = $2 and state = 'succeeded'`;

export async function sumRefunds(tx: TenantTx, chargeReference: string): Promise<number> {
  const [row] = await tx.query(sumRefundsSql, [tx.companyId, chargeReference]);
  return row?.refundedMinor ?? 0;
}

const listSandboxTransactionsSql = statement(ownTransaction)`
  select kind, key, reference, "amountMinor", currency from (
    select 'charge' as kind, idempotency_key as key, reference, amount_minor as "amountMinor", currency
    from sandbox_charges
    where company_id = $1 and state = 'succeeded' and created_at >= $2 and created_at < $3 and idempotency_key > $4
    union all
    select 'refund', idempotency_key, reference, amount_minor, currency
    from sandbox_refunds
    where company_id = $1 and state = 'succeeded' and created_at >= $2 and created_at < $3 and idempotency_key > $4
  ) moved order by key limit $5`;

/** The sandbox's movements, in the order of its keys, after `after`. */
export async function listSandboxTransactions(
  tx: TenantTx,
  page: { from: Date; until: Date; after: string; limit: number },
): Promise<BalanceTransaction[]> {
  const { from, until, after, limit } = page;
  return await tx.query(listSandboxTransactionsSql, [tx.companyId, from, until, after, limit]);
}

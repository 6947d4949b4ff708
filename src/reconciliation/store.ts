// The SQL of the comparison with a processor's list: our data for its keys, and the movements in the ledger. It only
// reads.

import { firstIdAt } from '../base/ids.ts';
import type { TenantTx } from '../db/database.ts';
import { type RowOf, statement, t } from '../db/statements.ts';
import { ledgerEntryKind } from '../ledger/post-entry.ts';
import { attemptStatus, refundStatus } from '../payments/states.ts';

export const BookedCharge = {
  attemptId: t.text,
  processor: t.text,
  state: attemptStatus,
  amountMinor: t.int8,
  currency: t.currency,
  /** The overpayment that it collected, as far as known; null for none. */
  surplusMinor: t.nullable(t.int8),
  /** The refused refunds of that money. */
  refusedRefundIds: t.array(t.text),
};
export type BookedCharge = RowOf<typeof BookedCharge>;

const findBookedChargesSql = statement(BookedCharge)`
  select attempt_id as "attemptId", a.processor, a.state, a.amount_minor as "amountMinor", a.currency,
         (select max(r.amount_minor) from refunds r
          where r.company_id = $1 and r.attempt_id = a.attempt_id and r.kind = 'surplus')::bigint as "surplusMinor",
         array(select r.refund_id from refunds r
               where r.company_id = $1 and r.attempt_id = a.attempt_id and r.kind = 'surplus'
                 and r.state = 'failed') as "refusedRefundIds"
  from attempts a where company_id = $1 and attempt_id = any($2)`;

/** Our attempts of the given IDs, by ID. Unknown IDs are missing. */
export async function findBookedCharges(
  tx: TenantTx,
  attemptIds: readonly string[],
): Promise<Map<string, BookedCharge>> {
  const rows = await tx.query(findBookedChargesSql, [tx.companyId, attemptIds]);
  return new Map(rows.map((row) => [row.attemptId, row]));
}

export const BookedRefund = {
  refundId: t.text,
  state: refundStatus,
  amountMinor: t.int8,
  currency: t.currency,
};
export type BookedRefund = RowOf<typeof BookedRefund>;

const findBookedRefundsSql = statement(BookedRefund)`
  select ${BookedRefund}
  from refunds where company_id = $1 and refund_id = any($2)`;

/** Our refunds of the given IDs, by ID. */
export async function findBookedRefunds(
  tx: TenantTx,
  refundIds: readonly string[],
): Promise<Map<string, BookedRefund>> {
  const rows = await tx.query(findBookedRefundsSql, [tx.companyId, refundIds]);
  return new Map(rows.map((row) => [row.refundId, row]));
}

export const BookedMovement = {
  entryId: t.text,
  kind: ledgerEntryKind,
  sourceId: t.text,
  amountMinor: t.int8,
  currency: t.currency,
  /** When the processor was first asked for it. Its entry may be days younger. */
  askedAt: t.timestamptz,
};
export type BookedMovement = RowOf<typeof BookedMovement>;

const listBookedMovementsSql = statement(BookedMovement)`
  select e.entry_id as "entryId", e.kind, e.source_id as "sourceId", e.amount_minor as "amountMinor", e.currency,
         coalesce(r.created_at, a.created_at) as "askedAt"
  from ledger_entries e
    left join refunds r on r.company_id = $1 and r.refund_id = e.source_id
    join attempts a on a.company_id = $1 and a.attempt_id = coalesce(r.attempt_id, e.source_id)
  where e.company_id = $1
    -- What was taken over, or came back, stands here by the processor's own word.
    and r.outside_reference is null and r.reversed_at is null
    and e.entry_id > $2 and e.entry_id < $3 and a.processor = $4
    and a.connection_id is not distinct from $5
  order by e.entry_id limit $6`;

/**
 * The movements through a processor's connection in our ledger, in order, from `from` or after `after`, to before
 * `until`.
 */
export async function listBookedMovements(
  tx: TenantTx,
  page: {
    processor: string;
    connectionId: string | null;
    from: Date;
    until: Date;
    after: string | null;
    limit: number;
  },
): Promise<BookedMovement[]> {
  return await tx.query(listBookedMovementsSql, [
    tx.companyId,
    page.after ?? firstIdAt('led', page.from),
    firstIdAt('led', page.until),
    page.processor,
    page.connectionId,
    page.limit,
  ]);
}

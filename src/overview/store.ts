// All SQL of the overview about payments: one exported function per statement. Sums scan the payments in order of time
// from the beginning of the span. Counts are bounded.

import { firstIdAt } from '../base/ids.ts';
import type { Currency } from '../base/money.ts';
import type { Mode, TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { sql, statement, t } from '../db/statements.ts';
import { inMode } from '../payments/list-mode.ts';
import { type PaymentStatus, paymentStatus } from '../payments/states.ts';

/** Payments of one currency and status that were created in one slot. */
export type CreatedTotals = {
  currency: Currency;
  state: PaymentStatus;
  /** The index of the last of `starts` that is not after their creation, from 0. */
  slot: number;
  count: number;
  amountMinor: bigint;
};

const sumCreatedSql = statement({
  currency: t.currency,
  state: paymentStatus,
  slot: t.int4,
  count: t.int4,
  amount: t.text,
})`
  select currency, state, width_bucket(created_at, $3::timestamptz[]) - 1 as slot, count(*)::integer as count,
         sum(amount_minor)::text as amount
  from payments
  where company_id = $1 and payment_id >= $2 and ${inMode}
  group by currency, state, slot`;

/** The payments created since the first of `starts`, by status, for each slot. */
export async function sumCreated(tx: TenantTx, starts: readonly [Date, ...Date[]]): Promise<CreatedTotals[]> {
  const rows = await tx.query(sumCreatedSql, [tx.companyId, firstIdAt('pay', starts[0]), starts]);
  return rows.map(({ amount, ...about }) => ({ ...about, amountMinor: BigInt(amount) }));
}

/** The maximum of each count of what needs attention. */
export const maxCounted = 1000;

/** How many processing payments are read, oldest first. */
const maxProcessing = 2000;

const countUnknownSql = statement({ count: t.int4 })`
  select count(*)::integer as count
  from (select payment_id from payments
        where company_id = $1 and ${inMode} and (state, payment_id) > ('processing', '') and (state, payment_id) < ('processing', 'q')
        order by state, payment_id limit $2) under_way
  where exists (select from attempts a
                where a.company_id = $1 and a.payment_id = under_way.payment_id and a.state = 'unknown')`;

/** How many payments are blocked because the outcome of their attempt is unknown. */
export async function countUnknown(tx: TenantTx): Promise<number> {
  await preferIndexScans(tx);
  const [counted] = await tx.query(countUnknownSql, [tx.companyId, maxProcessing]);
  return counted?.count ?? 0;
}

const expiring = sql`company_id = $1 and state = 'open' and expires_at > $3 and expires_at <= $4 and mode = $2
       order by expires_at limit $5`;

// Written so that each half is one range of the index payments_ending.
const listExpiringSoonSql = statement({ paymentId: t.text })`
  select payment_id as "paymentId" from (
    (select payment_id, expires_at from payments where (reminded_at is null) is true and ${expiring})
    union all
    (select payment_id, expires_at from payments where (reminded_at is null) is false and ${expiring})
  ) ending order by expires_at, payment_id limit $5`;

/** The open links that expire after `now` and by `until`, soonest first, at most `maxCounted`. */
export async function listExpiringSoon(
  tx: TenantTx,
  { mode, now, until }: { mode: Mode; now: Date; until: Date },
): Promise<string[]> {
  const rows = await tx.query(listExpiringSoonSql, [tx.companyId, mode, now, until, maxCounted]);
  return rows.map(({ paymentId }) => paymentId);
}

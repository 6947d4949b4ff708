// Attempts of many payments at once, and those that are due. Only transition.ts starts attempts and changes their status.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { type RowOf, sql, statement, t } from '../db/statements.ts';
import { jsonRows, unnestDistinct } from '../db/unnest.ts';
import { retriedRows } from '../work/retried-rows.ts';
import { Attempt } from './store.ts';

/** An attempt in these statuses is live or took the money. The index allows one for each payment. */
export const liveStates = sql`('created', 'requires_action', 'processing', 'unknown', 'succeeded')`;

/** Oldest first, but the live or succeeded one last, of which there is at most one. */
export const currentAttemptLast = sql`state in ${liveStates}, attempt_id`;

const listAttemptsOfPaymentsSql = statement(Attempt)`
  select ${Attempt} from ${unnestDistinct('$2')} join attempts on payment_id = wanted where company_id = $1
  order by ${currentAttemptLast}`;

/**
 * The attempts of each payment, oldest first, with the live or succeeded one last, of which there is at most one:
 * whatever the clocks of several processes, the last is the current one. Payments without attempts are missing.
 */
export async function listAttemptsOfPayments(
  tx: TenantTx,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const rows = await tx.query(listAttemptsOfPaymentsSql, [tx.companyId, paymentIds]);
  return Map.groupBy(rows, ({ paymentId }) => paymentId);
}

/** What a processor charges for the money of an attempt, in minor units of its currency. */
export const AttemptFee = { attemptId: t.text, feeMinor: t.int8 };
export type AttemptFee = RowOf<typeof AttemptFee>;

const setFeesSql = statement({})`
  update attempts set fee_minor = "feeMinor" from ${jsonRows(AttemptFee, '$2', '$3')}
  where company_id = $1 and attempt_id = "attemptId" and fee_minor is distinct from "feeMinor"`;

/** Stores what a processor charges for attempts. Their payments stay as they are, and their versions, too. */
export async function setFees(tx: TenantTx, fees: readonly AttemptFee[]): Promise<void> {
  if (fees.length > 0) await tx.query(setFeesSql, [tx.companyId, JSON.stringify(fees), fees.length]);
}

const laneOfAttempt = sql`(mode || ' ' || coalesce(connection_id, processor))`;
const withoutOutcome = sql`state in ('created', 'requires_action', 'processing', 'unknown')`;

/** Attempts without an outcome, by connection: the worker asks their processors. */
export const dueAttempts = retriedRows({
  table: sql`attempts`,
  id: sql`attempt_id`,
  token: sql`lease_token`,
  createdAt: sql`created_at`,
  lane: laneOfAttempt,
  waiting: withoutOutcome,
});

/** How many attempts of a mode have an unknown outcome, and since when the first of them has. */
export const UnknownCount = { mode: t.mode, count: t.int4, oldestAt: t.timestamptz };
export type UnknownCount = RowOf<typeof UnknownCount>;

// Ordered as the index of due attempts, so that it is the one that is read.
const countUnknownSql = statement(UnknownCount)`
  select mode, count(*)::integer as count, min(updated_at) as "oldestAt"
  from (select mode, updated_at from attempts where ${withoutOutcome} and state = 'unknown'
    order by company_id, ${laneOfAttempt}, due_at, attempt_id limit $1) found
  group by mode`;

/** Counts attempts of all companies whose outcome is unknown, `limit` at most. */
export async function countUnknownAttempts(tx: SystemTx, limit: number): Promise<UnknownCount[]> {
  return await tx.query(countUnknownSql, [limit]);
}

// Attempts of many payments at once, for the batched steps of paying. Only transition.ts changes their status. An
// attempt is inserted in its first status.

import type { TenantTx } from '../db/database.ts';
import { insertAllOf, omit, type RowOf, sql, statement, t } from '../db/statements.ts';
import { unnestDistinct } from '../db/unnest.ts';
import { businessTime, type DueTime } from '../work/due-rows.ts';
import { retriedRows } from '../work/retried-rows.ts';
import { Attempt } from './store.ts';

export const NewAttempt = omit(Attempt, 'mode', 'state', 'processorReference', 'actionUrl', 'declineCode');
export type NewAttempt = RowOf<typeof NewAttempt>;

const newAttempts = insertAllOf(NewAttempt, 4);
const insertAttemptsSql = statement({ attemptId: t.text })`
  insert into attempts (company_id, state, updated_at, due_at, ${newAttempts.names})
  select $1, 'created', created_at, ${businessTime(sql`$2`)} + $3::float8 * interval '1 millisecond', ${newAttempts.names}
  from ${newAttempts.rows}
  on conflict (company_id, mode, payment_id)
    where state in ('created', 'requires_action', 'processing', 'unknown', 'succeeded') do nothing
  returning attempt_id as "attemptId"`;

/**
 * Inserts attempts of different links in status `created`; the worker asks about them when they are due. Returns the IDs
 * of the inserted ones. The other links have an attempt that is live or took the money.
 */
export async function insertAttempts(
  tx: TenantTx,
  attempts: readonly NewAttempt[],
  due: DueTime,
): Promise<ReadonlySet<string>> {
  if (attempts.length === 0) return new Set();
  const rows = await tx.query(insertAttemptsSql, [
    tx.companyId,
    due.at,
    due.inMs,
    newAttempts.rowsParameter(attempts),
  ]);
  return new Set(rows.map(({ attemptId }) => attemptId));
}

/** Oldest first, but the live or succeeded one last, of which there is at most one. */
export const currentAttemptLast = sql`state in ('created', 'requires_action', 'processing', 'unknown', 'succeeded'), attempt_id`;

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

/** Attempts without an outcome, by connection: the worker asks their processors. */
export const dueAttempts = retriedRows({
  table: sql`attempts`,
  id: sql`attempt_id`,
  token: sql`lease_token`,
  lane: sql`(mode || ' ' || coalesce(connection_id, processor))`,
  waiting: sql`state in ('created', 'requires_action', 'processing', 'unknown')`,
});

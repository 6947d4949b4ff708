// Rows whose work is repeated until it ends: attempts, refunds, bookings, transfers. One that has not ended after a hundred
// days is dead: it is not due until a person decides so.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { type Fragment, type RowOf, sql, statement, t } from '../db/statements.ts';
import { createPostponeRow, type DueRows, type DueTable, dueRows, type PostponeRow } from './due-rows.ts';

/** A claimed row. */
export type ClaimedRow = { id: string; claims: number };

export const DeadRow = {
  companyId: t.text,
  mode: t.mode,
  id: t.text,
  claims: t.int8,
  reason: t.nullable(t.text),
};
export type DeadRow = RowOf<typeof DeadRow>;

export type RetriedRows = DueRows<ClaimedRow> & {
  postpone: PostponeRow;
  /** Rows of all companies that are not due until a person decides so. */
  listDead(tx: SystemTx): Promise<DeadRow[]>;
  /** Makes a dead row due now, and then again as if it had not run before. False if there is none with this ID. */
  revive(tx: TenantTx, id: string): Promise<boolean>;
};

/** The longest list of dead rows of one kind. */
const maxDeadRows = 1_000;

/** The statements of a table whose work is repeated. `createdAt` is the time from which its rows are. */
export function retriedRows(rows: DueTable & { createdAt: Fragment }): RetriedRows {
  const { table, id, token, waiting, createdAt } = rows;
  const claimed = { id: t.computed(id, t.text), claims: t.computed(token, t.int8) };
  const deadSql = statement(DeadRow)`
    select company_id as "companyId", mode, ${id} as id, ${token} as claims, last_error as reason
    from ${table} where ${waiting} and due_at = 'infinity' order by ${id} limit $1`;
  const reviveSql = sql`
    update ${table} set due_at = statement_timestamp(), leased_until = null, ${token} = 0
    where company_id = $1 and ${id} = $2 and ${waiting} and due_at = 'infinity' returning company_id`;
  return {
    ...dueRows(rows, claimed),
    // An old row is repeated a hundred times, too: a person may have revived it.
    postpone: createPostponeRow(
      rows,
      (now) => sql`${token} >= 100 and ${createdAt} < ${now} - interval '100 days'`,
    ),
    listDead: async (tx) => await tx.query(deadSql, [maxDeadRows]),
    revive: async (tx, rowId) => (await tx.query(reviveSql, [tx.companyId, rowId])).length === 1,
  };
}

// Counts up the transaction numbers of a server, for rows that have numbers of another server. Must not: run inside a
// transaction.

import type { Sql } from './engine.ts';
import { statement, t } from './statements.ts';

/** Transactions in one statement: about a second, below the time limits that a user or a pooler may have. */
const atOnce = 50_000n;

const isReachedSql = statement({ isReached: t.bool })`
  select pg_snapshot_xmax(pg_current_snapshot()) >= $1::xid8 as "isReached"`;

/**
 * Counts until the next transaction has the number `goal` or a higher one. A transaction that takes a number and writes
 * nothing costs no flush: 80,000 a second were measured. Several processes may do it at once.
 */
export async function countTransactionsUpTo(sql: Sql, goal: bigint): Promise<void> {
  const step = `do $$
    begin
      for counted in 1..${atOnce} loop
        exit when pg_current_xact_id() >= '${goal - 1n}'::xid8;
        commit;
      end loop;
    end
    $$`;
  for (;;) {
    const [row] = await sql.query(isReachedSql, [String(goal)]);
    if (row?.isReached) return;
    // safe: two whole numbers. This statement takes no parameters, and runs outside of a transaction.
    await sql.query(step);
  }
}

// Raises the transaction counter of a server above the numbers that its rows have from another server. The feed and the
// sealing of events wait until the counter has passed a row's number. Must not: run inside a transaction.

import type { Sql } from './engine.ts';
import { statement, t } from './statements.ts';

/** Half a second of work: a server may have a time limit for statements. */
const numbersAtATime = 40_000;

const isReachedSql = statement({ isReached: t.bool })`
  select pg_snapshot_xmax(pg_current_snapshot()) > $1::xid8 as "isReached"`;

/** Returns when every later transaction has a higher number than `number`. */
export async function catchUpNumbers(sql: Sql, number: string): Promise<void> {
  if (!/^\d{1,20}$/.test(number)) throw new Error('not a transaction number');
  for (;;) {
    const [state] = await sql.query(isReachedSql, [number]);
    if (state?.isReached) return;
    // safe: digits, checked above, and a constant. A block takes no parameters.
    await sql.query(`do $$
      begin
        for i in 1..${numbersAtATime} loop
          exit when pg_current_xact_id() > '${number}'::xid8;
          commit;
        end loop;
      end
    $$`);
  }
}

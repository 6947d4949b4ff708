// How far two clocks are apart. Must not: count the time that reading them takes.

import type { Sql } from './engine.ts';
import { first, statement, t } from './statements.ts';

const readClockSql = statement({ now: t.timestamptz })`select clock_timestamp() as now`;

/** The clock of a server. */
export async function readClock(sql: Sql): Promise<Date> {
  const row = first(await sql.query(readClockSql));
  if (!row) throw new Error('a select without a table gave no row');
  return row.now;
}

/** How far a clock is from another one, which was read before and after it. */
export function skewOf(now: Date, other: { before: Date; after: Date }): number {
  const early = other.before.getTime() - now.getTime();
  const late = now.getTime() - other.after.getTime();
  return Math.max(0, early, late);
}

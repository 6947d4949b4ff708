// Copies the rows of a table from one database to another, as the text that PostgreSQL writes for a whole row: exact for
// every type, whatever the columns are. Must not: hold more than one batch in memory.

import type { Sql } from '../db/engine.ts';
import { type Settings, unlimitedSettings } from '../db/session-settings.ts';
import type { MovedTable } from './tables.ts';

const rowsAtATime = 500;

/** The server ends a transaction that waits longer than this for its source. */
const idleLimitMs = 10 * 60 * 1000;

/** The text of a value depends on them. */
const textSettings: Settings = { bytea_output: 'hex', extra_float_digits: '1', IntervalStyle: 'postgres' };

/** How both transactions of a move begin. */
export const copySettings = (kind: 'embedded' | 'server'): Settings => ({
  ...unlimitedSettings(kind),
  ...textSettings,
  ...(kind === 'server' ? { idle_in_transaction_session_timeout: String(idleLimitMs) } : {}),
});

/** Inside a transaction of each side. Returns the number of rows. */
export async function copyRows(from: Sql, into: Sql, { sqlName, columns }: MovedTable): Promise<number> {
  const list = columns.join(', ');
  let copied = 0;
  await from.query(
    // safe: the name comes from the catalogue, quoted by format().
    `declare moved_rows no scroll cursor for select moved_row::text as line from ${sqlName} as moved_row`,
  );
  for (;;) {
    // safe: a constant.
    const rows = await from.query(`fetch ${rowsAtATime} from moved_rows`);
    if (rows.length === 0) break;
    // safe: the names come from the catalogue, quoted by format() and quote_ident().
    await into.query(`insert into ${sqlName} (${list}) select ${list} from unnest($1::${sqlName}[])`, [
      rows.map(({ line }) => String(line)),
    ]);
    copied += rows.length;
  }
  await from.query('close moved_rows');
  return copied;
}

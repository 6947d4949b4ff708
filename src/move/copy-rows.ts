// Copies the rows of a table from one database to another, as the text that PostgreSQL writes for a whole row: exact for
// every type, whatever the columns are. Must not: hold more than one batch in memory.

import type { Sql } from '../db/engine.ts';
import { type Settings, unlimitedSettings } from '../db/session-settings.ts';
import type { MovedTable } from './tables.ts';

/** Bounds the memory of a copy. */
export const rowsAtATime = 500;

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

/** A database that lost its last commits at a power failure would lose everything after the source is closed. */
export async function flushCommit(sql: Sql): Promise<void> {
  await sql.query(
    "select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'",
  );
}

/** The rows of a table as texts, some at a time: those of one company, or all. Inside a transaction. */
export async function* readRows(
  from: Sql,
  { sqlName }: MovedTable,
  companyId: string | null = null,
): AsyncGenerator<string[]> {
  const own = companyId === null ? '' : 'where company_id = $1';
  await from.query(
    // safe: the name comes from the catalogue, quoted by format().
    `declare moved_rows no scroll cursor for select moved_row::text as line from ${sqlName} as moved_row ${own}`,
    companyId === null ? [] : [companyId],
  );
  for (;;) {
    // safe: a constant.
    const rows = await from.query(`fetch ${rowsAtATime} from moved_rows`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => String(line));
  }
  await from.query('close moved_rows');
}

/** Inside a transaction of each side. Returns the number of rows. */
export async function copyRows(from: Sql, into: Sql, table: MovedTable): Promise<number> {
  const list = table.columns.join(', ');
  let copied = 0;
  for await (const lines of readRows(from, table)) {
    // safe: the names come from the catalogue, quoted by format() and quote_ident().
    await into.query(
      `insert into ${table.sqlName} (${list}) select ${list} from unnest($1::${table.sqlName}[])`,
      [lines],
    );
    copied += lines.length;
  }
  return copied;
}

/** Inserts the rows of one company. Returns their number: it leaves out rows of another one. */
export async function insertRows(
  into: Sql,
  { sqlName, columns }: MovedTable,
  { companyId, lines }: { companyId: string; lines: readonly string[] },
): Promise<number> {
  const list = columns.join(', ');
  const added = await into.query(
    // safe: the names come from the catalogue, quoted by format() and quote_ident().
    `insert into ${sqlName} (${list}) select ${list} from unnest($1::${sqlName}[]) where company_id = $2
     returning true as added`,
    [lines, companyId],
  );
  return added.length;
}

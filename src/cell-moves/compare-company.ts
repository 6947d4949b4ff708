// Compares the rows of a company in the source and in the target, in two steps, because counting millions of rows takes
// longer than the company may be frozen.
//
// Before the freeze, all rows of each table up to a mark are counted on both sides, until the counts agree. During the freeze
// both sides have stopped, and small tables are compared whole, by a checksum; so are the rows of large ones from the mark on,
// with the last seal of the chain and the newest event. Marks are IDs or times that grow, so these are few; see
// test/cells/compare-marks.test.ts. What is changed below a mark meanwhile is not compared again: replication applies it in
// the order of commits, as everything else.
// The comparison finds what that does not promise: a table that is not published, a wrong filter, rows that were there before.

import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import type { Sql } from '../db/engine.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { statement, t } from '../db/statements.ts';
import { copySettings } from '../move/copy-rows.ts';
import type { MovedTable } from '../move/tables.ts';
import type { Cell } from './find-company.ts';

/** A table with fewer rows of the company is compared whole during the freeze. */
const smallRows = 2_000;
/** Rows are being removed in the source, by a purge, if the counts differ once. */
const counts = 20;
const countPauseMs = 500;

/** How the rows of a table are compared during the freeze. */
export type TablePlan = {
  name: string;
  sqlName: string;
  /** Rows of the company up to the mark. */
  rows: number;
  /** Rows from this value on are compared; null: all rows. */
  tail: (Mark & { mark: string }) | null;
};

const KeyColumns = { name: t.text, columns: t.array(t.text), types: t.array(t.text) };

const listKeysSql = statement(KeyColumns)`
  select c.relname::text as name,
         array(select quote_ident(a.attname) from unnest(i.indkey) with ordinality as k (attnum, place)
               join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place) as columns,
         array(select format_type(a.atttypid, a.atttypmod) from unnest(i.indkey) with ordinality as k (attnum, place)
               join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place) as types
  from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relnamespace = 'public'::regnamespace
  order by c.relname`;

/** What the rows of a large table are compared from. */
export type Mark = { column: string; type: string; afterMode: boolean };

/** Their keys begin with an account and a connection, and a single one may have all rows. */
const timeMarks: Readonly<Record<string, string>> = {
  idempotency_keys: 'created_at',
  processor_notices: 'received_at',
};

/** Compared whole, however large: each currency has a fixed number of rows, and payments change all of them. */
const wholeTables: ReadonlySet<string> = new Set(['ledger_totals']);

/** The mark of each table: a time, or else the first column of its key after the company and the mode. */
export async function readMarks(sql: Sql): Promise<Map<string, Mark>> {
  const marks = new Map<string, Mark>();
  for (const { name, columns, types } of await sql.query(listKeysSql)) {
    const place = columns[1] === 'mode' ? 2 : 1;
    const [column, type] = [columns[place], types[place]];
    if (columns[0] === 'company_id' && column && type && column !== 'mode' && !wholeTables.has(name))
      marks.set(name, { column, type, afterMode: place === 2 });
  }
  for (const [name, column] of Object.entries(timeMarks))
    marks.set(name, { column, type: 'timestamptz', afterMode: false });
  return marks;
}

/** A short transaction for each table, which may take its time. */
const inReading = async <T>(sql: Sql, work: () => Promise<T>): Promise<T> =>
  await inOwnTransaction(sql, { settings: copySettings('server') }, work);

async function planTable(
  sql: Sql,
  { name, sqlName }: MovedTable,
  { companyId, mark: by }: { companyId: string; mark: Mark | undefined },
): Promise<TablePlan> {
  const [row] = await sql.query(
    // safe: the names come from the catalogue, quoted by format() and quote_ident().
    `select ${by ? `max(${by.column})::text` : 'null'} as mark, count(*)::text as rows from ${sqlName}
     where company_id = $1`,
    [companyId],
  );
  const [rows, mark] = [Number(row?.rows), row?.mark == null ? null : String(row.mark)];
  return { name, sqlName, rows, tail: !by || mark === null || rows < smallRows ? null : { ...by, mark } };
}

async function countRows(sql: Sql, { sqlName, tail }: TablePlan, companyId: string): Promise<number> {
  if (!tail) return 0;
  const [row] = await sql.query(
    // safe: the names come from the catalogue, quoted by format() and quote_ident().
    `select count(*)::text as rows from ${sqlName} where company_id = $1 and ${tail.column} <= $2::${tail.type}`,
    [companyId, tail.mark],
  );
  return Number(row?.rows);
}

type Sides = { source: Sql; target: Sql };

/** Counts the rows of a table up to its mark on both sides, until they agree. Returns their number. */
async function countOnBothSides(
  { source, target }: Sides,
  { companyId, plan }: { companyId: string; plan: TablePlan },
): Promise<number> {
  const count = async (sql: Sql) => await inReading(sql, async () => await countRows(sql, plan, companyId));
  for (let tried = 1; ; tried += 1) {
    const [ours, theirs] = await Promise.all([count(source), count(target)]);
    if (ours === theirs) return ours;
    if (tried === counts) throw differs(plan.name, `${ours} rows; copied: ${theirs}`);
    await pause(countPauseMs);
  }
}

/**
 * Before the freeze: counts the rows of large tables on both sides, until they agree. Returns how the freeze compares the
 * rest. Throws an OperatorError that names a table whose counts do not get equal.
 */
export async function countCompany(
  { source, target }: { source: Cell; target: Cell },
  { companyId, tables }: { companyId: string; tables: readonly MovedTable[] },
): Promise<TablePlan[]> {
  const plans: TablePlan[] = [];
  await source.db.withConnection(async (ours) => {
    const marks = await readMarks(ours);
    await target.db.withConnection(async (theirs) => {
      for (const table of tables) {
        const mark = marks.get(table.name);
        const plan = await inReading(ours, async () => await planTable(ours, table, { companyId, mark }));
        const sides = { source: ours, target: theirs };
        plans.push(plan.tail ? { ...plan, rows: await countOnBothSides(sides, { companyId, plan }) } : plan);
      }
    });
  });
  return plans;
}

/** The copy of a table differs. */
export class CopyDiffersError extends OperatorError {
  override readonly name = 'CopyDiffersError';
}

const differs = (table: string, what: string) =>
  new CopyDiffersError(
    `The copy of the table ${table} differs from the original (${what}), so the company stays where it is.`,
  );

/** One statement for all tables: each needs its own time on the way. */
function summaryOf(plans: readonly TablePlan[]): { text: string; marks: string[] } {
  const marks: string[] = [];
  const parts = plans.map(({ name, sqlName, tail }) => {
    // Only with the mode the index leads to the rows.
    const modes = tail?.afterMode ? "and mode in ('test', 'live')" : '';
    // safe: the names come from the catalogue, quoted by format() and quote_ident().
    const from = tail
      ? `${modes} and ${tail.column} >= $${marks.push(tail.mark) + 1}::text::${tail.type}`
      : '';
    // safe: the same; a table's name has no quote.
    return `select '${name}' as name, count(*)::text as rows, coalesce(sum(
        ('x' || left(encode(sha256(convert_to(moved_row::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as checksum
      from ${sqlName} as moved_row where company_id = $1 ${from}`;
  });
  return { text: parts.join(' union all '), marks };
}

/**
 * During the freeze, in a transaction of each side: compares small tables whole, and the others from their marks on. Throws an
 * OperatorError that names a table that differs.
 */
export async function compareFrozen(
  { source, target }: Sides,
  { companyId, plans }: { companyId: string; plans: readonly TablePlan[] },
): Promise<void> {
  const { text, marks } = summaryOf(plans);
  const summarise = async (sql: Sql) => {
    // A table that was just filled has no statistics, and would be read whole.
    await sql.query("select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)");
    const rows = await sql.query(text, [companyId, ...marks]);
    return new Map(rows.map((row) => [String(row.name), `${row.rows} rows, checksum ${row.checksum}`]));
  };
  const [ours, theirs] = await Promise.all([summarise(source), summarise(target)]);
  for (const [name, summary] of ours)
    if (theirs.get(name) !== summary) throw differs(name, `${summary}; copied: ${theirs.get(name)}`);
}

// The tables of a database as its catalogue describes them: what a move copies, in which order, and how it opens the
// target's tables to their owner. Must not: know a table by name, except those that a move treats differently.

import { OperatorError } from '../base/operator-error.ts';
import type { Sql } from '../db/engine.ts';
import { type RowOf, statement, t } from '../db/statements.ts';

const TableRow = {
  name: t.text,
  /** Qualified and quoted, for a statement. */
  sqlName: t.text,
  /** The quoted names of the columns that are stored as they were written; the others are computed from them. */
  columns: t.array(t.text),
  /** All columns with their types. Rows as text depend on it. */
  shape: t.text,
  /** The tables that must be filled first. */
  references: t.array(t.text),
  isForced: t.bool,
  isOwned: t.bool,
};
export type MovedTable = RowOf<typeof TableRow>;

const listTablesSql = statement(TableRow)`
  select c.relname::text as name, format('%I.%I', 'public', c.relname) as "sqlName",
         array(select quote_ident(a.attname) from pg_attribute a
               where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
               order by a.attnum) as columns,
         coalesce((select string_agg(concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
                                               nullif(a.attgenerated::text, '')), ', ' order by a.attnum)
                   from pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '') as shape,
         array(select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
               where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as references,
         c.relforcerowsecurity as "isForced", pg_has_role(c.relowner, 'usage') as "isOwned"
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`;

/** They describe the database itself: both sides have their own. The base of event numbers fits the server that counts. */
const keptTables: ReadonlySet<string> = new Set(['schema_migrations', 'database_moves', 'event_numbers']);

/** A migration fills them, so an empty database has rows in them. The moved rows replace these. */
export const filledByMigrations: ReadonlySet<string> = new Set(['seal_progress', 'payment_word_progress']);

/** The tables whose rows are moved. */
export async function listMovedTables(sql: Sql): Promise<MovedTable[]> {
  const tables = await sql.query(listTablesSql);
  return tables.filter(({ name }) => !keptTables.has(name));
}

/**
 * Who was signed in signs in again: the sessions of one installation open nothing in another. The request log is of calls to
 * this installation; each further call would change it between the export and the removal.
 */
const leftOut: ReadonlySet<string> = new Set(['sessions', 'browser_sessions', 'api_requests']);

/** The tables with rows of companies, in the order in which they can be filled. */
export function tablesOfCompanies(tables: readonly MovedTable[]): MovedTable[] {
  return sortByReferences(tables.filter(({ columns }) => columns.includes('company_id')));
}

/** Those of them whose rows are exported. */
export function exportedTables(tables: readonly MovedTable[]): MovedTable[] {
  return tablesOfCompanies(tables).filter(({ name }) => !leftOut.has(name));
}

/** The names of all tables in the schema `public`. */
export async function listTableNames(sql: Sql): Promise<string[]> {
  return (await sql.query(listTablesSql)).map(({ name }) => name);
}

/** Sorts tables so that each comes after those that it references. */
export function sortByReferences(tables: readonly MovedTable[]): MovedTable[] {
  const sorted: MovedTable[] = [];
  const done = new Set<string>();
  let waiting = [...tables];
  while (waiting.length > 0) {
    const isReady = ({ references }: MovedTable) => references.every((name) => done.has(name));
    const ready = waiting.filter(isReady);
    if (ready.length === 0) throw new Error(`circular references: ${waiting.map(({ name }) => name)}`);
    for (const table of ready) done.add(table.name);
    sorted.push(...ready);
    waiting = waiting.filter(({ name }) => !done.has(name));
  }
  return sorted;
}

/** Throws an OperatorError if rows as text of one side could mean something else on the other. */
export function requireSameTables(source: readonly MovedTable[], target: readonly MovedTable[]): void {
  const shapes = new Map(target.map(({ name, shape }) => [name, shape]));
  const names = new Set([...source, ...target].map(({ name }) => name));
  const ofSource = new Map(source.map(({ name, shape }) => [name, shape]));
  const different = [...names].filter((name) => ofSource.get(name) !== shapes.get(name)).sort();
  if (different.length === 0) return;
  throw new OperatorError(
    `The tables of the two databases differ (${different.join(', ')}): create an empty database for the move, and ` +
      'use the same version of Paylink for both.',
  );
}

/** Throws an OperatorError if the user cannot copy into a table. */
export function requireOwnTables(tables: readonly MovedTable[]): void {
  const foreign = tables.filter(({ isOwned }) => !isOwned).map(({ name }) => name);
  if (foreign.length === 0) return;
  const shown = foreign.length > 3 ? [...foreign.slice(0, 3), '…'] : foreign;
  throw new OperatorError(
    `The database user does not own these tables of the target: ${shown.join(', ')}. Connect as the user that owns ` +
      'the database, as "Setting up PostgreSQL" in docs/operations.md describes.',
  );
}

/**
 * Lets the owner write all rows of the tables, and no trigger add rows that the source has already. In a transaction that
 * has locked the tables, so nobody else ever sees them like this.
 */
export async function openTables(sql: Sql, tables: readonly MovedTable[]): Promise<void> {
  for (const { sqlName, isForced } of tables) {
    // safe: the name comes from the catalogue, quoted by format().
    if (isForced) await sql.query(`alter table ${sqlName} no force row level security`);
    // safe: the same.
    await sql.query(`alter table ${sqlName} disable trigger user`);
  }
}

/** Undoes `openTables`. */
export async function closeTables(sql: Sql, tables: readonly MovedTable[]): Promise<void> {
  // A table with unchecked constraints cannot be altered.
  await sql.query('set constraints all immediate');
  for (const { sqlName, isForced } of tables) {
    // safe: the name comes from the catalogue, quoted by format().
    await sql.query(`alter table ${sqlName} enable trigger user`);
    // safe: the same.
    if (isForced) await sql.query(`alter table ${sqlName} force row level security`);
  }
}

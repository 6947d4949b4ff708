// All SQL of a cell: what the database is, and which companies are at home in it. One exported function per statement.

import type { SystemTx } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { hasTable } from '../db/inspect-database.ts';
import { CompanyUnavailableError } from '../db/outage.ts';
import { first, type RowOf, sql, statement, t } from '../db/statements.ts';

export const ThisCell = {
  name: t.text,
  databaseId: t.computed('database_id::text', t.text),
  installationId: t.computed('installation_id::text', t.text),
  /** Whether the directory of the installation is in this database. */
  isDirectory: t.bool,
};
export type ThisCell = RowOf<typeof ThisCell>;

const findThisCellSql = statement(ThisCell)`select ${ThisCell} from this_cell`;

/** What this database is; null if it is no cell, also before its migrations. */
export async function findThisCell(sql: Sql): Promise<ThisCell | null> {
  if (!(await hasTable(sql, 'this_cell'))) return null;
  return first(await sql.query(findThisCellSql));
}

/** As the owner of the tables. */
export async function insertThisCell(sql: Sql, cell: ThisCell): Promise<void> {
  await sql.query(
    `insert into this_cell (name, database_id, installation_id, is_directory)
     values ($1, $2::uuid, $3::uuid, $4)`,
    [cell.name, cell.databaseId, cell.installationId, cell.isDirectory],
  );
}

/** Gives this cell another identity. As the owner of the tables. */
export async function updateDatabaseId(sql: Sql, databaseId: string): Promise<void> {
  await sql.query('update this_cell set database_id = $1::uuid', [databaseId]);
}

const listUnhidingSql = statement({ name: t.text })`select tables_without_at_home()::text as name`;

/** The tables that show the system role companies that are not at home. As the owner of the tables. */
export async function listUnhidingTables(sql: Sql): Promise<string[]> {
  return (await sql.query(listUnhidingSql)).map(({ name }) => name);
}

/** Hides them in one of these tables, which is locked for a moment. As the owner of the tables. */
export async function hideCompaniesElsewhere(sql: Sql, table: string): Promise<void> {
  await sql.query('select hide_companies_elsewhere($1::text::name)', [table]);
}

/** From now on, a transaction of a company must enter it. As the owner of the tables. */
export async function requireEntry(sql: Sql): Promise<void> {
  await sql.query('select require_entry()');
}

const enterCompaniesSql = statement({ companyId: t.text })`select enter_companies($1) as "companyId"`;

/** Those of some companies that are at home, and that no move takes away until the transaction ends. */
export async function enterCompanies(tx: SystemTx, companyIds: readonly string[]): Promise<string[]> {
  return (await tx.query(enterCompaniesSql, [companyIds])).map(({ companyId }) => companyId);
}

export const CompanyRecord = {
  companyId: t.computed('company', t.text),
  status: t.oneOf('home', 'arriving', 'gone'),
  /** The cell that it comes from, or went to; null at home. */
  otherCell: t.nullable(t.text),
  /** `readTimeline` of the other cell when a move was decided here; null once its rows here are being removed. */
  otherTimeline: t.nullable(t.text),
  /**
   * Grows with each change while the row exists, so that a decision about one arrival is never carried out for a later one. A
   * row that was deleted and inserted again begins at the current time.
   */
  generation: t.computed('extract(epoch from changed_at)::text', t.text),
};
export type CompanyRecord = RowOf<typeof CompanyRecord>;

/** The time of a change. Two changes of a row never have the same while the row exists. */
const nextChange = "greatest(statement_timestamp(), company_homes.changed_at + interval '1 microsecond')";

const findRecordSql = statement(CompanyRecord)`select ${CompanyRecord} from company_homes where company = $1`;

/** What a cell knows of a company; null if it was never there. */
export async function findRecord(tx: SystemTx, companyId: string): Promise<CompanyRecord | null> {
  return first(await tx.query(findRecordSql, [companyId]));
}

/** A new company is at home. Nothing changes if the cell knows it. */
export async function insertHome(tx: SystemTx, companyId: string): Promise<void> {
  await tx.query(
    "insert into company_homes (company, status) values ($1, 'home') on conflict (company) do nothing",
    [companyId],
  );
}

/**
 * The company is at home in another cell, and its rows here are not needed. The row stays, because a process may remember that
 * the company was here once. False, and nothing changes, if it is at home here; what another transaction is writing is waited
 * for. As the owner of the tables.
 */
export async function markGone(sql: Sql, companyId: string, home: string): Promise<boolean> {
  const rows = await sql.query(
    // safe: a constant.
    `insert into company_homes (company, status, other_cell) values ($1, 'gone', $2)
     on conflict (company) do update
       set status = 'gone', other_cell = excluded.other_cell, other_timeline = null, changed_at = ${nextChange}
       where company_homes.status <> 'home'
     returning company`,
    [companyId, home],
  );
  return rows.length === 1;
}

/** What a cell knows of a company that is in no cell any more. As the owner of the tables. */
export async function deleteGone(sql: Sql, companyId: string): Promise<void> {
  await sql.query("delete from company_homes where company = $1 and status = 'gone'", [companyId]);
}

const thisTimeline = sql`concat((select database_id from this_cell), ' ', left(pg_walfile_name(pg_current_wal_lsn()), 8))`;

const readTimelineSql = statement({ timeline: t.nullable(t.text) })`
  select case when not pg_is_in_recovery() then ${thisTimeline} end as timeline`;

/**
 * The timeline of a cell: its identity, which a restore renews, and that of its server, which the promotion of a standby
 * changes. Throws CompanyUnavailableError if the server is not promoted yet.
 */
export async function readTimeline(sql: Sql): Promise<string> {
  const timeline = first(await sql.query(readTimelineSql))?.timeline;
  if (!timeline) throw new CompanyUnavailableError('the server of the cell is not promoted yet');
  return timeline;
}

/**
 * The last step of a move: the company is at home where it was arriving. Changes nothing if this arrival has ended, or if the
 * server is not on the timeline of the decision: a standby that was promoted since may lack rows.
 */
export async function settleArrival(
  tx: SystemTx,
  { companyId, generation }: CompanyRecord,
  timeline: string | null,
): Promise<void> {
  await tx.query(
    // safe: constants.
    `update company_homes set status = 'home', other_cell = null, changed_at = ${nextChange}
     where company = $1 and status = 'arriving' and extract(epoch from changed_at)::text = $2 and ${thisTimeline} = $3`,
    [companyId, generation, timeline],
  );
}

/** Of a company that was removed. As the owner of the tables. */
export async function deleteHome(sql: Sql, companyId: string): Promise<void> {
  await sql.query('delete from company_homes where company = $1', [companyId]);
}

/** All companies of the database are at home. As its owner, who may not see companies: the system role does. */
export async function insertAllHomes(sql: Sql): Promise<void> {
  await sql.query('set local role paylink_system');
  await sql.query("insert into company_homes (company, status) select company_id, 'home' from companies");
  await sql.query('reset role');
}

/** Its rows are being copied here from another cell. As the owner of the tables. Changes nothing if it is at home here. */
export async function insertArrival(sql: Sql, companyId: string, from: string): Promise<void> {
  await sql.query(
    // safe: a constant.
    `insert into company_homes (company, status, other_cell) values ($1, 'arriving', $2)
     on conflict (company) do update
       set status = 'arriving', other_cell = excluded.other_cell, other_timeline = null, changed_at = ${nextChange}
       where company_homes.status <> 'home'`,
    [companyId, from],
  );
}

/** Locks what a cell knows of a company until the transaction ends. */
export async function lockRecord(sql: Sql, companyId: string): Promise<CompanyRecord | null> {
  return first(await sql.query(lockRecordSql, [companyId]));
}

const lockRecordSql = statement(CompanyRecord)`
  select ${CompanyRecord} from company_homes where company = $1 for update`;

/**
 * The decision of a move, in the source: the company is at home in another cell from the commit on. `timeline`: of the server
 * there. False if it is not at home here.
 */
export async function leaveHome(
  sql: Sql,
  companyId: string,
  { to, timeline }: { to: string; timeline: string },
): Promise<boolean> {
  const rows = await sql.query(
    // safe: a constant.
    `update company_homes set status = 'gone', other_cell = $2, other_timeline = $3, changed_at = ${nextChange}
     where company = $1 and status = 'home' returning company`,
    [companyId, to, timeline],
  );
  return rows.length === 1;
}

/** Takes a decision back that nobody can carry out any more. False if it has changed, or rows are being removed here. */
export async function returnHome(sql: Sql, { companyId, generation }: CompanyRecord): Promise<boolean> {
  const rows = await sql.query(
    // safe: a constant.
    `update company_homes set status = 'home', other_cell = null, other_timeline = null, changed_at = ${nextChange}
     where company = $1 and other_timeline is not null and extract(epoch from changed_at)::text = $2 returning company`,
    [companyId, generation],
  );
  return rows.length === 1;
}

const listArrivalsSql = statement(CompanyRecord)`
  select ${CompanyRecord} from company_homes where status = 'arriving' order by company`;

/** The companies that arrive in a cell. They are few: each keeps a replication slot. */
export async function listArrivals(tx: SystemTx): Promise<CompanyRecord[]> {
  return await tx.query(listArrivalsSql);
}

/** Whether the database knows a company that is, or was before its move ended, in another cell. */
export async function hasAnyElsewhere(tx: SystemTx): Promise<boolean> {
  return (await tx.query("select 1 as one from company_homes where status <> 'home' limit 1")).length > 0;
}

const listRecordsSql = statement(CompanyRecord)`
  select ${CompanyRecord} from company_homes where company > $1 order by company limit 1000`;

/** What a cell knows of companies, in the order of their IDs, after one of them; 1,000 at most. */
export async function listRecords(sql: Sql, after: string): Promise<CompanyRecord[]> {
  return await sql.query(listRecordsSql, [after]);
}

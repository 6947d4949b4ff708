// All SQL of the directory of an installation with several cells: its cells, which cell each company is in, and which account
// each email address belongs to. One exported function per statement. Must not: decide where a company is at home; its cell does.

import type { SystemTx, TenantTx } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';

export const CellRow = {
  name: t.text,
  databaseId: t.computed('database_id::text', t.text),
  weight: t.int4,
  /** Whether all its companies and addresses are in the directory. */
  isListed: t.bool,
};
export type CellRow = RowOf<typeof CellRow>;

const listCellsSql = statement(CellRow)`select ${CellRow} from cells order by added_at, name`;

/** The cells of the installation, in the order in which they were added. */
export async function listCells(sql: Sql): Promise<CellRow[]> {
  return await sql.query(listCellsSql);
}

/** As the owner of the tables. */
export async function insertCell(sql: Sql, cell: Omit<CellRow, 'isListed'>): Promise<void> {
  await sql.query('insert into cells (name, database_id, weight) values ($1, $2::uuid, $3)', [
    cell.name,
    cell.databaseId,
    cell.weight,
  ]);
}

/** All companies and addresses of the cell are in the directory. As the owner of the tables. */
export async function markListed(sql: Sql, name: string): Promise<void> {
  await sql.query('update cells set is_listed = true where name = $1', [name]);
}

/** As the owner of the tables. False if there is no such cell. */
export async function updateWeight(sql: Sql, name: string, weight: number): Promise<boolean> {
  const rows = await sql.query('update cells set weight = $2 where name = $1 returning name', [name, weight]);
  return rows.length === 1;
}

/** The database of a cell is another one, such as a restored one. As the owner of the tables. */
export async function updateDatabaseIdOf(sql: Sql, name: string, databaseId: string): Promise<void> {
  await sql.query('update cells set database_id = $2::uuid where name = $1', [name, databaseId]);
}

const findCellSql = statement({ cell: t.text })`select cell from company_cells where company = $1`;

/** The name of the cell that a company is in; null if it is unknown. */
export async function findCellOf(tx: SystemTx, companyId: string): Promise<string | null> {
  return first(await tx.query(findCellSql, [companyId]))?.cell ?? null;
}

const listPlacedSql = statement({ companyId: t.text })`
  select company as "companyId" from company_cells where company > $1 order by company limit $2`;

/** The companies that have a place, in the order of their IDs, after one of them. Of one that does not exist, a place may be left. */
export async function listPlacedCompanies(tx: SystemTx, after: string, limit: number): Promise<string[]> {
  return (await tx.query(listPlacedSql, [after, limit])).map(({ companyId }) => companyId);
}

const CellCount = { cell: t.text, companies: t.int4 };

const countCompaniesSql = statement(CellCount)`
  select cell, count(*)::integer as companies from company_cells group by cell`;

/** How many companies each cell has; cells without any are left out. */
export async function countCompanies(sql: Sql): Promise<RowOf<typeof CellCount>[]> {
  return await sql.query(countCompaniesSql);
}

/** Writes where a company is, whatever was known before. */
export async function saveCellOf(tx: SystemTx, companyId: string, cell: string): Promise<void> {
  await tx.query(
    `insert into company_cells (company, cell) values ($1, $2)
     on conflict (company) do update set cell = excluded.cell where company_cells.cell <> excluded.cell`,
    [companyId, cell],
  );
}

export async function deleteCellOf(tx: SystemTx, companyId: string): Promise<void> {
  await tx.query('delete from company_cells where company = $1', [companyId]);
}

export const DirectoryLogin = {
  companyId: t.computed('company', t.text),
  accountId: t.text,
  /** Whether it was claimed longer ago than any request takes. */
  isOld: t.computed("claimed_at < statement_timestamp() - interval '10 minutes'", t.bool),
};
export type DirectoryLogin = RowOf<typeof DirectoryLogin>;

const findLoginSql = statement(
  DirectoryLogin,
)`select ${DirectoryLogin} from directory_logins where email = $1`;

export async function findDirectoryLogin(tx: SystemTx, email: string): Promise<DirectoryLogin | null> {
  return first(await tx.query(findLoginSql, [email]));
}

const ListedLogin = { email: t.text, ...DirectoryLogin };

const findLoginsSql = statement(ListedLogin)`
  select ${ListedLogin} from directory_logins where email = any($1)`;

export async function findDirectoryLogins(
  tx: SystemTx,
  emails: readonly string[],
): Promise<RowOf<typeof ListedLogin>[]> {
  return await tx.query(findLoginsSql, [emails]);
}

export async function hasDirectoryLogin(tx: SystemTx): Promise<boolean> {
  return (await tx.query('select 1 as one from directory_logins limit 1')).length > 0;
}

export type NewDirectoryLogin = { email: string; companyId: string; accountId: string };

const Claim = { claimedAt: t.timestamptz };
export type Claim = RowOf<typeof Claim>;

const insertLoginSql = statement(Claim)`
  insert into directory_logins (email, company, account_id) values ($1, $2, $3)
  on conflict (email) do nothing returning ${Claim}`;

/** Claims an address in lower case. Null if it is claimed already, also by the same account. */
export async function insertDirectoryLogin(tx: SystemTx, login: NewDirectoryLogin): Promise<Claim | null> {
  return first(await tx.query(insertLoginSql, [login.email, login.companyId, login.accountId]));
}

const isFreshSql = statement({ isFresh: t.bool })`
  select $1::timestamptz > statement_timestamp() - interval '5 minutes' as "isFresh"`;

/**
 * Whether a claim is younger than half of the time after which others may take it over. By the clock of the cell, because that
 * of the process may stand still, such as on a machine that was suspended.
 */
export async function isFreshClaim(tx: TenantTx, { claimedAt }: Claim): Promise<boolean> {
  return first(await tx.query(isFreshSql, [claimedAt]))?.isFresh === true;
}

const replaceLoginSql = statement(Claim)`
  update directory_logins set company = $2, account_id = $3, claimed_at = statement_timestamp()
  where email = $1 and company = $4 and account_id = $5
    and claimed_at < statement_timestamp() - interval '10 minutes'
  returning ${Claim}`;

/** Gives an address to another account. Null if it is no longer that of the account `from`, or was claimed again. */
export async function replaceDirectoryLogin(
  tx: SystemTx,
  { from, to }: { from: DirectoryLogin; to: NewDirectoryLogin },
): Promise<Claim | null> {
  return first(
    await tx.query(replaceLoginSql, [to.email, to.companyId, to.accountId, from.companyId, from.accountId]),
  );
}

/** Claims addresses again that the company has in the directory already. Returns those that it has. */
export async function renewDirectoryLogins(
  tx: SystemTx,
  companyId: string,
  logins: readonly NewDirectoryLogin[],
): Promise<string[]> {
  const rows = await tx.query(renewLoginsSql, [
    companyId,
    logins.map(({ email }) => email),
    logins.map(({ accountId }) => accountId),
  ]);
  return rows.map(({ email }) => email);
}

const renewLoginsSql = statement({ email: t.text })`
  update directory_logins as listed set account_id = given.account_id, claimed_at = statement_timestamp()
  from unnest($2::text[], $3::text[]) as given(email, account_id)
  where listed.email = given.email and listed.company = $1
  returning listed.email`;

/** Frees the addresses of an account. */
export async function deleteDirectoryLogins(
  tx: SystemTx,
  { companyId, accountId }: { companyId: string; accountId: string },
): Promise<void> {
  await tx.query('delete from directory_logins where company = $1 and account_id = $2', [
    companyId,
    accountId,
  ]);
}

/** Frees all addresses of a company. */
export async function deleteLoginsOfCompany(tx: SystemTx, companyId: string): Promise<void> {
  await tx.query('delete from directory_logins where company = $1', [companyId]);
}

/** Writes companies and addresses of a cell. What is there stays. */
export async function insertPlaces(
  tx: SystemTx,
  {
    cell,
    companyIds,
    logins,
  }: { cell: string; companyIds: readonly string[]; logins: readonly NewDirectoryLogin[] },
): Promise<void> {
  await tx.query(
    'insert into company_cells (company, cell) select company, $1 from unnest($2::text[]) as company on conflict do nothing',
    [cell, companyIds],
  );
  await tx.query(
    `insert into directory_logins (email, company, account_id)
     select email, company, account_id from unnest($1::text[], $2::text[], $3::text[]) as login(email, company, account_id)
     on conflict do nothing`,
    [
      logins.map(({ email }) => email),
      logins.map(({ companyId }) => companyId),
      logins.map(({ accountId }) => accountId),
    ],
  );
}

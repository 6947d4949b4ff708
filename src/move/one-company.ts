// What the import and the removal of one company have in common: the owner of the tables works on the rows of that company,
// under row-level security, with tables that are those of the file. Must not: change a row.

import { OperatorError } from '../base/operator-error.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { statement, t } from '../db/statements.ts';
import type { CompanyFileHeader } from './company-file.ts';
import { readLastMigration } from './export-company.ts';
import type { MovedTable } from './tables.ts';

/** The owner may write the rows of this company until the transaction ends. A superuser may write all. */
export async function seeCompany(sql: Sql, companyId: string): Promise<void> {
  await sql.query(
    "select set_config('paylink.company_id', $1, true), set_config('paylink.mode', 'test,live', true)",
    [companyId],
  );
}

/** The same in a cell, where a company is entered; see migrations/0055_cells.sql. */
export async function seeCompanyOf(cell: Pick<Database, 'cell'>, sql: Sql, companyId: string): Promise<void> {
  await seeCompany(sql, companyId);
  if (cell.cell !== null) await sql.query('select enter_company($1)', [companyId]);
}

const readRightsSql = statement({
  userName: t.text,
  isBound: t.bool,
  lacksRights: t.bool,
  hasGrantOption: t.bool,
})`
  select quote_ident(rolname) as "userName", not (rolsuper or rolbypassrls) as "isBound",
         not pg_has_role(current_user, 'paylink_tenant', 'usage') as "lacksRights",
         current_setting('server_version_num')::int >= 160000 as "hasGrantOption"
  from pg_roles where rolname = current_user`;

/** Throws an OperatorError if row-level security keeps the user from the rows of a company. */
export async function requireTenantRights(sql: Sql): Promise<void> {
  const [rights] = await sql.query(readRightsSql);
  if (!rights?.isBound || !rights.lacksRights) return;
  const { userName, hasGrantOption } = rights;
  // safe: statements for the operator, which the program does not run.
  const remedy = hasGrantOption
    ? `grant paylink_tenant to ${userName} with inherit true;`
    : `alter role ${userName} inherit;`;
  throw new OperatorError(
    `The user ${userName} does not inherit the rights of paylink_tenant, which this command needs. Run once: ${remedy}`,
  );
}

/** Thrown if nobody knows whether a commit happened. */
export class UnknownCommitError extends OperatorError {}

/** The connection broke while the server was to commit. `sign` is what the command says if it runs again after a commit. */
export const unknownCommit = (
  companyId: string,
  { done, sign, cause }: { done: 'imported' | 'removed'; sign: string; cause: unknown },
): OperatorError =>
  new UnknownCommitError(
    `The commit got no answer, so it is unknown whether ${companyId} was ${done}. Run the command again: ` +
      `if it says that ${sign}, it was ${done}.`,
    { cause },
  );

const numberOf = (migration: string) => Number.parseInt(migration, 10);

/** Throws an OperatorError if the rows of the file belong to tables of another version. */
export async function requireSameSchema(
  sql: Sql,
  { header, tables, version }: { header: CompanyFileHeader; tables: readonly MovedTable[]; version: string },
): Promise<void> {
  const last = await readLastMigration(sql);
  const [theirs, ours] = [numberOf(header.lastMigration), numberOf(last)];
  const made = `The company was exported by Paylink ${header.version} (last migration ${header.lastMigration})`;
  if (theirs > ours)
    throw new OperatorError(
      `${made}, which is newer than this database (${last}): upgrade here to that version first.`,
    );
  if (theirs < ours)
    throw new OperatorError(
      `${made}, which is older than this database (${last}): upgrade the installation that it comes from to ` +
        `${version}, and export again.`,
    );
  const shapes = new Map(tables.map(({ name, shape }) => [name, shape]));
  const names = new Set([...shapes.keys(), ...header.tables.map(({ name }) => name)]);
  const exported = new Map(header.tables.map(({ name, shape }) => [name, shape]));
  const different = [...names].filter((name) => shapes.get(name) !== exported.get(name)).sort();
  if (different.length === 0) return;
  throw new OperatorError(
    `${made}, and the tables here differ (${different.join(', ')}): use the same version of Paylink in both installations.`,
  );
}

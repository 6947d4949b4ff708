// Removes a company that was exported, from the installation that it leaves: so nothing is sent or charged twice. Must not:
// remove anything that is not in the file, or a row of another company.

import type { Keyring } from '../base/keyring.ts';
import { OperatorError } from '../base/operator-error.ts';
import { deleteHome } from '../cells/home-store.ts';
import { type RequireLock, withCompanyLock } from '../cells/lock-company.ts';
import { forgetCompany } from '../cells/place-company.ts';
import { isStatementError } from '../db/connection.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { lockNotAvailable } from '../db/move-store.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { statement, t } from '../db/statements.ts';
import { type CheckedCompanyFile, type CompanyFileHeader, checkCompanyFile } from './company-file.ts';
import { copySettings, flushCommit } from './copy-rows.ts';
import {
  requireSameSchema,
  requireTenantRights,
  seeCompany,
  seeCompanyOf,
  unknownCommit,
} from './one-company.ts';
import { hasCompanyAnywhere } from './place-import.ts';
import { requireNoMove } from './require-no-move.ts';
import {
  exportedTables,
  listMovedTables,
  type MovedTable,
  requireOwnTables,
  tablesOfCompanies,
} from './tables.ts';
import { asTenant, describeSummary, summariseTable } from './verify-copy.ts';

export type RemoveDeps = { db: Database; keyring: Keyring; version: string };
export type RemoveSummary = { rows: number; exportedAt: string; sha256: string };

/** Another transaction wrote the same rows, added one that refers to them, or holds them for long. */
const changedMeanwhile = ['40001', '40P01', '23503', lockNotAvailable];

const hasChanged = (what: string, cause?: unknown) =>
  new OperatorError(
    `The company has changed since the export (${what}), so nothing was removed: export it again to another file. If it ` +
      'changes all the time, stop the service until the company is removed.',
    { cause },
  );

const lockCompanySql = statement({ companyId: t.text })`
  select company_id as "companyId" from companies where company_id = $1 for update`;

/**
 * Keeps requests of the company waiting while it is compared: events, and so most changes, refer to this row. What changes
 * anyway fails the deletion: by the snapshot of the transaction, or by a foreign key.
 */
async function lockCompany(sql: Sql, companyId: string): Promise<void> {
  await sql.query("set local lock_timeout = '5s'");
  const [company] = await sql.query(lockCompanySql, [companyId]);
  if (!company) throw new UnknownCompanyError(`There is no company ${companyId} in the database.`);
}

class UnknownCompanyError extends OperatorError {}

async function requireUnchanged(
  sql: Sql,
  { companyId, tables: exported }: CompanyFileHeader,
  tables: readonly MovedTable[],
): Promise<void> {
  const expected = new Map(exported.map((table) => [table.name, describeSummary(table)]));
  await asTenant(sql, companyId, async (tx) => {
    for (const table of tables) {
      const found = describeSummary(await summariseTable(tx, table, companyId));
      if (found !== expected.get(table.name)) throw hasChanged(table.name);
    }
  });
}

/** After the rows: what other databases know of the company. */
async function forgetRemoved(db: Database, companyId: string, requireLock: RequireLock): Promise<void> {
  try {
    // Without the lock, the company may have been imported again.
    await requireLock();
    await forgetCompany(db, companyId);
  } catch (error) {
    throw new OperatorError(
      `${companyId} was removed, but other databases may still know of it. Run the command again, until it says that there is ` +
        'no such company.',
      { cause: error },
    );
  }
}

/**
 * Removes the company of the file. Returns the number of rows, and what names the file. Throws an OperatorError: nothing was
 * removed, if it does not say otherwise.
 */
export async function removeCompany(
  deps: RemoveDeps,
  { companyId, path }: { companyId: string; path: string },
): Promise<RemoveSummary> {
  const header = await checkCompanyFile(path, deps.keyring);
  if (header.companyId !== companyId)
    throw new OperatorError(`The file ${path} has the company ${header.companyId}, not ${companyId}.`);
  return await withCompanyLock(deps.db, companyId, async (requireLock) => {
    await requireNoMove(deps.db, companyId, 'removed');
    const db = await deps.db.cellOf(companyId);
    const rows = await removeFrom(db, header, { ...deps, requireLock });
    await forgetRemoved(deps.db, companyId, requireLock);
    return { rows, exportedAt: header.exportedAt, sha256: header.sha256 };
  });
}

/** Removes the rows. Returns their number. */
async function removeFrom(
  db: Database,
  header: CheckedCompanyFile,
  { version, db: installation, requireLock }: RemoveDeps & { requireLock: RequireLock },
): Promise<number> {
  const { companyId } = header;
  const all = await listMovedTables(db.asOwner);
  await requireSameSchema(db.asOwner, { header, tables: exportedTables(all), version });
  const tables = tablesOfCompanies(all);
  requireOwnTables(tables);
  await requireTenantRights(db.asOwner);
  const opening = { settings: copySettings(db.kind), isolation: 'repeatable read' } as const;
  let isCommitting = false;
  const remove = async (sql: Sql) => {
    let rows = 0;
    await flushCommit(sql);
    await seeCompanyOf(db, sql, companyId);
    await lockCompany(sql, companyId);
    await requireUnchanged(sql, header, exportedTables(all));
    await seeCompany(sql, companyId);
    for (const { sqlName } of tables.toReversed()) {
      // safe: the name comes from the catalogue, quoted by format().
      const [removed] = await sql.query(
        `with removed as (delete from ${sqlName} where company_id = $1 returning true)
         select count(*)::int8 as count from removed`,
        [companyId],
      );
      rows += Number(removed?.count);
    }
    if (db.cell !== null) await deleteHome(sql, companyId);
    await requireLock();
    isCommitting = true;
    return rows;
  };
  try {
    return await db.withConnection(
      async (sql) => await inOwnTransaction(sql, opening, async () => await remove(sql)),
    );
  } catch (error) {
    // The command may have been interrupted before the directory was written.
    if (error instanceof UnknownCompanyError && !(await hasCompanyAnywhere(installation, companyId))) {
      await requireLock();
      await forgetCompany(installation, companyId);
    }
    if (isCommitting && !isStatementError(error))
      throw unknownCommit(companyId, { done: 'removed', sign: 'there is no such company', cause: error });
    if (!(error instanceof Error && 'code' in error && changedMeanwhile.includes(String(error.code))))
      throw error;
    throw hasChanged('somebody uses it now', error);
  }
}

// Exports the rows of one company to a file, as of one moment, while the service runs. Must not: write a row of another
// company, a session, or a key.

import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Database, TenantTx } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { listUnprotectedTables } from '../db/inspect-database.ts';
import { listKeyChecks } from '../db/key-check-store.ts';
import { setLocal } from '../db/session-settings.ts';
import { statement, t } from '../db/statements.ts';
import { endOfNumbers, readEventNumbers } from '../events/event-numbers.ts';
import { type CompanyFileHeader, type ExportedTable, writeCompanyFile } from './company-file.ts';
import { copySettings, readRows } from './copy-rows.ts';
import { exportedTables, listMovedTables, type MovedTable } from './tables.ts';
import { findFaultsOf, summariseTable } from './verify-copy.ts';

export type ExportDeps = { db: Database; keyring: Keyring; clock: Clock; version: string };
export type ExportSummary = {
  rows: number;
  tables: number;
  faults: readonly string[];
  exportedAt: string;
  /** Of the file without its last line. */
  sha256: string;
};

/**
 * Cursors that clients get between the export and the import may have later numbers: this many transactions of all companies
 * may run meanwhile.
 */
const numbersMeanwhile = 1_000_000_000n;

const hasCompanySql = statement({ found: t.bool })`
  select exists (select from companies where company_id = $1) as found`;

/** In a scope that sees the company, or in `inSystem`. */
export async function hasCompany(sql: Sql, companyId: string): Promise<boolean> {
  const [company] = await sql.query(hasCompanySql, [companyId]);
  return company?.found ?? false;
}

const readLastMigrationSql = statement({ name: t.text })`
  select lpad(version::text, 4, '0') || '_' || name as name from schema_migrations order by version desc limit 1`;

/** The last migration of a database, such as `0035_import`. */
export async function readLastMigration(sql: Sql): Promise<string> {
  const [migration] = await sql.query(readLastMigrationSql);
  return migration?.name ?? '';
}

/** Throws an OperatorError if the database would not keep the rows of companies apart. */
async function requireProtectedTables(db: Database): Promise<void> {
  const names = await listUnprotectedTables(db.asOwner);
  if (names.length === 0) return;
  throw new OperatorError(
    `Row-level security does not protect the tables ${names.join(', ')}, so the rows of other companies might be ` +
      'exported, too: restore it, as schema.sql has it, before you export.',
  );
}

async function readHeader(
  { db, keyring, clock, version }: ExportDeps,
  companyId: string,
): Promise<Omit<CompanyFileHeader, 'faults' | 'tables'>> {
  const end = endOfNumbers(await db.inSystem(readEventNumbers));
  const keyIds = (await db.inSystem(listKeyChecks)).map(({ keyId }) => keyId);
  return {
    companyId,
    exportedAt: clock.now().toISOString(),
    version,
    lastMigration: await readLastMigration(db.asOwner),
    // Until a change of the key has ended, secrets may be encrypted with the old one.
    keyIds: [...new Set([...keyIds, keyring.keyId, ...(keyring.oldKeyId ? [keyring.oldKeyId] : [])])],
    number: String(end + numbersMeanwhile),
  };
}

async function summarise(tx: TenantTx, tables: readonly MovedTable[]): Promise<ExportedTable[]> {
  const summaries: ExportedTable[] = [];
  for (const table of tables) {
    const summary = await summariseTable(tx, table, tx.companyId);
    summaries.push({ name: table.name, shape: table.shape, ...summary });
  }
  return summaries;
}

/** Writes the file. Throws an OperatorError if there is no such company, or the file exists. */
export async function exportCompany(
  given: ExportDeps,
  { companyId, path }: { companyId: string; path: string },
): Promise<ExportSummary> {
  const { keyring } = given;
  const db = await given.db.cellOf(companyId);
  const deps = { ...given, db };
  await requireProtectedTables(db);
  const tables = exportedTables(await listMovedTables(db.asOwner));
  const about = await readHeader(deps, companyId);
  const work = async (tx: TenantTx): Promise<ExportSummary> => {
    await tx.query(setLocal(copySettings(db.kind)));
    if (!(await hasCompany(tx, companyId)))
      throw new OperatorError(`There is no company ${companyId} in the database.`);
    const faults = await findFaultsOf(tx);
    const header = { ...about, faults, tables: await summarise(tx, tables) };
    const sha256 = await writeCompanyFile({ path, keyring, header }, async (write) => {
      for (const table of tables)
        for await (const lines of readRows(tx, table, companyId)) await write(table.name, lines);
    });
    const rows = header.tables.reduce((sum, table) => sum + table.rows, 0);
    return { rows, tables: tables.length, faults, exportedAt: header.exportedAt, sha256 };
  };
  return await db.inBothModes(companyId, work, { isSnapshot: true });
}

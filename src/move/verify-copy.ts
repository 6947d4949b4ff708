// Verifies a copy before its commit: counts and checksums of every table on both sides, then each company's hash chain and
// ledger. Reads the tables from the catalogue, so that a table which was not copied is found. Must not: write rows.

import type { TenantTx } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { statement, t } from '../db/statements.ts';
import { verifyChain } from '../events/verify-chain.ts';
import { describeLedgerDiscrepancy } from '../ledger/describe-discrepancy.ts';
import { ledgerChecks, runCheck } from '../ledger/verify-ledger.ts';
import { sandboxChecks } from '../ledger/verify-sandbox.ts';
import { MoveStoppedError } from './move-stopped-error.ts';
import { listMovedTables, type MovedTable } from './tables.ts';

export type TableSummary = { rows: number; checksum: string };

export const describeSummary = ({ rows, checksum }: TableSummary): string =>
  `${rows} rows, checksum ${checksum}`;

/**
 * The count and a checksum that does not depend on the order, of the rows of one company or of all. Computed columns are
 * part of a row.
 */
export async function summariseTable(
  sql: Sql,
  { sqlName }: MovedTable,
  companyId: string | null = null,
): Promise<TableSummary> {
  const own = companyId === null ? '' : 'where company_id = $1';
  const [row] = await sql.query(
    // safe: the name comes from the catalogue, quoted by format().
    `select count(*)::int8 as rows, coalesce(sum(
       ('x' || left(encode(sha256(convert_to(moved_row::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as checksum
     from ${sqlName} as moved_row ${own}`,
    companyId === null ? [] : [companyId],
  );
  return { rows: Number(row?.rows), checksum: String(row?.checksum) };
}

/** Throws a MoveStoppedError if a table differs. Both sides show their owner all rows. */
export async function compareTables(from: Sql, into: Sql): Promise<void> {
  for (const table of await listMovedTables(from)) {
    const source = describeSummary(await summariseTable(from, table));
    const target = describeSummary(await summariseTable(into, table));
    if (source === target) continue;
    throw new MoveStoppedError(
      `The copy of the table ${table.name} differs from the original (${source}; copied: ${target}). Nothing was moved.`,
    );
  }
}

const listCompanyIdsSql = statement({ companyId: t.text })`
  select company_id as "companyId" from companies order by company_id`;

/** As the owner of a database that shows him all rows. */
export async function listCompanies(sql: Sql): Promise<string[]> {
  return (await sql.query(listCompanyIdsSql)).map(({ companyId }) => companyId);
}

/** What the service would see of a company, in the transaction of `sql`. */
export async function asTenant<T>(
  sql: Sql,
  companyId: string,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> {
  await sql.query(
    `select set_config('role', 'paylink_tenant', true), set_config('paylink.company_id', $1, true),
            set_config('paylink.mode', 'test,live', true)`,
    [companyId],
  );
  const result = await work({
    companyId,
    mode: null,
    query: sql.query,
    signal: () => undefined,
    note: () => undefined,
  });
  await sql.query(
    `select set_config('role', 'none', true), set_config('paylink.company_id', '', true),
            set_config('paylink.mode', '', true)`,
  );
  return result;
}

/** One sentence for each fault in the hash chain and the ledger of the transaction's company. */
export async function findFaultsOf(tx: TenantTx): Promise<string[]> {
  const sentences = (await verifyChain(tx)).map(({ detail }) => detail);
  for (const check of [...ledgerChecks, ...sandboxChecks])
    sentences.push(...(await runCheck(tx, check)).map(describeLedgerDiscrepancy));
  return sentences;
}

/** One sentence for each fault in the hash chains and ledgers of the companies. */
export async function findFaults(sql: Sql, companyIds: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const companyId of companyIds) {
    const found = await asTenant(sql, companyId, findFaultsOf);
    faults.push(...found.map((sentence) => `${companyId}: ${sentence}`));
  }
  return faults;
}

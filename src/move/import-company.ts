// Imports the company of a file that another installation exported, all or nothing, in one transaction beside a running
// service. Must not: lock a table against reads or writes, write a row of another company, or accept a file whose secrets the settings cannot
// decrypt. docs/decisions/0039-moving-one-company.md.

import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import { OperatorError } from '../base/operator-error.ts';
import { deleteGone, insertHome } from '../cells/home-store.ts';
import { withCompanyLock } from '../cells/lock-company.ts';
import { isStatementError } from '../db/connection.ts';
import type { Database, TenantTx } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { statement, t } from '../db/statements.ts';
import { appendEvent } from '../events/append-event.ts';
import { raiseEventNumbers } from '../events/event-numbers.ts';
import {
  type CheckedCompanyFile,
  type CompanyFileHeader,
  checkCompanyFile,
  readCompanyFile,
} from './company-file.ts';
import { copySettings, flushCommit, insertRows, rowsAtATime } from './copy-rows.ts';
import { MoveStoppedError } from './move-stopped-error.ts';
import {
  requireSameSchema,
  requireTenantRights,
  seeCompanyOf,
  UnknownCommitError,
  unknownCommit,
} from './one-company.ts';
import {
  addressesTaken,
  CompanyExistsError,
  existsAlready,
  hasCompanyAnywhere,
  placeImport,
} from './place-import.ts';
import { requireNoMove } from './require-no-move.ts';
import { exportedTables, listMovedTables, type MovedTable, requireOwnTables } from './tables.ts';
import { asTenant, describeSummary, findFaultsOf, summariseTable } from './verify-copy.ts';

export type ImportDeps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  version: string;
  /** Receives each step when it is done. */
  onStep: (step: string) => void;
};
export type ImportSummary = {
  companyId: string;
  /** Where it is now; null without cells. */
  cell: string | null;
  rows: number;
  tables: number;
  /** What its ledger and hash chain had already where it was exported. */
  faults: readonly string[];
  exportedAt: string;
  sha256: string;
  /** Its secrets are encrypted with the old master key of the settings. */
  hasOldKey: boolean;
};

const uniqueViolation = '23505';
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null);
const constraintOf = (error: unknown) =>
  error instanceof Error && 'constraint' in error ? error.constraint : null;

async function refuseExisting(db: Database, companyId: string): Promise<void> {
  if (await hasCompanyAnywhere(db, companyId)) throw existsAlready(companyId);
}

const findTakenSql = statement({ email: t.text })`
  select taken.email from unnest($1::logins[]) as given join logins as taken on taken.email = given.email
  order by taken.email`;

/** Throws an OperatorError if an account of another company has the address of one in the file. */
async function refuseTakenAddresses(sql: Sql, companyId: string, lines: readonly string[]): Promise<void> {
  await sql.query("select set_config('role', 'paylink_system', true)");
  const taken = await sql.query(findTakenSql, [lines]);
  await sql.query("select set_config('role', 'none', true)");
  if (taken.length === 0) return;
  throw addressesTaken(
    companyId,
    taken.map(({ email }) => email),
  );
}

type Import = {
  path: string;
  header: CheckedCompanyFile;
  tables: readonly MovedTable[];
  isRehearsal: boolean;
};

/** Inserts all rows of the file. Throws an OperatorError if one of them exists or is of another company. */
async function insertFile(
  sql: Sql,
  { path, header, tables }: Omit<Import, 'isRehearsal'>,
  onStep: ImportDeps['onStep'],
): Promise<number> {
  const { companyId, sha256 } = header;
  const byName = new Map(tables.map((table) => [table.name, table]));
  let rows = 0;
  let current = '';
  for await (const { table: name, lines } of readCompanyFile(path, { sha256, size: rowsAtATime })) {
    const table = byName.get(name);
    if (!table)
      throw new MoveStoppedError(`The file has rows of the unknown table ${name}. Nothing was imported.`);
    if (name === 'logins') await refuseTakenAddresses(sql, companyId, lines);
    const added = await insertRows(sql, table, { companyId, lines });
    if (added !== lines.length)
      throw new MoveStoppedError(`The file has rows of another company in ${name}. Nothing was imported.`);
    if (current !== '' && current !== name) onStep(`imported ${current}`);
    current = name;
    rows += added;
  }
  if (current !== '') onStep(`imported ${current}`);
  return rows;
}

/** Compares what the company sees with the counts and checksums of the file. */
async function compareWithFile(
  tx: TenantTx,
  header: CompanyFileHeader,
  tables: readonly MovedTable[],
): Promise<void> {
  const expected = new Map(header.tables.map((table) => [table.name, describeSummary(table)]));
  for (const table of tables) {
    const found = describeSummary(await summariseTable(tx, table, tx.companyId));
    if (found === expected.get(table.name)) continue;
    throw new MoveStoppedError(
      `The rows of the table ${table.name} differ from the export (${expected.get(table.name)}; imported: ${found}). ` +
        'Nothing was imported.',
    );
  }
}

async function verifyRecords(tx: TenantTx, { faults: known }: CompanyFileHeader): Promise<void> {
  const added = (await findFaultsOf(tx)).filter((fault) => !known.includes(fault));
  if (added.length === 0) return;
  throw new MoveStoppedError(
    `The imported company has faults that the exported one did not have (${added.length}): ${added[0]} ` +
      'Nothing was imported.',
  );
}

/** In a transaction: inserts and verifies everything, and notes the import in the company's audit log. */
async function fillCompany(
  sql: Sql,
  { path, header, tables, isRehearsal }: Import,
  { db: cell, clock, onStep }: ImportDeps,
): Promise<number> {
  const { companyId } = header;
  await flushCommit(sql);
  if (cell.cell !== null) {
    // Otherwise the place was prepared. If the cell says again that the company has gone, another import has placed it elsewhere.
    if (isRehearsal) await deleteGone(sql, companyId);
    await insertHome(sql, companyId);
  }
  await seeCompanyOf(cell, sql, companyId);
  // Triggers write nothing: the file has what they wrote.
  await sql.query("select set_config('paylink.is_import', 'on', true)");
  const rows = await insertFile(sql, { path, header, tables }, onStep);
  await sql.query('set constraints all immediate');
  await sql.query("select set_config('paylink.is_import', 'off', true)");
  // The checks read all rows, and might be planned for empty tables.
  // safe: the names come from the catalogue, quoted by format().
  await sql.query(`analyze (skip_locked) ${tables.map(({ sqlName }) => sqlName).join(', ')}`);
  await asTenant(sql, companyId, async (tx) => {
    await compareWithFile(tx, header, tables);
    onStep('compared the counts and checksums of all tables');
    await verifyRecords(tx, header);
    onStep('verified the hash chain and the ledger');
    // The jobs that seal events and fill words look for new events: with this one they find those of the company.
    await appendEvent(tx, {
      type: 'company.imported',
      isPublic: false,
      actor: 'system',
      data: { exportedAt: header.exportedAt },
      at: clock.now(),
    });
  });
  return rows;
}

function describeStop(error: unknown, companyId: string): Error {
  if (error instanceof OperatorError) return error;
  if (codeOf(error) === uniqueViolation && constraintOf(error) === 'companies_pkey')
    return existsAlready(companyId);
  const reason = error instanceof Error ? error.message : String(error);
  return new MoveStoppedError(`The import stopped: ${reason}. Nothing was imported.`, { cause: error });
}

/** Imports the file; with `isRehearsal` it checks everything and undoes it. Throws an OperatorError: nothing was imported. */
export async function importCompany(
  given: ImportDeps,
  { path, isRehearsal = false }: { path: string; isRehearsal?: boolean },
): Promise<ImportSummary> {
  const { keyring } = given;
  const header = await checkCompanyFile(path, keyring);
  return await withCompanyLock(given.db, header.companyId, async (requireLock) => {
    await refuseExisting(given.db, header.companyId);
    await requireNoMove(given.db, header.companyId, 'imported');
    const place = await placeImport(given.db, { path, header, isRehearsal }, requireLock);
    try {
      // In this order: only who has the lock claims addresses for the company.
      const mayCommit = async () => {
        await requireLock();
        await place.requireAddresses();
      };
      return await importInto({ ...given, db: place.cell, mayCommit }, { path, header, isRehearsal });
    } catch (error) {
      const mayExist = error instanceof UnknownCommitError || error instanceof CompanyExistsError;
      if (!mayExist) await place.undo();
      throw error;
    }
  });
}

async function importInto(
  deps: ImportDeps & { mayCommit: () => Promise<void> },
  { path, header, isRehearsal }: { path: string; header: CheckedCompanyFile; isRehearsal: boolean },
): Promise<ImportSummary> {
  const { db, keyring, version, onStep } = deps;
  const { companyId } = header;
  const tables = exportedTables(await listMovedTables(db.asOwner));
  await requireSameSchema(db.asOwner, { header, tables, version });
  requireOwnTables(tables);
  await requireTenantRights(db.asOwner);
  onStep('checked the file and the database');
  let isCommitting = false;
  try {
    const rows = await db.withConnection(async (sql) => {
      // In a transaction of its own, because it locks out writers of events. Cursors of the company count, too.
      const raisedBy = await raiseEventNumbers(sql, BigInt(header.number));
      if (raisedBy > 0n) onStep(`raised the numbers of events by ${raisedBy}, above those of the company`);
      const opening = { settings: copySettings(db.kind), isRehearsal };
      return await inOwnTransaction(sql, opening, async () => {
        const filled = await fillCompany(sql, { path, header, tables, isRehearsal }, deps);
        await deps.mayCommit();
        onStep(isRehearsal ? 'the transaction is rolled back' : 'the transaction commits');
        isCommitting = !isRehearsal;
        return filled;
      });
    });
    const hasOldKey = header.keyIds.some((keyId) => keyId !== keyring.keyId);
    const { faults, exportedAt, sha256 } = header;
    return { companyId, cell: db.cell, rows, tables: tables.length, faults, exportedAt, sha256, hasOldKey };
  } catch (error) {
    if (isCommitting && !isStatementError(error))
      throw unknownCommit(companyId, {
        done: 'imported',
        sign: 'the company exists here already',
        cause: error,
      });
    throw describeStop(error, companyId);
  }
}

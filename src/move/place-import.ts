// Where an imported company goes: of one database there is nothing to decide. Of several, a cell is chosen by weight, and the
// directory gets the place and the addresses before the company is written. Must not: leave them there if nothing was
// imported.

import { AsyncLocalStorage } from 'node:async_hooks';
import { OperatorError } from '../base/operator-error.ts';
import { chooseCell, forgetCompany, placeImported } from '../cells/place-company.ts';
import { claimEmails, findTakenEmails, renewClaims } from '../companies/logins.ts';
import type { Database } from '../db/database.ts';
import { statement, t } from '../db/statements.ts';
import { type CheckedCompanyFile, readCompanyFile } from './company-file.ts';
import { rowsAtATime } from './copy-rows.ts';
import { hasCompany } from './export-company.ts';

export type ImportPlace = {
  /** The database that the company is written to. */
  cell: Database;
  /**
   * Right before the commit: the claims of the addresses may be so old that others took them over. Throws an OperatorError
   * then; otherwise nobody does for ten minutes.
   */
  requireAddresses(): Promise<void>;
  /** After an import that wrote nothing. */
  undo(): Promise<void>;
};

/** Whether any cell has the company. */
export async function hasCompanyAnywhere(db: Database, companyId: string): Promise<boolean> {
  for (const cell of db.cells())
    if (await cell.inSystem(async (tx) => await hasCompany(tx, companyId))) return true;
  return false;
}

export const addressesTaken = (companyId: string, emails: readonly string[]) =>
  new OperatorError(
    `These email addresses of the company ${companyId} have an account of another company here: ` +
      `${emails.join(', ')}. An address has one account in an installation: remove that ` +
      'member in one of the two companies, and export again if you change the exported one. Nothing was imported.',
  );

const readLoginsSql = statement({ email: t.text, companyId: t.text, accountId: t.text })`
  select email, company_id as "companyId", account_id as "accountId" from unnest($1::logins[])`;

async function readLogins(cell: Database, path: string, { sha256 }: CheckedCompanyFile) {
  const logins: { email: string; companyId: string; accountId: string }[] = [];
  for await (const { table, lines } of readCompanyFile(path, { sha256, size: rowsAtATime }))
    if (table === 'logins') logins.push(...(await cell.asOwner.query(readLoginsSql, [lines])));
  return logins;
}

/** Throws an OperatorError if an address has an account of another company. A rehearsal writes nothing. */
export async function placeImport(
  db: Database,
  { path, header, isRehearsal }: { path: string; header: CheckedCompanyFile; isRehearsal: boolean },
): Promise<ImportPlace> {
  const nothing = async () => undefined;
  if (!db.hasDirectory) return { cell: db, requireAddresses: nothing, undo: nothing };
  const { companyId } = header;
  const cell = await chooseCell(db);
  // A cell that fails meanwhile does not hide why the import ended. The next import replaces what is left.
  const undo = async () => {
    if (!isRehearsal) await forgetCompany(db, companyId).catch(() => undefined);
  };
  const logins = (await readLogins(cell, path, header)).filter((login) => login.companyId === companyId);
  const requireNone = (taken: readonly string[]) => {
    if (taken.length > 0) throw addressesTaken(companyId, taken);
  };
  try {
    requireNone(await (isRehearsal ? findTakenEmails : claimEmails)(db, { companyId, logins }));
    if (!isRehearsal) await placeImported(db, companyId, cell);
  } catch (error) {
    await undo();
    throw error;
  }
  // The transaction of the import may be in the database of the directory, and none uses its database beside itself.
  const outside = AsyncLocalStorage.snapshot();
  const requireAddresses = async () =>
    requireNone(await outside(async () => await renewClaims(db, { companyId, logins })));
  return { cell, requireAddresses: isRehearsal ? nothing : requireAddresses, undo };
}

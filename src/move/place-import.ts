// Where an imported company goes: of one database there is nothing to decide. Of several, a cell is chosen by weight, and the
// directory gets the place and the addresses before the company is written. Must not: free the place or the addresses of a
// company that another command has imported.

import { AsyncLocalStorage } from 'node:async_hooks';
import { OperatorError } from '../base/operator-error.ts';
import { markGone } from '../cells/home-store.ts';
import type { RequireLock } from '../cells/lock-company.ts';
import { chooseCell, forgetCompany, placeImported } from '../cells/place-company.ts';
import { directoryName } from '../cells/route-cells.ts';
import { claimEmails, findTakenEmails, renewClaims } from '../companies/logins.ts';
import type { Database } from '../db/database.ts';
import { lockNotAvailable } from '../db/move-store.ts';
import { isUnavailable } from '../db/outage.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { serverSettings } from '../db/session-settings.ts';
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
  /** After an import that wrote nothing. Does nothing if the lock of the company is lost. */
  undo(): Promise<void>;
};

/**
 * Waits for a command that writes the company in a cell without the lock: it was killed, or lost the lock, and its commit is
 * pending, such as for a standby. What it writes cannot be seen before. Throws an OperatorError if it does not end.
 */
async function waitForWriter(cell: Database, companyId: string): Promise<void> {
  const opening = { settings: serverSettings, isRehearsal: true };
  try {
    await cell.withConnection(
      async (sql) =>
        await inOwnTransaction(sql, opening, async () => await markGone(sql, companyId, directoryName)),
    );
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
    throw new OperatorError(
      `An earlier command still writes ${companyId} in the cell ${cell.cell}; its commit may wait for a standby. Run this ` +
        'command again when that has ended. Nothing was changed.',
      { cause: error },
    );
  }
}

/** Whether any cell has the company. */
export async function hasCompanyAnywhere(db: Database, companyId: string): Promise<boolean> {
  for (const cell of db.cells()) {
    if (db.hasDirectory) await waitForWriter(cell, companyId);
    if (await cell.inSystem(async (tx) => await hasCompany(tx, companyId))) return true;
  }
  return false;
}

export class CompanyExistsError extends OperatorError {}

export const existsAlready = (companyId: string) =>
  new CompanyExistsError(`The company ${companyId} exists here already. Nothing was imported.`);

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

/**
 * Throws an OperatorError if an address has an account of another company, or if a cell has the company. A rehearsal writes
 * nothing.
 */
export async function placeImport(
  db: Database,
  { path, header, isRehearsal }: { path: string; header: CheckedCompanyFile; isRehearsal: boolean },
  requireLock: RequireLock,
): Promise<ImportPlace> {
  const nothing = async () => undefined;
  if (!db.hasDirectory) return { cell: db, requireAddresses: nothing, undo: nothing };
  const { companyId } = header;
  const cell = await chooseCell(db);
  // Without the lock, another import may have placed the company. That, or a cell that fails meanwhile, does not hide why this
  // import ended. What is left harms nobody, and the next import replaces it.
  const undo = async () => {
    if (isRehearsal) return;
    await requireLock()
      .then(async () => await forgetCompany(db, companyId))
      .catch(() => undefined);
  };
  const logins = (await readLogins(cell, path, header)).filter((login) => login.companyId === companyId);
  const requireNone = (taken: readonly string[]) => {
    if (taken.length > 0) throw addressesTaken(companyId, taken);
  };
  try {
    requireNone(await (isRehearsal ? findTakenEmails : claimEmails)(db, { companyId, logins }));
    if (!isRehearsal && !(await placeImported(db, companyId, cell))) throw existsAlready(companyId);
  } catch (error) {
    // A cell that did not respond, or made this wait for a lock, may have the company.
    const mayExist = error instanceof CompanyExistsError || (error instanceof Error && isUnavailable(error));
    if (!mayExist) await undo();
    throw error;
  }
  // The transaction of the import may be in the database of the directory, and none uses its database beside itself.
  const outside = AsyncLocalStorage.snapshot();
  const requireAddresses = async () =>
    requireNone(await outside(async () => await renewClaims(db, { companyId, logins })));
  return { cell, requireAddresses: isRehearsal ? nothing : requireAddresses, undo };
}

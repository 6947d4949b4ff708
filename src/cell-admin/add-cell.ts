// Makes a database a cell of an installation, and writes it into the directory. It can be run again after an interruption
// at any point. Must not: write to a database that is not checked, or let two installations share one.

import { randomUUID } from 'node:crypto';
import { OperatorError } from '../base/operator-error.ts';
import { type CellRow, insertCell, insertPlaces, listCells } from '../cells/directory-store.ts';
import {
  findThisCell,
  insertAllHomes,
  insertThisCell,
  protectCell,
  type ThisCell,
} from '../cells/home-store.ts';
import { requireCellServer } from '../cells/inspect-cells.ts';
import { directoryName } from '../cells/route-cells.ts';
import { listCompanyIds } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import { hasTable } from '../db/inspect-database.ts';
import { listPendingMigrations, migrationsDir } from '../db/migrate.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { unlimitedSettings } from '../db/session-settings.ts';
import { statement, t } from '../db/statements.ts';

export type AddCellDeps = {
  directory: Database;
  /** The first cell, if the directory is in it. */
  directoryCell: string | null;
  /** Makes a database that is Paylink's, or empty, one of this version and this master key. Throws an OperatorError. */
  prepare: (database: Database) => Promise<void>;
};
export type AddedCell = CellRow & { companies: number };

/** A database of the settings; that of the directory if the directory is in this cell. */
export type NewCell = { name: string; weight: number; database: Database };

/** Throws an OperatorError if a later version of Paylink has migrated the database. Changes nothing. */
async function refuseNewer(name: string, database: Database): Promise<void> {
  const notes: string[] = [];
  await listPendingMigrations(database, { dir: migrationsDir, log: (line) => notes.push(line) });
  const [newer] = notes;
  if (newer)
    throw new OperatorError(
      `The cell ${name}: ${newer}. Run this command with the version of Paylink that migrated it.`,
    );
}

/** Throws an OperatorError unless the database can become the cell `name`. Changes nothing. */
async function checkCandidate(
  { name, database }: NewCell,
  { registered, installationId }: { registered: readonly CellRow[]; installationId: string | null },
): Promise<ThisCell | null> {
  const own = await findThisCell(database.asOwner);
  if (own !== null && own.installationId !== installationId)
    throw new OperatorError(
      `The database of ${name} is a cell of another installation. Use an empty database for a new cell.`,
    );
  if (own !== null && own.name !== name)
    throw new OperatorError(
      `The database of ${name} is already the cell ${own.name}: correct its address in DATABASE_URLS.`,
    );
  const known = registered.find((cell) => cell.name === name);
  if (known && known.databaseId !== own?.databaseId)
    throw new OperatorError(
      `The installation has a cell ${name} in another database. Choose another name for a new cell.`,
    );
  return own;
}

/** Makes the database refuse processes that know of no cells, with all its companies at home. */
async function writeIdentity(database: Database, cell: ThisCell): Promise<void> {
  await database.withConnection(
    async (sql) =>
      await inOwnTransaction(sql, { settings: unlimitedSettings('server') }, async () => {
        // No company comes between reading them and refusing processes that would not enter it.
        await sql.query('lock table companies in share row exclusive mode');
        await insertThisCell(sql, cell);
        await insertAllHomes(sql);
        await protectCell(sql);
      }),
  );
}

const listLoginsSql = statement({ email: t.text, companyId: t.text, accountId: t.text })`
  select email, company_id as "companyId", account_id as "accountId" from logins where email > $1 order by email limit 500`;

/** Writes where the companies of a new cell are, and whose their addresses are. Returns the number of companies. */
async function listInDirectory(directory: Database, { name, database }: NewCell): Promise<number> {
  let companies = 0;
  for (let after = ''; ; ) {
    const ids = await database.inSystem(async (tx) => await listCompanyIds(tx, after, 500));
    if (ids.length === 0) break;
    await directory.inSystem(
      async (tx) => await insertPlaces(tx, { cell: name, companyIds: ids, logins: [] }),
    );
    companies += ids.length;
    after = ids.at(-1) ?? '';
  }
  for (let after = ''; ; ) {
    const logins = await database.inSystem(async (tx) => await tx.query(listLoginsSql, [after]));
    if (logins.length === 0) return companies;
    await directory.inSystem(async (tx) => await insertPlaces(tx, { cell: name, companyIds: [], logins }));
    after = logins.at(-1)?.email ?? '';
  }
}

const hasCompaniesSql = statement({ found: t.bool })`select exists (select from companies) as found`;

async function requireNoCompanies({ name, database }: Pick<NewCell, 'name' | 'database'>): Promise<void> {
  if (!(await hasTable(database.asOwner, 'companies'))) return;
  const [row] = await database.inSystem(async (tx) => await tx.query(hasCompaniesSql));
  if (row?.found)
    throw new OperatorError(
      `The database of ${name} has companies already. Only the first cell of an installation may have some: use an empty ` +
        'database, and move companies to it afterwards.',
    );
}

/** A directory in a database of its own is no cell, but refuses what does not respect cells. */
async function prepareDirectory(deps: AddCellDeps, installationId: string): Promise<void> {
  const { directory } = deps;
  if (await findThisCell(directory.asOwner)) return;
  await requireNoCompanies({ name: directoryName, database: directory });
  await writeIdentity(directory, { name: directoryName, databaseId: randomUUID(), installationId });
}

/** What the directory knows. Throws an OperatorError if its database is another cell. Changes nothing. */
async function readDirectory({ directory, directoryCell }: AddCellDeps) {
  const own = await findThisCell(directory.asOwner);
  const expected = directoryCell ?? directoryName;
  if (own !== null && own.name !== expected)
    throw new OperatorError(
      `The database of ${directoryCell ?? 'DIRECTORY_DATABASE_URL'} is already the ` +
        `${own.name === directoryName ? 'directory' : `cell ${own.name}`} of an installation: correct its address.`,
    );
  const registered = (await hasTable(directory.asOwner, 'cells')) ? await listCells(directory.asOwner) : [];
  return { registered, installationId: own?.installationId ?? null };
}

/** Adds a cell. Throws an OperatorError if the database cannot be one; then nothing was written to it. */
export async function addCell(deps: AddCellDeps, cell: NewCell): Promise<AddedCell> {
  const { directory, directoryCell, prepare } = deps;
  const { name, weight, database } = cell;
  const isDirectory = name === directoryCell;
  await requireCellServer(name, database);
  await refuseNewer(name, database);
  const known = await readDirectory(deps);
  const { registered } = known;
  if (registered.length === 0 && directoryCell !== null && !isDirectory)
    throw new OperatorError(`Add the first cell first: paylink admin cells add ${directoryCell}`);
  const own = await checkCandidate(cell, known);
  if (own === null && registered.length > 0) await requireNoCompanies(cell);
  await prepare(directory);
  if (!isDirectory) await prepare(database);
  const isRegistered = registered.some((each) => each.name === name);
  const installationId = known.installationId ?? own?.installationId ?? randomUUID();
  if (!isDirectory) await prepareDirectory(deps, installationId);
  const identity = own ?? { name, databaseId: randomUUID(), installationId };
  if (own === null) await writeIdentity(database, identity);
  const row: CellRow = { name, databaseId: identity.databaseId, weight };
  if (!isRegistered) await insertCell(directory.asOwner, row);
  return { ...row, companies: await listInDirectory(directory, cell) };
}

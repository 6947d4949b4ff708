// Makes a database a cell of an installation, and writes it into the directory. It can be run again after an interruption
// at any point. Must not: write to a database that is not checked, or let two installations share one.

import { randomUUID } from 'node:crypto';
import { OperatorError } from '../base/operator-error.ts';
import { directoryElsewhere, requireOneDatabase } from '../cells/check-databases.ts';
import {
  type CellRow,
  insertCell,
  insertPlaces,
  listCells,
  markListed,
  replaceDirectoryLogin,
  updateDatabaseIdOf,
  updateWeight,
} from '../cells/directory-store.ts';
import {
  findThisCell,
  insertAllHomes,
  insertThisCell,
  requireEntry,
  type ThisCell,
  updateDatabaseId,
} from '../cells/home-store.ts';
import { readPlace, requireCellServer, requireKnownVersion } from '../cells/inspect-cells.ts';
import { hideElsewhere, withShortLocks } from '../cells/protect-cell.ts';
import { directoryName } from '../cells/route-cells.ts';
import { findLogin } from '../companies/account-store.ts';
import { findUnlistedLogins, type UnlistedLogin } from '../companies/logins.ts';
import { hasAnyCompany, listCompanyIds } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import { hasTable } from '../db/inspect-database.ts';

export type AddCellDeps = {
  directory: Database;
  /** The first cell, if the directory is in it. */
  directoryCell: string | null;
  /** Makes a database that is Paylink's, or empty, one of this version and this master key. Throws an OperatorError. */
  prepare: (database: Database) => Promise<void>;
  /** Another cell. Throws an OperatorError if it cannot be reached. */
  openCell: (name: string) => Promise<Database>;
};
export type AddedCell = CellRow & {
  companies: number;
  /** Addresses that belong to another account, too, which keeps them. */
  conflicts: string[];
};

/** A database of the settings; that of the directory if the directory is in this cell. */
export type NewCell = {
  name: string;
  weight: number | null;
  database: Database;
  /** The database is a restored backup of the cell, which the one that was lost must not be taken for. */
  isRestored?: boolean;
};

const defaultWeight = 100;

/** Throws an OperatorError unless the database can become the cell `name`. Changes nothing. */
async function checkCandidate(
  { name, database, isRestored = false }: NewCell,
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
  if (isRestored) {
    if (known && own) return own;
    throw new OperatorError(
      `The database of ${name} is no backup of a cell of the installation: correct its address, or leave out --restored.`,
    );
  }
  if (known && known.databaseId !== own?.databaseId)
    throw new OperatorError(
      `The installation has a cell ${name} in another database. Choose another name for a new cell. If this database is a backup of ` +
        `${name}, run the command with --restored.`,
    );
  return own;
}

/** Makes the database refuse processes that know of no cells, with all its companies at home. */
async function writeIdentity(database: Database, cell: ThisCell): Promise<void> {
  // First, because each table is locked for it. Nothing changes while all companies are at home.
  await hideElsewhere(database);
  await withShortLocks(database, async (sql) => {
    // No company comes between reading them and refusing processes that would not enter it.
    await sql.query('lock table companies in share row exclusive mode');
    await insertThisCell(sql, cell);
    await insertAllHomes(sql);
    await requireEntry(sql);
  });
}

/**
 * Gives a restored cell an identity of its own. Its backup has that of the server that was lost, which a process with old settings
 * would otherwise work in if it came back. Run again, it mends an interruption between the two writes.
 */
async function renewIdentity(directory: Database, { name, database }: NewCell, own: ThisCell) {
  const databaseId = randomUUID();
  await updateDatabaseId(database.asOwner, databaseId);
  await updateDatabaseIdOf(directory.asOwner, name, databaseId);
  return { ...own, databaseId };
}

/** Writes where the companies of a cell are. Returns their number. */
async function listCompanies(directory: Database, { name, database }: NewCell): Promise<number> {
  let companies = 0;
  for (let after = ''; ; ) {
    const ids = await database.inSystem(async (tx) => await listCompanyIds(tx, after, 500));
    if (ids.length === 0) return companies;
    await directory.inSystem(
      async (tx) => await insertPlaces(tx, { cell: name, companyIds: ids, logins: [] }),
    );
    companies += ids.length;
    after = ids.at(-1) ?? '';
  }
}

/**
 * Gives an address to its account in a cell: a directory that was restored may name one that has lost it since. False if
 * another cell has a login of it, or it was claimed in the last ten minutes.
 */
async function correctAddress(
  { directory, openCell }: AddCellDeps,
  cell: string,
  { login, listed }: UnlistedLogin & { listed: NonNullable<UnlistedLogin['listed']> },
): Promise<boolean> {
  for (const { name } of await listCells(directory.asOwner)) {
    if (name === cell) continue;
    const other = await openCell(name);
    if (await other.inSystem(async (tx) => await findLogin(tx, login.email))) return false;
  }
  const change = { from: listed, to: login };
  return (await directory.inSystem(async (tx) => await replaceDirectoryLogin(tx, change))) !== null;
}

/** Writes which account each address of a cell belongs to. Returns the addresses that another account has, too. */
async function listAddresses(deps: AddCellDeps, { name, database }: NewCell): Promise<string[]> {
  const { directory } = deps;
  const conflicts: string[] = [];
  for await (const page of findUnlistedLogins(directory, database)) {
    const logins = page.filter(({ listed }) => listed === null).map(({ login }) => login);
    await directory.inSystem(async (tx) => await insertPlaces(tx, { cell: name, companyIds: [], logins }));
    for (const { login, listed } of page)
      if (listed && !(await correctAddress(deps, name, { login, listed }))) conflicts.push(login.email);
  }
  return conflicts;
}

async function requireNoCompanies({ name, database }: Pick<NewCell, 'name' | 'database'>): Promise<void> {
  if (!(await hasTable(database.asOwner, 'companies'))) return;
  if (await database.inSystem(hasAnyCompany))
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
  await writeIdentity(directory, {
    ...{ name: directoryName, databaseId: randomUUID(), installationId },
    isDirectory: true,
  });
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
  if (own !== null && !own.isDirectory) throw directoryElsewhere();
  const registered = (await hasTable(directory.asOwner, 'cells')) ? await listCells(directory.asOwner) : [];
  return { registered, installationId: own?.installationId ?? null };
}

/** Throws an OperatorError, before anything is written, unless the database can become the cell. */
async function checkAll(deps: AddCellDeps, cell: NewCell) {
  const { directory, directoryCell } = deps;
  const { name, database } = cell;
  await requireCellServer(name, database);
  await requireOneDatabase(name, database);
  await requireKnownVersion(name, database);
  const known = await readDirectory(deps);
  const { registered } = known;
  if (registered.length === 0 && directoryCell !== null && name !== directoryCell)
    throw new OperatorError(`Add the first cell first: paylink admin cells add ${directoryCell}`);
  const isDirectory = (await readPlace(database.asOwner)) === (await readPlace(directory.asOwner));
  if (isDirectory !== (name === directoryCell))
    throw new OperatorError(
      `The database of ${name} is that of the directory: give ${name} a database of its own.`,
    );
  const own = await checkCandidate(cell, known);
  if (own === null && registered.length > 0) await requireNoCompanies(cell);
  return { ...known, own, isDirectory };
}

/**
 * Adds a cell. Without a weight it gets 100, or keeps the one that it has. Throws an OperatorError if the database cannot be a
 * cell; then nothing was written.
 */
export async function addCell(deps: AddCellDeps, cell: NewCell): Promise<AddedCell> {
  const { directory, prepare } = deps;
  const { name, database } = cell;
  const { registered, own, isDirectory, ...known } = await checkAll(deps, cell);
  await prepare(directory);
  if (!isDirectory) await prepare(database);
  const installationId = known.installationId ?? own?.installationId ?? randomUUID();
  if (!isDirectory) await prepareDirectory(deps, installationId);
  const kept = own && cell.isRestored ? await renewIdentity(directory, cell, own) : own;
  const identity = kept ?? { name, databaseId: randomUUID(), installationId, isDirectory };
  if (own === null) await writeIdentity(database, identity);
  const existing = registered.find((each) => each.name === name);
  const weight = cell.weight ?? existing?.weight ?? defaultWeight;
  const row = { name, databaseId: identity.databaseId, weight };
  if (existing) await updateWeight(directory.asOwner, name, weight);
  else await insertCell(directory.asOwner, row);
  const companies = await listCompanies(directory, cell);
  const conflicts = await listAddresses(deps, cell);
  await markListed(directory.asOwner, name);
  return { ...row, isListed: true, companies, conflicts };
}

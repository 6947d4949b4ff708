// Whether a database is the one that the settings say: before anything is written to it. Each refusal is one sentence with
// the remedy. Must not: change a database.

import { OperatorError } from '../base/operator-error.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { isUnavailable } from '../db/outage.ts';
import { isWrongAddress } from '../db/server.ts';
import { reasonOf } from '../db/server-pool.ts';
import { countCompanies, listCells } from './directory-store.ts';
import { findThisCell, type ThisCell } from './home-store.ts';
import { readPlace } from './inspect-cells.ts';
import { directoryName } from './route-cells.ts';

/** What a database of the settings is; null if it is no cell. */
async function findCellAt(url: string): Promise<ThisCell | null> {
  const database = await openDatabase({ databaseUrl: url, dataDir: '', poolSize: 2, log: () => undefined });
  try {
    return await findThisCell(database.asOwner);
  } finally {
    await database.close();
  }
}

/**
 * Throws an OperatorError if a database of the settings is a cell already, but `directory` has no directory yet: a new one would
 * make a second installation. `directoryCell`: the first cell, if the directory is in it.
 */
export async function refuseSecondInstallation(
  { directory, directoryCell }: { directory: Database; directoryCell: string | null },
  cells: readonly { name: string; url: string }[],
): Promise<void> {
  if (await findThisCell(directory.asOwner)) return;
  for (const { name, url } of cells) {
    if (name === directoryCell) continue;
    const own = await findCellAt(url).catch((error: unknown) => {
      throw nameCell(name, error);
    });
    if (own)
      throw new OperatorError(
        `${name} is a cell of an installation already: ` +
          (directoryCell === null
            ? 'the database that DIRECTORY_DATABASE_URL gives is not that of its directory. Correct or unset it.'
            : `name the cell with its directory first in DATABASE_URLS, and ${directoryCell} after it.`) +
          ' Nothing was written.',
      );
  }
}

/** An error of a cell, with its name. */
export function nameCell(name: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const what = name === directoryName ? 'The directory' : `The cell ${name}`;
  if (!(error instanceof OperatorError)) {
    // Only the message changes: class, code and marks say what kind of error it is.
    error.message = `${what}: ${reasonOf(error)}`;
    return error;
  }
  const message = error.message.replace('The database of DATABASE_URL', 'Its database');
  return new OperatorError(`${what}: ${message}`, { cause: error.cause });
}

/**
 * Throws an OperatorError unless the settings name the cells of the installation. A new one without companies may be
 * missing: it is added before all processes have its address.
 */
export async function requireSameCells(
  directory: Database,
  cells: readonly { name: string; url: string }[],
): Promise<void> {
  const registered = await listCells(directory.asOwner);
  const unknown = cells.filter(({ name }) => !registered.some((cell) => cell.name === name));
  for (const { name, url } of unknown) {
    const own = await findCellAt(url).catch(() => null);
    if (registered.some(({ databaseId }) => databaseId === own?.databaseId))
      throw new OperatorError(
        `The database of ${name} is the cell ${own?.name}: correct the name in DATABASE_URLS.`,
      );
  }
  const counts = await countCompanies(directory.asOwner);
  const missing = registered.filter(
    ({ name }) => !cells.some((cell) => cell.name === name) && counts.some(({ cell }) => cell === name),
  );
  if (missing.length > 0)
    throw new OperatorError(
      `DATABASE_URLS does not name these cells of the installation: ${missing.map(({ name }) => name).join(', ')}. Add ` +
        'them with their addresses.',
    );
  const unlisted = registered.find(({ isListed }) => !isListed);
  if (unlisted)
    throw new OperatorError(
      `Adding the cell ${unlisted.name} was interrupted. Run again: paylink admin cells add ${unlisted.name}`,
    );
  if (unknown.length > 0)
    throw new OperatorError(
      `These databases of DATABASE_URLS are no cells of the installation: ${unknown.map(({ name }) => name).join(', ')}. ` +
        `Run: paylink admin cells add ${unknown[0]?.name}`,
    );
}

/** Throws an OperatorError if the database is not the registered cell of this name. */
export async function requireIdentity(directory: Database, name: string, database: Database): Promise<void> {
  const own = await findThisCell(database.asOwner);
  const registered = (await listCells(directory.asOwner)).find((cell) => cell.name === name);
  if (own !== null && own.name === name && own.databaseId === registered?.databaseId) return;
  throw await wrongDatabase(directory, name, own);
}

async function wrongDatabase(directory: Database, name: string, own: ThisCell | null): Promise<Error> {
  const ours = await findThisCell(directory.asOwner);
  const describe = () => {
    if (own === null) return 'is no cell';
    if (own.installationId !== ours?.installationId) return 'is a cell of another installation';
    if (own.name !== name) return own.name === directoryName ? 'is the directory' : `is the cell ${own.name}`;
    return 'is not the database that this cell has now';
  };
  const isOld = own?.name === name && own.installationId === ours?.installationId;
  const restored = isOld
    ? `, or, if it was restored from a backup, run: paylink admin cells add ${name} --restored`
    : '';
  return new OperatorError(
    `The database that DATABASE_URLS gives ${describe()}: correct the address of ${name}${restored}. Nothing was written to it.`,
  );
}

/** The first cell of the settings is a cell of an installation whose directory is elsewhere. */
export const directoryElsewhere = () =>
  new OperatorError(
    'The directory of the installation is in another database: name the cell that has it first in DATABASE_URLS, or set ' +
      'DIRECTORY_DATABASE_URL. Nothing was written.',
  );

/**
 * Throws an OperatorError if the database has no directory: before anything is written to it. `name`: the name that it must
 * have as a cell, or as a directory.
 */
export async function requireDirectory(database: Database, name: string): Promise<void> {
  const own = await findThisCell(database.asOwner);
  if (own?.name === name && own.isDirectory) return;
  if (own?.name === name) throw directoryElsewhere();
  const setting = name === directoryName ? 'DIRECTORY_DATABASE_URL' : 'DATABASE_URLS';
  if (own?.isDirectory && name === directoryName)
    throw new OperatorError(
      `The database that ${setting} gives is the cell ${own.name}, which has a directory: leave ${setting} unset, or correct ` +
        'the address. Nothing was written to it.',
    );
  if (own !== null)
    throw new OperatorError(
      `The database that ${setting} gives is the ${own.name === directoryName ? 'directory' : `cell ${own.name}`}: correct ` +
        `the address${name === directoryName ? '' : ` of ${name}`}. Nothing was written to it.`,
    );
  throw new OperatorError(
    name === directoryName
      ? 'The database that DIRECTORY_DATABASE_URL gives has no directory. For a new installation run: paylink admin cells ' +
          'add, with the name of its first cell. Nothing was written to it.'
      : `The database that DATABASE_URLS gives is no cell: correct the address of ${name}, or make it the first ` +
          `cell by: paylink admin cells add ${name}. Nothing was written to it.`,
  );
}

/**
 * Throws an OperatorError if the address of a database and the one past its pooler lead to different databases. They have the
 * start of the server and the number of the database in common.
 */
export async function requireOneDatabase(name: string, database: Database): Promise<void> {
  const used = await readPlace(database.asOwner);
  const direct = await database.withConnection(readPlace).catch((error: unknown) => {
    if (!(error instanceof Error && isUnavailable(error))) throw error;
    throw new OperatorError(
      `The address of ${name} in DATABASE_DIRECT_URLS, or else in DATABASE_URLS, cannot be reached: ${reasonOf(error)}.`,
      { cause: error },
    );
  });
  if (used === direct) return;
  throw new OperatorError(
    `The addresses of ${name} in DATABASE_URLS and DATABASE_DIRECT_URLS lead to different databases: correct one of them. ` +
      'Nothing was written.',
  );
}

/**
 * Whether an error says that a server cannot be used now. Others are for the operator to correct, also a wrong address, which
 * is an outage only for what has used the address before.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isWrongAddress(error instanceof OperatorError ? error.cause : error)) return false;
  if (isUnavailable(error)) return true;
  return error instanceof OperatorError && error.message.includes('cannot be reached');
}

/** Says what depends on the database of the directory if it cannot be used now. Other errors are returned unchanged. */
export function explainDirectory(error: unknown): unknown {
  if (!(error instanceof OperatorError && isUnreachable(error))) return error;
  const why = 'It has the directory, without which no command works: bring it back first.';
  return new OperatorError(`${error.message} ${why}`, { cause: error.cause });
}

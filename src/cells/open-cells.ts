// Opens the cells of an installation, and those that are down later, when they are up. Must not: let a process work on a
// database that is not the cell whose name its settings give it.

import { OperatorError } from '../base/operator-error.ts';
import { runWithBudget } from '../base/time-budget.ts';
import { isStatementError } from '../db/connection.ts';
import { type Database, openDatabase } from '../db/database.ts';
import type { OutageEvent } from '../db/outage.ts';
import { countCompanies, listCells } from './directory-store.ts';
import { findThisCell, protectCell, type ThisCell } from './home-store.ts';
import { type CellHandle, type CellSet, directoryName } from './route-cells.ts';

/** A cell in the settings. `directUrl` is its address past a pooler. */
export type CellAddress = { name: string; url: string; directUrl: string | null };

export type OpenCellsOptions = {
  cells: readonly CellAddress[];
  /** The database of the directory; null: the first cell. */
  directoryUrl: string | null;
  preparesStatements: boolean;
  poolSize: number;
  log: (message: string) => void;
  onOutage?: (news: OutageEvent, cell: string) => void;
  /** Prepares a database before it is used, such as by migrations. Throws an OperatorError if it cannot be used. */
  prepare: (database: Database) => Promise<void>;
};

const retryMs = 2_000;

type Opening = Pick<OpenCellsOptions, 'preparesStatements' | 'poolSize' | 'log' | 'onOutage' | 'prepare'>;

/** Opens one database. An error names the cell. */
async function openOne(
  { name, url, directUrl }: CellAddress,
  { prepare, onOutage, ...options }: Opening,
): Promise<Database> {
  const database = await openDatabase({
    ...options,
    databaseUrl: url,
    ...(directUrl && { directUrl }),
    dataDir: '',
    cell: name,
    ...(onOutage && { onOutage: (news) => onOutage(news, name) }),
  });
  try {
    await prepare(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** An error of a cell, with its name. */
export function nameCell(name: string, error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error;
  const what = name === directoryName ? 'The directory' : `The cell ${name}`;
  const message = error.message.replace('The database of DATABASE_URL', 'Its database');
  return new OperatorError(`${what}: ${message}`, { cause: error.cause });
}

/**
 * Throws an OperatorError unless the settings name the cells of the installation. A new one without companies may be
 * missing: it is added before all processes have its address.
 */
async function requireSameCells(directory: Database, cells: readonly CellAddress[]): Promise<void> {
  const registered = await listCells(directory.asOwner);
  const counts = await countCompanies(directory.asOwner);
  const missing = registered.filter(
    ({ name }) => !cells.some((cell) => cell.name === name) && counts.some(({ cell }) => cell === name),
  );
  if (missing.length > 0)
    throw new OperatorError(
      `DATABASE_URLS does not name these cells of the installation: ${missing.map(({ name }) => name).join(', ')}.`,
    );
  const unknown = cells.filter(({ name }) => !registered.some((cell) => cell.name === name));
  if (unknown.length > 0)
    throw new OperatorError(
      `These databases of DATABASE_URLS are no cells of the installation: ${unknown.map(({ name }) => name).join(', ')}. ` +
        `Run: paylink admin cells add ${unknown[0]?.name}`,
    );
}

/** Throws an OperatorError if the database is not the registered cell of this name. */
async function requireIdentity(directory: Database, name: string, database: Database): Promise<void> {
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
    if (own.name !== name) return `is the cell ${own.name}`;
    return 'was a cell of this name before';
  };
  return new OperatorError(
    `The database that DATABASE_URLS gives ${describe()}: correct the address of ${name}. Nothing was written to it.`,
  );
}

/**
 * Throws an OperatorError if the database has no directory: before anything is written to it. `name`: the name that it must
 * have as a cell, or as a directory.
 */
async function requireDirectory(database: Database, name: string): Promise<void> {
  const own = await findThisCell(database.asOwner);
  if (own?.name === name) return;
  const setting = name === directoryName ? 'DIRECTORY_DATABASE_URL' : 'DATABASE_URLS';
  if (own !== null)
    throw new OperatorError(
      `The database that ${setting} gives is the ${own.name === directoryName ? 'directory' : `cell ${own.name}`}: correct ` +
        `the address${name === directoryName ? '' : ` of ${name}`}. Nothing was written to it.`,
    );
  throw new OperatorError(
    name === directoryName
      ? 'The database that DIRECTORY_DATABASE_URL gives has no directory. For a new installation run: paylink admin cells ' +
          'add, with the name of its first cell. Nothing was written to it.'
      : `The database that DATABASE_URLS gives is no cell: correct the address of ${name}, or make it the first cell of a ` +
          `new installation by: paylink admin cells add ${name}. Nothing was written to it.`,
  );
}

/** SQLSTATEs for a user that the server refuses, and for a database that it does not have. */
const wrongAddress = /^(28[0-9A-Z]{3}|3D000)$/;

/** Whether an error says that the server cannot be reached now. Others are for the operator to correct. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof OperatorError) || !error.message.includes('cannot be reached')) return false;
  const { cause } = error;
  return !(isStatementError(cause) && wrongAddress.test(cause.code ?? ''));
}

type Handle = CellHandle & { address: CellAddress };

/** What is open, who waits for a cell to be opened, and how one is. */
function createOpener(options: OpenCellsOptions, handles: readonly Handle[]) {
  const opened: Database[] = [];
  const listeners: ((cell: Database) => void)[] = [];
  const openNamed = async (address: CellAddress, prepare: OpenCellsOptions['prepare']) => {
    const database = await openOne(address, { ...options, prepare }).catch((error: unknown) => {
      throw nameCell(address.name, error);
    });
    opened.push(database);
    return database;
  };
  const use = (handle: Handle, database: Database) => {
    handle.database = database;
    for (const listener of listeners) listener(database);
  };
  return {
    openDirectory: async ({ address }: Handle) => {
      const { directoryUrl, cells } = options;
      const own = directoryUrl && { name: directoryName, url: directoryUrl, directUrl: null };
      return await openNamed(own || address, async (database) => {
        await requireDirectory(database, own ? directoryName : address.name);
        await requireSameCells(database, cells);
        if (!own) await requireIdentity(database, address.name, database);
        await options.prepare(database);
        await protectCell(database.asOwner);
      });
    },
    open: async (directory: Database, handle: Handle) => {
      const prepare = async (database: Database) => {
        // First, because nothing may be written to somebody else's database.
        await requireIdentity(directory, handle.name, database);
        await options.prepare(database);
        await protectCell(database.asOwner);
      };
      use(handle, await openNamed(handle.address, prepare));
    },
    /** The directory is in the first cell. */
    useDirectory: (directory: Database, handle: Handle) => use(handle, directory),
    onOpen: (listener: (cell: Database) => void) => {
      listeners.push(listener);
      for (const { database } of handles) if (database) listener(database);
    },
    closeAll: async () => {
      await Promise.all(opened.map(async (database) => await database.close()));
    },
  };
}

type Opener = ReturnType<typeof createOpener>;

/** Opens what is down again and again, until it is open. The returned function ends it. */
function keepOpening(
  { open }: Opener,
  directory: Database,
  { handles, log }: { handles: readonly Handle[]; log: OpenCellsOptions['log'] },
) {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const lastErrors = new Map<string, string>();
  const attempt = async (handle: Handle) => {
    try {
      await open(directory, handle);
      log(`the cell ${handle.name} is open`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (lastErrors.get(handle.name) !== message) log(message);
      lastErrors.set(handle.name, message);
    }
  };
  const schedule = () => {
    const down = handles.filter(({ database }) => database === null);
    if (isClosed || down.length === 0) return;
    const run = () => {
      running = Promise.all(down.map(attempt)).then(schedule);
    };
    // It belongs to no request.
    timer = runWithBudget(null, () => setTimeout(run, retryMs).unref());
  };
  schedule();
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await running;
  };
}

/**
 * Opens the directory and the cells. A cell that is down is opened later; the directory must be up. Throws an OperatorError
 * that names the cell if a database cannot be used.
 */
export async function openCells(options: OpenCellsOptions): Promise<CellSet> {
  const { log, directoryUrl } = options;
  const handles: Handle[] = options.cells.map((address) => ({ name: address.name, address, database: null }));
  const [first] = handles;
  if (!first) throw new OperatorError('DATABASE_URLS names no database.');
  const opener = createOpener(options, handles);
  try {
    const directory = await opener.openDirectory(first);
    const start = async (handle: Handle) => {
      try {
        if (handle === first && !directoryUrl) opener.useDirectory(directory, handle);
        else await opener.open(directory, handle);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        log(`the cell ${handle.name} is unavailable; its companies wait until it is back`);
      }
    };
    await Promise.all(handles.map(start));
    const stopOpening = keepOpening(opener, directory, { handles, log });
    const close = async () => {
      await stopOpening();
      await opener.closeAll();
    };
    return { directory, cells: handles, onOpen: opener.onOpen, close };
  } catch (error) {
    await opener.closeAll();
    throw error;
  }
}

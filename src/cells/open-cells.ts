// Opens the cells of an installation, and those that are down later, when they are up. Must not: let a process work on a
// database that is not the cell whose name its settings give it.

import { OperatorError } from '../base/operator-error.ts';
import { runWithBudget } from '../base/time-budget.ts';
import { type Database, openDatabase } from '../db/database.ts';
import type { OutageEvent } from '../db/outage.ts';
import {
  explainDirectory,
  isUnreachable,
  nameCell,
  requireDirectory,
  requireIdentity,
  requireOneDatabase,
  requireSameCells,
} from './check-databases.ts';
import { protectCell } from './protect-cell.ts';
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
  /** Gets what an operator has to correct, with the name of the cell; without it `log` gets it. */
  onFault?: (message: string, cell: string) => void;
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
      const opening = openNamed(own || address, async (database) => {
        // First, because nothing may be written to somebody else's database.
        if (!own) await requireOneDatabase(address.name, database);
        await requireDirectory(database, own ? directoryName : address.name);
        await requireSameCells(database, cells);
        if (!own) await requireIdentity(database, address.name, database);
        await options.prepare(database);
        await protectCell(database);
      });
      return await opening.catch((error: unknown) => {
        throw explainDirectory(error);
      });
    },
    open: async (directory: Database, handle: Handle) => {
      const prepare = async (database: Database) => {
        await requireOneDatabase(handle.name, database);
        await requireIdentity(directory, handle.name, database);
        await options.prepare(database);
        await protectCell(database);
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

/** Opens a cell that is down again and again, until it is open. The returned function ends it. */
function keepOpening(
  { open }: Opener,
  directory: Database,
  { handle, log }: { handle: Handle; log: OpenCellsOptions['log'] },
) {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let lastMessage = '';
  const attempt = async () => {
    try {
      await open(directory, handle);
      log(`the cell ${handle.name} is open`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (lastMessage !== message) log(message);
      lastMessage = message;
    }
  };
  const schedule = () => {
    if (isClosed || handle.database !== null) return;
    const run = () => {
      running = attempt().then(schedule);
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

/** Runs work for all, waits for the end of each, then throws the first error. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(items.map(work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/**
 * Opens the directory and the cells. A cell that is down is opened later; the directory must be up. Throws an OperatorError
 * that names the cell if a database cannot be used.
 */
export async function openCells(options: OpenCellsOptions): Promise<CellSet> {
  const { log, directoryUrl, onFault = log } = options;
  const handles: Handle[] = options.cells.map((address) => ({ name: address.name, address, database: null }));
  const [first] = handles;
  if (!first) throw new OperatorError('DATABASE_URLS names no database.');
  const opener = createOpener(options, handles);
  try {
    const directory = await opener.openDirectory(first);
    await forEach(handles, async (handle) => {
      try {
        if (handle === first && !directoryUrl) opener.useDirectory(directory, handle);
        else await opener.open(directory, handle);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        onFault(`the cell ${handle.name} is unavailable; its companies wait until it is back`, handle.name);
      }
    });
    const stops = handles.map((handle) => keepOpening(opener, directory, { handle, log }));
    const close = async () => {
      await Promise.all(stops.map(async (stop) => await stop()));
      await opener.closeAll();
    };
    return { directory, cells: handles, onOpen: opener.onOpen, onFault, close };
  } catch (error) {
    await opener.closeAll();
    throw error;
  }
}

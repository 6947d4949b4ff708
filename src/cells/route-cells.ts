// Several databases as one: finds the cell of a company, runs its transactions there, and follows it when it moves. No other
// file looks for the cell of a company. Must not: trust the directory or its own memory, which only say where to try first. A
// cell refuses a company that is not at home in it (migrations/0055_cells.sql), and says where to try next.

import { isStatementError } from '../db/connection.ts';
import type { CommitNotificationListener, Database } from '../db/database.ts';
import { CompanyBetweenCellsError, CompanyUnavailableError } from '../db/outage.ts';
import { findCellOf } from './directory-store.ts';
import { finishSwitch } from './finish-switch.ts';
import { createPlaceMemory } from './place-memory.ts';
import { createPauses, createWaitForMove, type WaitForMove } from './wait-for-move.ts';

/** A cell of the settings. `database` is null while it is down since the start of this process. */
export type CellHandle = { readonly name: string; database: Database | null };

export type CellSet = {
  directory: Database;
  /** In the order of the settings. */
  cells: readonly CellHandle[];
  /** Calls the listener once for each cell, now or when it is opened. */
  onOpen(listener: (cell: Database) => void): void;
  /** Gets what an operator has to correct, with the name of the cell. */
  onFault(message: string, cell: string): void;
  close(): Promise<void>;
};

/** SQLSTATEs of enter_company(). */
const isElsewhere = 'PL001';
const isMoving = 'PL002';

/** How long work waits for the end of a move, outside of the pools: longer than the last step of one takes. */
const moveWaitMs = 5_000;

type Refusal = { kind: 'moving' } | { kind: 'elsewhere'; status: string; otherCell: string };

/** How a cell refused a company; null for any other error. */
function refusalOf(error: unknown): Refusal | null {
  const cause = isStatementError(error) ? error : error instanceof Error ? error.cause : null;
  if (!isStatementError(cause)) return null;
  if (cause.code === isMoving) return { kind: 'moving' };
  if (cause.code !== isElsewhere) return null;
  const [status = '', otherCell = ''] = String((cause as { detail?: unknown }).detail).split(' ');
  return { kind: 'elsewhere', status, otherCell };
}

/** Finds cells by name, and the cell of a company. */
function createLocator({ directory, cells, onFault }: CellSet) {
  const memory = createPlaceMemory();
  const reported = new Set<string>();
  const reportUnknown = (name: string) => {
    if (reported.has(name)) return;
    reported.add(name);
    onFault(
      `a company is in the cell ${name}, which DATABASE_URLS of this process does not name: add it, and restart`,
      name,
    );
  };
  const open = (name: string): Database => {
    if (name === directory.cell) return directory;
    const cell = cells.find((each) => each.name === name);
    if (cell?.database) return cell.database;
    if (!cell) reportUnknown(name);
    const why = cell ? `the cell ${name} is unavailable` : `DATABASE_URLS does not name the cell ${name}`;
    throw new CompanyUnavailableError(`the database of the company cannot be used: ${why}`);
  };
  const ofUnknown = directory.cell ?? directoryName;
  return {
    memory,
    open,
    /** An unknown company is looked for in the database of the directory, which must be up anyway, and shows it nothing. */
    locate: async (companyId: string): Promise<string> => {
      const known = memory.find(companyId);
      if (known !== undefined) return known ?? ofUnknown;
      const name = await directory.inSystem(async (tx) => await findCellOf(tx, companyId), {
        isSingle: true,
      });
      memory.save(companyId, name);
      return name ?? ofUnknown;
    },
  };
}

type Locator = ReturnType<typeof createLocator>;

/** Looks for a company that a cell has refused: waits for a move, or goes where the cell says that the company is. */
async function follow(
  { memory, open }: Locator,
  { directory, wait }: { directory: Database; wait: WaitForMove },
  { companyId, name, refusal }: { companyId: string; name: string; refusal: Refusal },
): Promise<void> {
  if (refusal.kind === 'moving') return await wait(companyId, open(name));
  const { status, otherCell } = refusal;
  memory.save(companyId, otherCell);
  if (status !== 'arriving') return;
  // It is still in the cell that it comes from, or its move has committed there and is to be finished here.
  const isFinished = await finishSwitch(
    { directory, source: open(otherCell), target: open(name) },
    { companyId, from: otherCell, to: name },
  );
  if (isFinished) memory.save(companyId, name);
}

/** Runs work in the cell of a company, wherever it is by then. Throws CompanyUnavailableError if that cell is down. */
function createRouter(set: CellSet) {
  const locator = createLocator(set);
  const wait = createWaitForMove((error) => refusalOf(error)?.kind === 'moving');
  const run = async <T>(companyId: string, work: (cell: Database) => Promise<T>): Promise<T> => {
    const until = performance.now() + moveWaitMs;
    const pause = createPauses();
    for (let sentOn = 0; ; ) {
      const name = await locator.locate(companyId);
      try {
        return await work(locator.open(name));
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) throw error;
        if (performance.now() > until)
          throw new CompanyBetweenCellsError('the company is being moved to another cell', { cause: error });
        // Two cells of which one was restored may send on to each other, until the operator corrects it.
        if (refusal.kind === 'elsewhere' && ++sentOn > 1) await pause();
        await follow(locator, { directory: set.directory, wait }, { companyId, name, refusal });
      }
    }
  };
  return { run, locator };
}

/** The installation as one Database. Closing it closes all. */
export function routeCells(set: CellSet): Database {
  const { directory, cells } = set;
  const { run, locator } = createRouter(set);
  const listAll = () => {
    const open = cells.flatMap(({ database }) => database ?? []);
    return open.includes(directory) ? open : [directory, ...open];
  };
  const busy = () => listAll().filter((each) => each.poolState().busy + each.poolState().waiting > 0);
  const views = new Map<Database, Database>();
  const viewOf = (cell: Database): Database => {
    const view = views.get(cell) ?? createView(installation, cell);
    views.set(cell, view);
    return view;
  };
  const installation: Database = {
    ...directory,
    cell: null,
    hasDirectory: true,
    cells: () => listAll().map(viewOf),
    downCells: () => cells.flatMap(({ name, database }) => (database ? [] : name)),
    onCellOpen: (listener) => {
      if (!cells.some(({ database }) => database === directory)) listener(viewOf(directory));
      set.onOpen((cell) => listener(viewOf(cell)));
    },
    lastCellOf: async (companyId) => viewOf(locator.open(await locator.locate(companyId))),
    // With an empty transaction, because only the cell knows whether the company is there.
    cellOf: async (companyId) =>
      viewOf(await run(companyId, async (cell) => await cell.inCompany(companyId, async () => cell))),
    inTenant: async (scope, ...rest) =>
      await run(scope.companyId, async (cell) => await cell.inTenant(scope, ...rest)),
    inCompany: async (companyId, ...rest) =>
      await run(companyId, async (cell) => await cell.inCompany(companyId, ...rest)),
    inBothModes: async (companyId, ...rest) =>
      await run(companyId, async (cell) => await cell.inBothModes(companyId, ...rest)),
    onSignal: (listener: CommitNotificationListener) => set.onOpen((cell) => cell.onSignal(listener)),
    onCommittedFact: (listener) => set.onOpen((cell) => cell.onCommittedFact(listener)),
    poolState: () => sumOf(listAll().map((each) => each.poolState())),
    noteSpent: (error) => {
      for (const each of busy()) each.noteSpent(error);
    },
    close: set.close,
  };
  return installation;
}

/**
 * One database of the installation, for what is done in each: its own tables without a company, and its companies. A
 * transaction of a company runs where the company is, because it may have moved since its work was found here.
 */
function createView(installation: Database, cell: Database): Database {
  const { kind, inSystem, asOwner, withConnection, onSignal, onCommittedFact, ping, poolState, noteSpent } =
    cell;
  const view: Database = {
    ...installation,
    ...{ kind, inSystem, asOwner, withConnection, onSignal, onCommittedFact, ping, poolState, noteSpent },
    durability: cell.durability,
    cell: cell.cell ?? directoryName,
    cells: () => [view],
    downCells: () => [],
    onCellOpen: (listener) => listener(view),
    cellOf: async () => view,
    lastCellOf: async () => view,
    close: async () => undefined,
  };
  return view;
}

/** How a directory in a database of its own is called. No cell has this name. */
export const directoryName = 'directory';

function sumOf(states: readonly ReturnType<Database['poolState']>[]): ReturnType<Database['poolState']> {
  const sum = { idle: 0, busy: 0, waiting: 0, size: 0 };
  for (const state of states)
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += state[name];
  return sum;
}

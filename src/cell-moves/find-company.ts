// Where a company is, as the cells themselves say. Must not: believe the directory, which is only a hint.

import { isCompanyId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import { type CompanyRecord, findRecord, readTimeline } from '../cells/home-store.ts';
import { directoryName } from '../cells/route-cells.ts';
import type { Database } from '../db/database.ts';

/** A cell that is up. */
export type Cell = { name: string; db: Database };

/** The cells of an installation that are up. */
export function listOpenCells(db: Database): Cell[] {
  return db.cells().flatMap((cell) => {
    const name = cell.cell ?? directoryName;
    return name === directoryName ? [] : [{ name, db: cell }];
  });
}

/** The cell of this name. Throws an OperatorError if there is none, or it is down. */
export function requireCell(db: Database, name: string): Cell {
  const found = listOpenCells(db).find((cell) => cell.name === name);
  if (found) return found;
  if (db.downCells().includes(name))
    throw new OperatorError(`The cell ${name} cannot be reached. Nothing was changed.`);
  const names = listOpenCells(db).map((cell) => cell.name);
  throw new OperatorError(`There is no cell ${name}: the cells are ${names.join(', ')}.`);
}

export type Switch = { from: Cell; to: Cell };
/** `decision`: of the cell that it left. */
export type LostSwitch = Switch & { decision: CompanyRecord };

export type CompanyPlaces = {
  /** The cell in which it works; null if none says so. */
  home: Cell | null;
  /** A switch that has committed where the company was, and is not finished where it works from now on. */
  unfinished: Switch | null;
  /** A switch that must not be finished: a standby has replaced the server where it would work, and may lack rows. */
  lost: LostSwitch | null;
  /** The other cells that know it. */
  others: (Cell & { record: CompanyRecord })[];
};

/** What to do about a company that some cells know, and that is at home in none. */
export const describeHomeless = (known: readonly { name: string }[]): string =>
  `at home in no cell (known in ${known.map(({ name }) => name).join(' and ')}). If its import or its removal was interrupted, ` +
  'run that again; otherwise restore the cell that it was in last.';

/** The error for a company that is at home in none of the cells that are up. */
export function noHome(db: Database, companyId: string, known: readonly Cell[]): OperatorError {
  const down = db.downCells();
  const notReached = down.length > 0 ? ` (not reached: ${down.join(', ')})` : '';
  return new OperatorError(
    known.length > 0
      ? `${companyId} is ${describeHomeless(known)}${notReached}`
      : `There is no company ${companyId} in the cells that are up${notReached}.`,
  );
}

/** The cells that know a company, and what each says of it. */
export async function readPlaces(
  cells: readonly Cell[],
  companyId: string,
): Promise<(Cell & { record: CompanyRecord })[]> {
  const known = await Promise.all(
    cells.map(async (cell) => {
      const record = await cell.db.inSystem(async (tx) => await findRecord(tx, companyId));
      return record ? [{ ...cell, record }] : [];
    }),
  );
  return known.flat();
}

/**
 * Whether the company has not worked in a cell since it left another one for it, by what the cell says now. Otherwise the cell
 * says that it is at home there, or that it has gone to a third cell.
 */
export const isBeforeArrival = (there: CompanyRecord | null, from: string): boolean =>
  there === null || there.otherCell === from;

/** The switch of a company that is at home nowhere, by what cells know of it. */
export async function findSwitch(
  cells: readonly Cell[],
  places: readonly (Cell & { record: CompanyRecord })[],
): Promise<Pick<CompanyPlaces, 'unfinished' | 'lost'>> {
  for (const { record: decision, ...from } of places) {
    const to = cells.find(({ name }) => name === decision.otherCell);
    if (decision.otherTimeline === null || !to) continue;
    const isSameServer = (await readTimeline(to.db.asOwner)) === decision.otherTimeline;
    const there = places.find(({ name }) => name === to.name)?.record ?? null;
    if (!isBeforeArrival(there, from.name)) continue;
    return isSameServer && there?.status === 'arriving'
      ? { unfinished: { from, to }, lost: null }
      : { unfinished: null, lost: { from, to, decision } };
  }
  return { unfinished: null, lost: null };
}

/** What all cells know of a company. Throws an OperatorError if two say that it is at home there. */
export async function findCompany(db: Database, companyId: string): Promise<CompanyPlaces> {
  if (!isCompanyId(companyId)) throw new OperatorError(`${companyId} is not the ID of a company.`);
  const cells = listOpenCells(db);
  const all = await readPlaces(cells, companyId);
  const homes = all.filter(({ record }) => record.status === 'home');
  if (homes.length > 1)
    throw new OperatorError(
      `${companyId} is at home in ${homes.map(({ name }) => name).join(' and ')}. Stop the service, and see "Two homes" in ` +
        'docs/cells.md.',
    );
  const home = homes[0] ?? null;
  const others = all.filter((cell) => cell !== home);
  return { home, others, ...(home ? { unfinished: null, lost: null } : await findSwitch(cells, others)) };
}

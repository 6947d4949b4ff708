// Chooses the cell of a new company, by weight, and writes it into the directory and into the cell. Interrupted at any
// point, it leaves at most a place without a company, which harms nobody: company IDs are random.

import { randomInt } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { CompanyUnavailableError, isUnavailable } from '../db/outage.ts';
import { deleteCellOf, deleteLoginsOfCompany, listCells, saveCellOf } from './directory-store.ts';
import { deleteGone, insertHome, markGone } from './home-store.ts';
import { directoryName } from './route-cells.ts';

/** One of the cells, each as probable as its weight; null if all weights are 0. */
export function chooseByWeight<C extends { weight: number }>(
  cells: readonly C[],
  draw: (below: number) => number = randomInt,
): C | null {
  const sum = cells.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return null;
  let rest = draw(sum);
  for (const cell of cells) {
    if (rest < cell.weight) return cell;
    rest -= cell.weight;
  }
  return null;
}

/** No cell that is up takes new companies. */
export class NoCellError extends CompanyUnavailableError {
  constructor() {
    super(
      'No cell takes new companies: each is down or has the weight 0. Run: paylink admin cells weight CELL 100',
    );
  }
}

/** The cell for a new company. Throws CompanyUnavailableError if no cell that is up takes any. */
export async function chooseCell(db: Database): Promise<Database> {
  const registered = await listCells(db.asOwner);
  const open = db.cells().flatMap((database) => {
    const weight = registered.find(({ name }) => name === database.cell)?.weight;
    return weight === undefined ? [] : [{ database, weight }];
  });
  for (let left = open; ; ) {
    const chosen = chooseByWeight(left);
    if (!chosen) throw new NoCellError();
    const isUp = await chosen.database.ping().then(
      () => true,
      () => false,
    );
    if (isUp) return chosen.database;
    left = left.filter((cell) => cell !== chosen);
  }
}

/**
 * Gives a new company its place. With one database there is nothing to do. Throws CompanyUnavailableError if the directory or
 * the chosen cell cannot be used.
 */
export async function placeCompany(db: Database, companyId: string): Promise<void> {
  if (!db.hasDirectory) return;
  const cell = await chooseCell(db);
  try {
    await db.inSystem(async (tx) => await saveCellOf(tx, companyId, cell.cell ?? ''));
    await cell.inSystem(async (tx) => await insertHome(tx, companyId));
  } catch (error) {
    if (!(error instanceof Error && isUnavailable(error))) throw error;
    throw new CompanyUnavailableError('the place of the new company could not be written', { cause: error });
  }
}

/**
 * Gives an imported company the cell as its place. The other cells send on who looks for it there, such as a process that
 * remembers where it was before, and let no other import in. False if another cell has the company. All cells must be up.
 */
export async function placeImported(db: Database, companyId: string, cell: Database): Promise<boolean> {
  // First: two cells that send on to each other would be followed in a circle.
  await deleteGone(cell.asOwner, companyId);
  for (const other of db.cells()) {
    if (other.cell === cell.cell || other.cell === directoryName) continue;
    if (!(await markGone(other.asOwner, companyId, cell.cell ?? ''))) return false;
  }
  // After the other cells: the directory keeps the place of a company that one of them has.
  await db.inSystem(async (tx) => await saveCellOf(tx, companyId, cell.cell ?? ''));
  return true;
}

/** Forgets a company that was removed, or not imported: its place, and the addresses of its accounts. All cells must be up. */
export async function forgetCompany(db: Database, companyId: string): Promise<void> {
  if (!db.hasDirectory) return;
  await db.inSystem(async (tx) => {
    await deleteLoginsOfCompany(tx, companyId);
    await deleteCellOf(tx, companyId);
  });
  for (const cell of db.cells()) await deleteGone(cell.asOwner, companyId);
}

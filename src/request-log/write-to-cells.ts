// Writes calls where their companies are: each cell has the log of its companies, and one that is down loses only that.

import { enterCompanies } from '../cells/home-store.ts';
import type { Database } from '../db/database.ts';
import { insertCalls, type NewCall } from './store.ts';

/** Runs `write`, and counts the calls as lost if it fails. */
export type WriteCalls = (calls: readonly NewCall[], write: () => Promise<void>) => Promise<void>;

const companiesOf = (calls: readonly NewCall[]) => [...new Set(calls.map(({ companyId }) => companyId))];

/** Writes the calls of the companies that are at home in the cell. Returns the others. */
async function writeHere(cell: Database, calls: readonly NewCall[]): Promise<NewCall[]> {
  return await cell.inSystem(async (tx) => {
    const entered = new Set(await enterCompanies(tx, companiesOf(calls)));
    const own = calls.filter(({ companyId }) => entered.has(companyId));
    if (own.length > 0) await insertCalls(tx, own);
    return calls.filter(({ companyId }) => !entered.has(companyId));
  });
}

/** Writes the calls of one company, wherever it is by now. */
async function writeMoved(db: Database, companyId: string, calls: readonly NewCall[]): Promise<void> {
  const left = await writeHere(await db.cellOf(companyId), calls);
  if (left.length > 0) throw new Error('the company was moved twice while its calls were written');
}

/** Writes the calls, to all cells at the same time. */
export async function writeToCells(
  db: Database,
  calls: readonly NewCall[],
  writeCalls: WriteCalls,
): Promise<void> {
  const moved: NewCall[] = [];
  const ofCells = new Map<Database, NewCall[]>();
  for (const [companyId, own] of Map.groupBy(calls, (call) => call.companyId))
    await writeCalls(own, async () => {
      const cell = await db.lastCellOf(companyId);
      ofCells.set(cell, [...(ofCells.get(cell) ?? []), ...own]);
    });
  await Promise.all(
    [...ofCells].map(
      async ([cell, own]) =>
        await writeCalls(own, async () => {
          moved.push(...(await writeHere(cell, own)));
        }),
    ),
  );
  const ofCompanies = Map.groupBy(moved, ({ companyId }) => companyId);
  for (const [companyId, own] of ofCompanies)
    await writeCalls(own, async () => await writeMoved(db, companyId, own));
}

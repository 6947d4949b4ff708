// Writes calls where their companies are: each cell has the log of its companies, and one that is down or hangs loses only
// that.

import { createTimeBudget, runWithBudget } from '../base/time-budget.ts';
import { enterCompanies } from '../cells/home-store.ts';
import type { Database } from '../db/database.ts';
import { insertCalls, type NewCall } from './store.ts';

/** Runs `write`, and counts the calls as lost if it fails. */
export type WriteCalls = (calls: readonly NewCall[], write: () => Promise<void>) => Promise<void>;

/** A company may have moved to a cell that hangs, which must not hold up the one that it has left. */
const movedLimitMs = 2_000;

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

/** Writes calls of companies that were in the cell last, and those of a company that has moved where it is now. */
export async function writeToCell(
  { db, cell }: { db: Database; cell: Database },
  calls: readonly NewCall[],
  writeCalls: WriteCalls,
): Promise<void> {
  let moved: NewCall[] = [];
  await writeCalls(calls, async () => {
    moved = await writeHere(cell, calls);
  });
  for (const [companyId, own] of Map.groupBy(moved, (call) => call.companyId))
    await writeCalls(own, async () => {
      const budget = createTimeBudget(movedLimitMs);
      await runWithBudget(budget, async () => await writeMoved(db, companyId, own));
    });
}

// Moves all companies out of a cell, to the others by their weights. Must not: stop at a company that cannot be moved now.

import { OperatorError } from '../base/operator-error.ts';
import { listCells, updateWeight } from '../cells/directory-store.ts';
import { listHomes } from '../cells/home-store.ts';
import { chooseByWeight } from '../cells/place-company.ts';
import { listOpenCells, requireCell } from './find-company.ts';
import { type MoveDeps, type MoveSummary, moveCompany } from './move-company.ts';

export type DrainSummary = {
  moved: MoveSummary[];
  failed: { companyId: string; reason: string }[];
};

async function* iterateHomes(cell: ReturnType<typeof requireCell>): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await listHomes(cell.db.asOwner, after);
    for (const { companyId, status } of page) if (status === 'home') yield companyId;
    const last = page.at(-1);
    if (!last) return;
    after = last.companyId;
  }
}

/** Gives the cell the weight 0, and moves its companies, one after another. Throws an OperatorError if no other cell takes any. */
export async function drainCell(deps: MoveDeps, name: string): Promise<DrainSummary> {
  const { db, log } = deps;
  const cell = requireCell(db, name);
  const open = listOpenCells(db);
  const others = (await listCells(db.asOwner)).filter(
    (each) => each.name !== name && each.weight > 0 && open.some((up) => up.name === each.name),
  );
  if (others.length === 0)
    throw new OperatorError(
      `No other cell takes the companies of ${name}: each is down or has the weight 0. Nothing was changed.`,
    );
  await updateWeight(db.asOwner, name, 0);
  const summary: DrainSummary = { moved: [], failed: [] };
  for await (const companyId of iterateHomes(cell)) {
    const to = chooseByWeight(others)?.name ?? '';
    try {
      summary.moved.push(await moveCompany(deps, { companyId, to }));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log(`${companyId} was not moved: ${reason}`);
      summary.failed.push({ companyId, reason });
    }
  }
  return summary;
}

// Moves all companies out of a cell, to the others by their weights, and finishes moves that have left something in it. Must
// not: stop at a company that cannot be moved now.

import { OperatorError } from '../base/operator-error.ts';
import { listCells, updateWeight } from '../cells/directory-store.ts';
import { type CompanyRecord, listRecords } from '../cells/home-store.ts';
import { chooseByWeight } from '../cells/place-company.ts';
import { type Cell, findCompany, listOpenCells, requireCell } from './find-company.ts';
import { type MoveDeps, type MoveSummary, moveCompany } from './move-company.ts';
import { listTablesWithRows } from './remove-rows.ts';
import { listReplicationOf } from './replication.ts';

export type DrainSummary = {
  moved: MoveSummary[];
  /** Companies of which the cell still has something. */
  failed: { companyId: string; reason: string }[];
};

async function* iterateRecords(cell: Cell): AsyncGenerator<CompanyRecord> {
  for (let after = ''; ; ) {
    const page = await listRecords(cell.db.asOwner, after);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.companyId;
  }
}

type Drain = { deps: MoveDeps; cell: Cell; others: readonly { name: string; weight: number }[] };

/** Whether a finished switch has left rows of a company in the cell, or its replication anywhere. */
async function hasLeftOvers({ deps: { db }, cell }: Drain, companyId: string): Promise<boolean> {
  if ((await listTablesWithRows(cell, companyId)).length > 0) return true;
  for (const { db: each } of listOpenCells(db))
    if ((await listReplicationOf(each.asOwner, companyId)).length > 0) return true;
  return false;
}

/** Where a company is to be moved; null if the cell has nothing of it. Throws an OperatorError for an interrupted move. */
async function chooseTarget(drain: Drain, known: CompanyRecord): Promise<string | null> {
  const { deps, others } = drain;
  const { companyId, status } = known;
  if (status === 'home') return chooseByWeight(others)?.name ?? null;
  const { home, unfinished, lost } = await findCompany(deps.db, companyId);
  if (status === 'gone') {
    if (unfinished) return unfinished.to.name;
    if (lost) return lost.to.name;
    return home && (await hasLeftOvers(drain, companyId)) ? home.name : null;
  }
  // It has switched to this cell.
  if (unfinished) return chooseByWeight(others)?.name ?? null;
  throw new OperatorError(
    `Its move to ${drain.cell.name} was interrupted, or runs now. Undo it: paylink admin cells cancel ${companyId}`,
  );
}

/**
 * Moves what is in the cell now, without what the summary names as failed. `seen`: the states of companies that earlier calls
 * have looked at. Returns whether there was something.
 */
async function drainOnce(drain: Drain, summary: DrainSummary, seen: Set<string>): Promise<boolean> {
  const { deps } = drain;
  let isNew = false;
  for await (const known of iterateRecords(drain.cell)) {
    const { companyId, generation } = known;
    if (seen.has(`${companyId} ${generation}`)) continue;
    if (summary.failed.some((failed) => failed.companyId === companyId)) continue;
    try {
      const to = await chooseTarget(drain, known);
      seen.add(`${companyId} ${generation}`);
      if (to === null) continue;
      isNew = true;
      const log = (line: string) => deps.log(`${companyId}: ${line}`);
      summary.moved.push(await moveCompany({ ...deps, log }, { companyId, to }));
    } catch (error) {
      isNew = true;
      const reason = error instanceof Error ? error.message : String(error);
      summary.failed.push({ companyId, reason });
    }
  }
  return isNew;
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
  log(`${name} has the weight 0 now, so it takes no new companies`);
  const summary: DrainSummary = { moved: [], failed: [] };
  const seen = new Set<string>();
  // Again at the end: a process may have placed a company by the weight that it had read before.
  while (await drainOnce({ deps, cell, others }, summary, seen));
  return summary;
}

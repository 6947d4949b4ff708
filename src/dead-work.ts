// Work that was repeated for months without an end, and recurring jobs that failed on several runs: a person looks at
// them, and can have them run again.

import type { Database } from './db/database.ts';
import { retriedKinds } from './status/kinds-of-rows.ts';
import { maxRetries } from './work/calendar.ts';
import { listFailedJobs, rerunFailedJob } from './work/scheduled-job-store.ts';

export type DeadWork = {
  /** The ID of the row, or the name of the recurring job. */
  id: string;
  kind: string;
  companyId: string | null;
  /** How often it ran. */
  runs: number;
  /** The error of its last run. */
  reason: string;
};

/** Everything that waits for a person, cell by cell: rows in the order of their IDs, then recurring jobs. */
export async function listDeadWork(db: Database): Promise<DeadWork[]> {
  const dead: DeadWork[] = [];
  for (const cell of db.cells()) dead.push(...(await listOfCell(cell)));
  return dead;
}

async function listOfCell(cell: Database): Promise<DeadWork[]> {
  return await cell.inSystem(async (tx) => {
    const dead: DeadWork[] = [];
    for (const [kind, rows] of Object.entries(retriedKinds))
      for (const { id, companyId, claims, reason } of await rows.listDead(tx))
        dead.push({ id, kind, companyId, runs: claims, reason: reason ?? 'unknown' });
    for (const { name, failures, reason } of await listFailedJobs(tx, maxRetries))
      dead.push({ id: name, kind: 'calendar', companyId: null, runs: failures, reason: reason ?? 'unknown' });
    return dead;
  });
}

/** Makes dead work due now; a recurring job in all cells in which it failed. False if there is none with this ID. */
export async function rerunDeadWork(db: Database, id: string): Promise<boolean> {
  let isFound = false;
  for (const cell of db.cells()) isFound = (await rerunInCell(cell, id)) || isFound;
  return isFound;
}

async function rerunInCell(cell: Database, id: string): Promise<boolean> {
  if (await cell.inSystem(async (tx) => await rerunFailedJob(tx, id))) return true;
  for (const rows of Object.values(retriedKinds)) {
    const dead = await cell.inSystem(async (tx) => await rows.listDead(tx));
    const found = dead.find((row) => row.id === id);
    if (found)
      return await cell.inTenant(
        { companyId: found.companyId, mode: found.mode },
        async (tx) => await rows.revive(tx, id),
      );
  }
  return false;
}

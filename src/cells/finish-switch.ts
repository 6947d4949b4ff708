// The end of a move. Its decision is one commit in the source, which says that the company is gone to the target. What
// follows can be done by anybody, again and again: the move itself, the first process that looks for the company, or a job
// that looks for each company that arrives.

import type { Database } from '../db/database.ts';
import { CompanyBetweenCellsError, isUnavailable } from '../db/outage.ts';
import { saveCellOf } from './directory-store.ts';
import { findRecord, listArrivals, settleArrival } from './home-store.ts';

export type SwitchPlaces = { directory: Database; source: Database; target: Database };
export type SwitchedCompany = { companyId: string; from: string; to: string };

/**
 * Lets the company work in the target, if its move has committed in the source. False if it has not: then the company is
 * still in the source. Also false if a standby has replaced the server of the target since: then a command takes it back.
 */
export async function finishSwitch(
  { directory, source, target }: SwitchPlaces,
  { companyId, from, to }: SwitchedCompany,
): Promise<boolean> {
  // Read the target first: otherwise an old decision could settle a newer arrival.
  const arrival = await target.inSystem(async (tx) => await findRecord(tx, companyId));
  const record = await source.inSystem(async (tx) => await findRecord(tx, companyId));
  if (record?.status !== 'gone' || record.otherCell !== to) return false;
  if (arrival?.status === 'arriving' && arrival.otherCell === from)
    await target.inSystem(async (tx) => await settleArrival(tx, arrival, record.otherTimeline));
  // Somebody else may have done it.
  const settled = await target.inSystem(async (tx) => await findRecord(tx, companyId));
  if (settled?.status !== 'home') return false;
  await directory.inSystem(async (tx) => await saveCellOf(tx, companyId, to));
  return true;
}

/**
 * Finishes the switches to a cell that were left by a command that was killed, so that due work of these companies goes on
 * although nobody asks for them. Each is looked for like by a request: a company that has not switched is found in its source,
 * and nothing changes. A source that is down is asked once, and does not delay companies from others. Throws the first error
 * at the end.
 */
export async function finishSwitchesTo(cell: Pick<Database, 'inSystem' | 'inCompany'>): Promise<void> {
  const arrivals = await cell.inSystem(listArrivals);
  const errors: unknown[] = [];
  const finishFrom = async (companies: typeof arrivals) => {
    for (const { companyId } of companies)
      try {
        await cell.inCompany(companyId, async () => undefined);
      } catch (error) {
        errors.push(error);
        const isDown = !(error instanceof CompanyBetweenCellsError);
        if (isDown && error instanceof Error && isUnavailable(error)) return;
      }
  };
  await Promise.all([...Map.groupBy(arrivals, ({ otherCell }) => otherCell).values()].map(finishFrom));
  if (errors.length > 0) throw errors[0];
}

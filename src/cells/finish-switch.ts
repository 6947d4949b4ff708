// The end of a move. Its decision is one commit in the source, which says that the company is gone to the target. What
// follows can be done by anybody, again and again: the move itself, or the first process that looks for the company.

import type { Database } from '../db/database.ts';
import { saveCellOf } from './directory-store.ts';
import { findHome, settleArrival } from './home-store.ts';

export type SwitchPlaces = { directory: Database; source: Database; target: Database };
export type SwitchedCompany = { companyId: string; from: string; to: string };

/**
 * Lets the company work in the target, if its move has committed in the source. False if it has not: then the company is
 * still in the source.
 */
export async function finishSwitch(
  { directory, source, target }: SwitchPlaces,
  { companyId, from, to }: SwitchedCompany,
): Promise<boolean> {
  // Before the source: an arrival that begins later needs a decision of its own.
  const arrival = await target.inSystem(async (tx) => await findHome(tx, companyId));
  const home = await source.inSystem(async (tx) => await findHome(tx, companyId));
  if (home?.status !== 'gone' || home.otherCell !== to) return false;
  if (arrival?.status === 'arriving' && arrival.otherCell === from)
    await target.inSystem(async (tx) => await settleArrival(tx, arrival));
  // Somebody else may have done it.
  const settled = await target.inSystem(async (tx) => await findHome(tx, companyId));
  if (settled?.status !== 'home') return false;
  await directory.inSystem(async (tx) => await saveCellOf(tx, companyId, to));
  return true;
}

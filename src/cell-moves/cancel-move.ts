// Undoes an unfinished move: of a command that was killed, or whose clean-up failed. Must not: undo a move that has switched.

import { OperatorError } from '../base/operator-error.ts';
import { withCompanyLock } from '../cells/lock-company.ts';
import type { Database } from '../db/database.ts';
import { findCompany } from './find-company.ts';
import { undoMove } from './move-company.ts';

export type CancelSummary = { companyId: string; home: string; removedRows: number };

/** The company stays where it is at home; what another cell has of it is removed. Throws an OperatorError after a switch. */
export async function cancelMove(db: Database, companyId: string): Promise<CancelSummary> {
  return await withCompanyLock(db, companyId, async (requireLock) => {
    const places = await findCompany(db, companyId);
    if (places.unfinished)
      throw new OperatorError(
        `The move of ${companyId} has switched to ${places.unfinished.to.name} already. Finish it: paylink admin cells move ` +
          `${companyId} ${places.unfinished.to.name}`,
      );
    if (!places.home) throw new OperatorError(`There is no company ${companyId} in the cells that are up.`);
    const removedRows = await undoMove(db, { companyId, places, requireLock });
    return { companyId, home: places.home.name, removedRows };
  });
}

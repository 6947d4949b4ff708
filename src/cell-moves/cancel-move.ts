// Undoes an unfinished move: of a command that was killed, or whose clean-up failed. A move that has switched, and that a
// request has finished meanwhile, is cleaned up. Must not: undo a move that has switched, unless a standby has
// replaced the server of the new cell since.

import { OperatorError } from '../base/operator-error.ts';
import { withCompanyLock } from '../cells/lock-company.ts';
import { type CompanyPlaces, findCompany, noHome } from './find-company.ts';
import { cleanUp, type MoveDeps, undoMove, undoSwitch } from './move-company.ts';
import { listReplicationOf } from './replication.ts';

export type CancelSummary = {
  companyId: string;
  home: string;
  /**
   * `finished`: the move had switched, and only left something behind. `removed`: there were only rows, which an interrupted
   * command had not removed.
   */
  outcome: 'undone' | 'finished' | 'removed' | 'none';
  /** The cell in which the move was undone, or that it had left; null without a move. */
  otherCell: string | null;
  removedRows: number;
};

/** The cell that a company has left by a move of which the publication or the slot is still there. */
async function findLeftCell({ home, others }: CompanyPlaces, companyId: string): Promise<string | null> {
  for (const { name, db, record: known } of others) {
    const left = await listReplicationOf(db.asOwner, companyId);
    if (known.status === 'gone' && known.otherCell === home?.name && left.some(isOfSource)) return name;
  }
  return null;
}

const isOfSource = ({ kind }: { kind: string }) => kind !== 'subscription';

/**
 * The company stays where it is at home; what another cell has of it is removed. Throws an OperatorError after a switch that
 * can be finished.
 */
export async function cancelMove(
  deps: Omit<MoveDeps, 'addressOf'>,
  companyId: string,
): Promise<CancelSummary> {
  const { db } = deps;
  return await withCompanyLock(db, companyId, async (requireLock): Promise<CancelSummary> => {
    const { lost } = await findCompany(db, companyId);
    if (lost) await undoSwitch(db, lost);
    const places = await findCompany(db, companyId);
    if (places.unfinished)
      throw new OperatorError(
        `The move of ${companyId} has switched to ${places.unfinished.to.name} already. Finish it: paylink admin cells move ` +
          `${companyId} ${places.unfinished.to.name}`,
      );
    if (!places.home) throw noHome(db, companyId, places.others);
    const home = places.home.name;
    const found = { companyId, home };
    const arriving = places.others.find(({ record }) => record.status === 'arriving') ?? lost?.to;
    if (arriving) {
      const removedRows = await undoMove(deps, { companyId, places, requireLock });
      return { ...found, outcome: 'undone', otherCell: arriving.name, removedRows };
    }
    const otherCell = await findLeftCell(places, companyId);
    const removedRows = await cleanUp(deps, { ...found, requireLock, step: async () => undefined });
    const outcome = removedRows > 0 ? 'removed' : 'none';
    return { ...found, outcome: otherCell ? 'finished' : outcome, otherCell, removedRows };
  });
}

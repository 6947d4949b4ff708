// What must be the same at the switch of a move as it was before the copy. A migration in between may have created a table
// that is not copied. A standby that became the server of the target may lack rows that its predecessor had confirmed to
// the source, and the replication does not notice: it continues after them.

import { OperatorError } from '../base/operator-error.ts';
import { readTimeline } from '../cells/home-store.ts';
import type { Sql } from '../db/engine.ts';
import { readLastMigration } from '../move/export-company.ts';

export type MoveState = {
  /** The last ones of both cells. */
  migrations: string;
  /** Of the target's server. */
  timeline: string;
};

export async function readMoveState({ source, target }: { source: Sql; target: Sql }): Promise<MoveState> {
  return {
    migrations: `${await readLastMigration(source)}, ${await readLastMigration(target)}`,
    timeline: await readTimeline(target),
  };
}

/** Throws an OperatorError if the copy may lack something. */
export function requireSameState(before: MoveState, now: MoveState): void {
  if (now.timeline !== before.timeline)
    throw new OperatorError(
      'The server of the new cell was replaced by a standby during the move, so its copy may lack rows. Run the command again.',
    );
  if (now.migrations !== before.migrations)
    throw new OperatorError(
      'A cell was migrated during the move, so a new table may not be copied. Run the command again when both cells have the ' +
        'same version.',
    );
}

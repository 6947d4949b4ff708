// What must be the same at the switch of a move as it was before the copy. A migration in between may have created a table
// that is not copied. A standby that became the server of the target may lack rows that its predecessor had confirmed to
// the source, and the replication does not notice: it continues after them.

import { OperatorError } from '../base/operator-error.ts';
import type { Sql } from '../db/engine.ts';
import { first, statement, t } from '../db/statements.ts';
import { readLastMigration } from '../move/export-company.ts';

export type MoveState = {
  sourceMigration: string;
  targetMigration: string;
  /** The timeline of the target's server, which a promotion changes. */
  timeline: string;
};

const readTimelineSql = statement({ timeline: t.text })`
  select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`;

export async function readMoveState({ source, target }: { source: Sql; target: Sql }): Promise<MoveState> {
  return {
    sourceMigration: await readLastMigration(source),
    targetMigration: await readLastMigration(target),
    timeline: first(await target.query(readTimelineSql))?.timeline ?? '',
  };
}

/** Throws an OperatorError if the copy may lack something. */
export function requireSameState(before: MoveState, now: MoveState): void {
  if (now.timeline !== before.timeline)
    throw new OperatorError(
      'The server of the new cell was replaced by a standby during the move, so its copy may lack rows. Run the command again.',
    );
  if (now.sourceMigration !== before.sourceMigration || now.targetMigration !== before.targetMigration)
    throw new OperatorError(
      'A cell was migrated during the move, so a new table may not be copied. Run the command again when both cells have the ' +
        'same version.',
    );
}

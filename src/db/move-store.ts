// How far a move to this database has got: all SQL of `database_moves`, which the move writes as the owner of the
// tables. Must not: let the service start on a database whose move is unfinished, because its source may still be used.

import { OperatorError } from '../base/operator-error.ts';
import type { Database } from './database.ts';
import type { Sql } from './engine.ts';
import { first, type RowOf, statement, t } from './statements.ts';

export const DatabaseMove = { moveId: t.text, state: t.oneOf('arrived', 'finished') };
export type DatabaseMove = RowOf<typeof DatabaseMove>;

const findMoveSql = statement(DatabaseMove)`select ${DatabaseMove} from database_moves`;

export async function findMove(sql: Sql): Promise<DatabaseMove | null> {
  return first(await sql.query(findMoveSql));
}

export const lockNotAvailable = '55P03';

/** Reads the note outside of a move. Throws an OperatorError while another process, or what is left of it, copies. */
export async function readNote(read: () => Promise<DatabaseMove | null>): Promise<DatabaseMove | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
    throw new OperatorError(
      'An interrupted move still runs on the server: wait up to 10 minutes, then run the command again.',
      { cause: error },
    );
  }
}

/** In the transaction that copies the rows. */
export async function insertMove(sql: Sql, moveId: string): Promise<void> {
  await sql.query("insert into database_moves (move_id, state) values ($1, 'arrived')", [moveId]);
}

/** Removes the note of a move that is copied again, in the same transaction. */
export async function deleteMove(sql: Sql): Promise<void> {
  await sql.query('delete from database_moves');
}

/** From now on the service starts on this database. */
export async function finishMove(sql: Sql, moveId: string): Promise<void> {
  await sql.query("update database_moves set state = 'finished' where move_id = $1", [moveId]);
}

/** Throws an OperatorError on a database whose move was interrupted before its source was closed. */
export async function refuseUnfinishedMove(db: Database): Promise<void> {
  const move = await readNote(async () => await db.inSystem(findMove));
  if (move === null || move.state === 'finished') return;
  throw new OperatorError(
    'The move of an embedded database to this database was interrupted: run the same "paylink admin move --to …" ' +
      'again, which finishes it. Until then the service does not start on this database.',
  );
}

// Checks that a database can receive a move, before anything is written there: empty, of Paylink alone, with the rights that
// the copy needs. Each refusal is one sentence with the remedy. Must not: change the database.

import { OperatorError } from '../base/operator-error.ts';
import { hasAnyCompany } from '../companies/store.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { hasTable, inspectDatabase, requiredRoles } from '../db/inspect-database.ts';
import { listPendingMigrations, migrationsDir } from '../db/migrate.ts';
import { type DatabaseMove, findMove, readNote } from '../db/move-store.ts';
import { statement, t } from '../db/statements.ts';
import { filledByMigrations, listTableNames, type MovedTable } from './tables.ts';

const notEmpty = (found: string) =>
  new OperatorError(
    `The target is not empty: it has ${found}. Create an empty database for the move: Paylink never adds to the ` +
      'data of another installation.',
  );

const readFactsSql = statement({
  userName: t.text,
  encoding: t.text,
  mayCreateTables: t.bool,
  mayCreateRoles: t.bool,
  isPrepared: t.bool,
})`
  select quote_ident(current_user) as "userName", current_setting('server_encoding') as encoding,
         has_schema_privilege('public', 'create') as "mayCreateTables",
         exists (select from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)) as "mayCreateRoles",
         exists (select from pg_attribute where attrelid = to_regclass('public.schema_migrations')
                 and attname = 'checksum') as "isPrepared"`;

async function readFacts(sql: Sql) {
  const [facts] = await sql.query(readFactsSql);
  if (!facts) throw new Error('a query of one row gave none');
  return facts;
}

async function checkRights(
  sql: Sql,
  facts: { userName: string; mayCreateTables: boolean; mayCreateRoles: boolean },
): Promise<void> {
  const { userName } = facts;
  const advice = facts.mayCreateTables ? [] : [`grant create on schema public to ${userName};`];
  const { roles } = await inspectDatabase(sql);
  for (const name of facts.mayCreateRoles ? [] : requiredRoles) {
    const role = roles.find((existing) => existing.name === name);
    // safe: it is only shown to the operator.
    if (!role) advice.push(`create role ${name} nologin role ${userName};`);
    else if (!role.mayBeTaken) advice.push(`grant ${name} to ${userName};`);
  }
  if (advice.length === 0) return;
  throw new OperatorError(
    `The user ${userName} lacks rights on the target: an administrator has to run once, in that database: ` +
      advice.join(' '),
  );
}

/** How far a move to the target has got; null without one. */
export async function readMove(target: Database): Promise<DatabaseMove | null> {
  if (!(await hasTable(target.asOwner, 'database_moves'))) return null;
  return await readNote(async () => await findMove(target.asOwner));
}

/** Refuses a database that another move, or none at all, has filled. */
async function checkRows(
  target: Database,
  move: DatabaseMove | null,
  ownMoveId: string | null,
): Promise<void> {
  if (move?.state === 'finished') throw notEmpty('the data of a move that was finished');
  if (move && move.moveId !== ownMoveId)
    throw new OperatorError(
      'The target has the unfinished move of another data folder: finish it from that folder, or create an empty ' +
        'database for this move.',
    );
  if (move || !(await hasTable(target.asOwner, 'companies'))) return;
  if (await target.inSystem(hasAnyCompany)) throw notEmpty('a company, because a service was started on it');
}

export type TargetState = {
  /** The migrations that it lacks. */
  pending: string[];
  /** The interrupted move of the same folder. Its rows are copied again. */
  move: DatabaseMove | null;
};

/**
 * Throws an OperatorError if the target cannot receive a move. `ownMoveId` is that of the interrupted move of the data
 * folder, if there was one.
 */
export async function checkTarget(target: Database, ownMoveId: string | null): Promise<TargetState> {
  const sql = target.asOwner;
  const facts = await readFacts(sql);
  if (facts.encoding !== 'UTF8')
    throw new OperatorError(
      `The target has the encoding ${facts.encoding}, and Paylink needs UTF8: create the database with ` +
        "encoding 'UTF8' template template0.",
    );
  const [table] = facts.isPrepared ? [] : await listTableNames(sql);
  if (table !== undefined) throw notEmpty(`the table ${table}, which is not of Paylink`);
  await checkRights(sql, facts);
  const pending = await listPendingMigrations(target, { dir: migrationsDir, log: () => undefined });
  const move = await readMove(target);
  await checkRows(target, move, ownMoveId);
  return { pending, move };
}

/** Throws an OperatorError if a table has rows. The owner sees all rows, and has locked the tables. */
export async function requireNoRows(sql: Sql, tables: readonly MovedTable[]): Promise<void> {
  for (const { name, sqlName } of tables) {
    if (filledByMigrations.has(name)) continue;
    // safe: the name comes from the catalogue, quoted by format().
    const rows = await sql.query(`select true as found from ${sqlName} limit 1`);
    if (rows.length > 0) throw notEmpty(`rows in the table ${name}`);
  }
}

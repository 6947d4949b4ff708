// Checks that a company can be moved, before anything is written. Each refusal is a sentence with the remedy. Must not:
// change anything.

import { OperatorError } from '../base/operator-error.ts';
import { requireCellServer, requireKnownVersion } from '../cells/inspect-cells.ts';
import { readClock, skewOf } from '../db/clock-skew.ts';
import { first, statement, t } from '../db/statements.ts';
import { readLastMigration } from '../move/export-company.ts';
import { listMovedTables, type MovedTable, requireOwnTables, tablesOfCompanies } from '../move/tables.ts';
import type { Cell } from './find-company.ts';
import { listUnidentifiedTables } from './replication.ts';

const Rights = {
  user: t.text,
  userName: t.text,
  databaseName: t.text,
  isSuperuser: t.bool,
  bypassesRows: t.bool,
  mayReplicate: t.bool,
  maySubscribe: t.bool,
  mayCreate: t.bool,
  seesStandbys: t.bool,
  canSubscribe: t.bool,
  workers: t.int4,
};

const readRightsSql = statement(Rights)`
  select rolname::text as "user", quote_ident(rolname) as "userName", quote_ident(current_database()) as "databaseName",
         rolsuper is true as "isSuperuser", rolsuper or rolbypassrls as "bypassesRows",
         rolsuper or rolreplication as "mayReplicate",
         rolsuper or exists (select from pg_roles s where s.rolname = 'pg_create_subscription'
                             and pg_has_role(current_user, s.oid, 'member')) as "maySubscribe",
         has_database_privilege(current_database(), 'create') as "mayCreate",
         pg_has_role(current_user, 'pg_read_all_stats', 'usage') as "seesStandbys",
         exists (select from pg_roles where rolname = 'pg_create_subscription') as "canSubscribe",
         current_setting('max_logical_replication_workers')::int as workers
  from pg_roles where rolname = current_user`;

/** The user of a cell. Throws an OperatorError, with what to run, if it lacks rights that a move needs. */
export async function requireRights({ name, db }: Cell): Promise<string> {
  const rights = first(await db.asOwner.query(readRightsSql));
  if (!rights) throw new Error('the user of the session has no role');
  const { userName, isSuperuser, canSubscribe } = rights;
  if (!isSuperuser) {
    const grants = [
      // safe: statements for the operator, which the program does not run.
      ...(rights.bypassesRows ? [] : [`alter role ${userName} bypassrls;`]),
      // safe: the same.
      ...(rights.mayReplicate ? [] : [`alter role ${userName} replication;`]),
      // safe: the same.
      ...(rights.maySubscribe ? [] : [`grant pg_create_subscription to ${userName};`]),
      // safe: the same.
      ...(rights.mayCreate ? [] : [`grant create on database ${rights.databaseName} to ${userName};`]),
      // safe: the same.
      ...(rights.seesStandbys ? [] : [`grant pg_read_all_stats to ${userName};`]),
    ];
    // Before PostgreSQL 16 only a superuser may subscribe, and has the other rights as well.
    // safe: the same.
    const lacking = canSubscribe ? grants : [`alter role ${userName} superuser;`];
    if (lacking.length > 0)
      throw new OperatorError(
        `The user ${userName} of the cell ${name} lacks rights that a move needs. An administrator has to run once there: ` +
          lacking.join(' '),
      );
  }
  if (rights.workers === 0)
    throw new OperatorError(
      `The server of the cell ${name} has max_logical_replication_workers = 0: set it to 4 at least, and restart it.`,
    );
  return rights.user;
}

async function requireOneMigration(source: Cell, target: Cell): Promise<void> {
  const [ours, theirs] = [
    await readLastMigration(source.db.asOwner),
    await readLastMigration(target.db.asOwner),
  ];
  if (ours === theirs) return;
  for (const { name, db } of [source, target]) await requireKnownVersion(name, db);
  throw new OperatorError(
    `The cells ${source.name} (last migration ${ours}) and ${target.name} (${theirs}) have different versions: upgrade both ` +
      'first, by "paylink admin migrate".',
  );
}

function requireSameShape(source: Cell, target: Cell, [ours, theirs]: [MovedTable[], MovedTable[]]): void {
  const shapes = new Map(theirs.map(({ name, shape }) => [name, shape]));
  const different = ours.filter(({ name, shape }) => shapes.get(name) !== shape).map(({ name }) => name);
  if (different.length === 0 && ours.length === theirs.length) return;
  throw new OperatorError(
    `The tables of the cells ${source.name} and ${target.name} differ (${different.join(', ')}): restore them as schema.sql ` +
      'has them.',
  );
}

async function requireIdentities({ name, db }: Cell, tables: readonly MovedTable[]): Promise<void> {
  const unidentified = await listUnidentifiedTables(db.asOwner, tables);
  if (unidentified.length === 0) return;
  throw new OperatorError(
    `The replica identity of these tables of the cell ${name} has no company_id: ${unidentified.join(', ')}. A move would make ` +
      'their rows unchangeable for all companies until it ends: restore the tables as schema.sql has them.',
  );
}

/** Leases of due work move along, and the shortest lasts 30 s. */
const maxSkewMs = 5_000;

/** The work of a lease that seems to have ended early would be done twice. */
async function requireOneTime(source: Cell, target: Cell): Promise<void> {
  const before = await readClock(source.db.asOwner);
  const there = await readClock(target.db.asOwner);
  const skewMs = skewOf(there, { before, after: await readClock(source.db.asOwner) });
  if (skewMs > maxSkewMs)
    throw new OperatorError(
      `The clocks of the servers of ${source.name} and ${target.name} are ${Math.round(skewMs / 1_000)} s apart, so the new cell ` +
        'could do work twice. Synchronise both by NTP.',
    );
}

/** The tables to move, and who the target connects to the source as. Throws an OperatorError: nothing was changed. */
export async function checkMove(source: Cell, target: Cell): Promise<{ tables: MovedTable[]; user: string }> {
  for (const { name, db } of [source, target]) await requireCellServer(name, db);
  const user = await requireRights(source);
  await requireRights(target);
  await requireOneTime(source, target);
  await requireOneMigration(source, target);
  const tables = tablesOfCompanies(await listMovedTables(source.db.asOwner));
  const theirs = tablesOfCompanies(await listMovedTables(target.db.asOwner));
  requireSameShape(source, target, [tables, theirs]);
  requireOwnTables(tables);
  requireOwnTables(theirs);
  await requireIdentities(source, tables);
  return { tables, user };
}

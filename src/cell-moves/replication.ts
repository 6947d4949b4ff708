// What PostgreSQL replicates a company by: a publication of its rows and a slot in the source, and a subscription in the
// target. All have the name of the move, so what a killed command left is found by name. Must not: leave a slot behind, which
// would keep all later log of its server on disk.

import { setTimeout as pause } from 'node:timers/promises';
import { isCompanyId } from '../base/ids.ts';
import { OperatorError } from '../base/operator-error.ts';
import type { Sql } from '../db/engine.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { unlimitedSettings } from '../db/session-settings.ts';
import { first, statement, t } from '../db/statements.ts';
import type { MovedTable } from '../move/tables.ts';
import type { Cell } from './find-company.ts';
import { requireArrival } from './lock-homes.ts';
import { moveNameOf } from './move-names.ts';

/** How long workers may take to end after they were stopped. */
const endLimitMs = 30_000;
const pollMs = 50;

const listUnidentifiedSql = statement({ name: t.text })`
  select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and c.relreplident <> 'f' and not exists (
    select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    where i.indrelid = c.oid and i.indimmediate and a.attname = 'company_id'
      and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident end)
  order by name`;

/**
 * The tables whose replica identity lacks the ID of the company. While one of them is published, PostgreSQL refuses every
 * update and delete in it, of all companies, because it could not tell whose row it is.
 */
export async function listUnidentifiedTables(sql: Sql, tables: readonly MovedTable[]): Promise<string[]> {
  return (await sql.query(listUnidentifiedSql, [tables.map(({ name }) => name)])).map(({ name }) => name);
}

/**
 * In the source. As the owner of the tables. PostgreSQL applies no filter to a truncate, so one in the source would remove the
 * rows of all companies in the target: it is not published.
 */
export async function publish(sql: Sql, companyId: string, tables: readonly MovedTable[]): Promise<void> {
  if (!isCompanyId(companyId)) throw new Error('not the ID of a company');
  // safe: the ID has only letters, digits and "_"; the names come from the catalogue, quoted by format().
  const list = tables.map(({ sqlName }) => `${sqlName} where (company_id = '${companyId}')`);
  // safe: the same.
  await sql.query(
    `create publication ${moveNameOf(companyId)} for table ${list.join(', ')} with (publish = 'insert, update, delete')`,
  );
}

/**
 * In the source, before the subscription. `create subscription` would create it inside its own transaction, and wait for the
 * end of all transactions: also its own, if both cells are on one server.
 */
export async function createSlot(sql: Sql, companyId: string): Promise<void> {
  await sql.query("select pg_create_logical_replication_slot($1, 'pgoutput')", [moveNameOf(companyId)]);
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Keeps the password of the transaction out of the log of the server, if the user may do so. */
const hideStatementsSql = `
  select set_config(name, value, true)
  from (values ('log_statement', 'none'), ('log_min_duration_statement', '-1'), ('log_min_error_statement', 'panic'))
       as hidden(name, value)
  where has_parameter_privilege(name, 'set')`;

/**
 * In the target, for one arrival. Throws an OperatorError if that has ended, or if the server cannot connect to that of the
 * source.
 */
export async function subscribe(
  sql: Sql,
  { companyId, generation, connection }: { companyId: string; generation: string; connection: string },
): Promise<void> {
  const name = moveNameOf(companyId);
  // safe: the name has only letters, digits and "_"; the connection string is quoted.
  const text = `create subscription ${name} connection E${quote(connection.replaceAll('\\', '\\\\'))} publication ${name}
    with (create_slot = false, slot_name = ${name}, copy_data = true, enabled = true)`;
  const settings = unlimitedSettings('server');
  await inOwnTransaction(sql, { settings }, async () => {
    await requireArrival(sql, companyId, generation);
    await sql.query(hideStatementsSql);
    await sql.query(text);
  }).catch((error: unknown) => {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `The server of the target could not subscribe to the source: ${reason.replaceAll(connection, '…')}. It connects to ` +
        'the address of DATABASE_DIRECT_URLS or DATABASE_URLS, which must be right from there, too.',
    );
  });
  await requireTables(sql, name);
}

const countTablesSql = statement({ tables: t.int4 })`
  select count(*)::int as tables from pg_subscription_rel r join pg_subscription s on s.oid = r.srsubid
  where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`;

/** The address may lead elsewhere from there, such as one on the loopback interface. */
async function requireTables(sql: Sql, name: string): Promise<void> {
  if ((first(await sql.query(countTablesSql, [name]))?.tables ?? 0) > 0) return;
  throw new OperatorError(
    'From the server of the target, the address of the source leads to another database: correct it in DATABASE_DIRECT_URLS ' +
      'or DATABASE_URLS, so that it is right from there, too.',
  );
}

const Subscription = { id: t.text, system: t.text, workers: t.int4 };

const findSubscriptionSql = statement(Subscription)`
  select s.oid::text as id, (select system_identifier::text from pg_control_system()) as system,
         (select count(*)::int from pg_stat_subscription w where w.subid = s.oid and w.pid is not null) as workers
  from pg_subscription s
  where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`;

const listSlotsSql = statement({ name: t.text, pid: t.nullable(t.int4) })`
  select slot_name::text as name, active_pid as pid from pg_replication_slots
  where database = current_database() and (slot_name = $1 or slot_name like $2)`;

type Stopped = { id: string; system: string };

/** Stops a subscription. Null if there is none. */
async function disable(sql: Sql, name: string): Promise<Stopped | null> {
  const found = first(await sql.query(findSubscriptionSql, [name]));
  if (!found) return null;
  // safe: names of moves have only letters, digits and "_".
  await sql.query(`alter subscription ${name} disable`);
  const until = performance.now() + endLimitMs;
  for (;;) {
    const now = first(await sql.query(findSubscriptionSql, [name]));
    if (!now || now.workers === 0 || performance.now() > until) return found;
    await pause(pollMs);
  }
}

/** Drops the slots of a move, and those of the copies of its tables. Slots without a subscriber only. */
async function dropSlots(sql: Sql, { name, like }: { name: string; like: string }): Promise<void> {
  for (const until = performance.now() + endLimitMs; ; ) {
    const slots = await sql.query(listSlotsSql, [name, like]);
    if (slots.length === 0) return;
    for (const slot of slots) {
      // Its subscriber is gone, which the server may notice late.
      if (slot.pid !== null) await sql.query('select pg_terminate_backend($1)', [slot.pid]);
      else
        await sql.query('select pg_drop_replication_slot($1)', [slot.name]).catch((error: unknown) => {
          if (performance.now() > until) throw error;
        });
    }
    if (performance.now() > until)
      throw new OperatorError(
        `The slots of the move could not be dropped: ${slots.map((slot) => slot.name).join(', ')}. Run the command again.`,
      );
    await pause(pollMs);
  }
}

/** The slots that the copies of single tables have in the source: their names have the subscription and its server. */
const slotsOfCopies = ({ id, system }: Stopped) => `pg\\_${id}\\_sync\\_%\\_${system}`;

/**
 * Drops what a company moves by, in all cells: also what a command left that was killed, or that moved another way. The
 * subscriptions end first, and are dropped last: only they name the slots of unfinished copies.
 */
export async function stopReplication(cells: readonly Cell[], companyId: string): Promise<void> {
  const name = moveNameOf(companyId);
  const stopped: (Stopped & { cell: Cell })[] = [];
  for (const cell of cells) {
    const found = await cell.db.withConnection(async (sql) => await disable(sql, name));
    if (found) stopped.push({ ...found, cell });
  }
  for (const { db } of cells)
    await db.withConnection(async (sql) => {
      await dropSlots(sql, { name, like: '' });
      for (const each of stopped) await dropSlots(sql, { name, like: slotsOfCopies(each) });
    });
  for (const { cell } of stopped)
    await cell.db.withConnection(async (sql) => {
      // safe: names of moves have only letters, digits and "_".
      await sql.query(`alter subscription ${name} set (slot_name = none)`);
      // safe: the same.
      await sql.query(`drop subscription ${name}`);
    });
  // safe: the same.
  for (const { db } of cells) await db.asOwner.query(`drop publication if exists ${name}`);
}

export type LeftOver = { kind: 'publication' | 'slot' | 'subscription'; name: string };

const LeftOverRow = { kind: t.oneOf('publication', 'slot', 'subscription'), name: t.text };

const listLeftOversSql = statement(LeftOverRow)`
  select 'publication' as kind, pubname::text as name from pg_publication where pubname like 'paylink\_move\_%'
  union all
  select 'slot', slot_name::text from pg_replication_slots
  where database = current_database()
    and (slot_name like 'paylink\_move\_%' or (slot_name ~ '^pg_[0-9]+_sync_[0-9]+_[0-9]+$' and not active))
  union all
  select 'subscription', subname::text from pg_subscription
  where subname like 'paylink\_move\_%' and subdbid = (select oid from pg_database where datname = current_database())
  order by kind, name`;

/**
 * What moves use in a cell, now or since a command was killed. A slot of the copy of one table may belong to another
 * replication; one that is used is left out.
 */
export async function listReplication(sql: Sql): Promise<LeftOver[]> {
  return await sql.query(listLeftOversSql);
}

/** What the moves of one company use in a cell. */
export async function listReplicationOf(sql: Sql, companyId: string): Promise<LeftOver[]> {
  const wanted = moveNameOf(companyId);
  return (await listReplication(sql)).filter(({ name }) => name === wanted);
}

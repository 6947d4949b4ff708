// What a server must offer to have a cell: companies come and go by logical replication. Must not: change anything.

import { OperatorError } from '../base/operator-error.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { listPendingMigrations, migrationsDir } from '../db/migrate.ts';
import { statement, t } from '../db/statements.ts';

const ServerFacts = {
  walLevel: t.text,
  maxSlots: t.int4,
  usedSlots: t.int4,
  maxSenders: t.int4,
  usedSenders: t.int4,
  isInRecovery: t.bool,
};

const readFactsSql = statement(ServerFacts)`
  select current_setting('wal_level') as "walLevel", current_setting('max_replication_slots')::int as "maxSlots",
    (select count(*)::int from pg_replication_slots) as "usedSlots",
    current_setting('max_wal_senders')::int as "maxSenders",
    (select count(*)::int from pg_stat_replication) as "usedSenders",
    pg_is_in_recovery() as "isInRecovery"`;

/** Throws an OperatorError, with the remedy, if the server of a cell cannot send and receive companies. */
export async function requireCellServer(name: string, database: Database): Promise<void> {
  if (database.kind === 'embedded') throw new OperatorError('An embedded database cannot be a cell.');
  const [facts] = await database.withConnection(async (sql) => await sql.query(readFactsSql));
  if (!facts) throw new Error('a select without a table gave no row');
  const refuse = (why: string) => new OperatorError(`The server of the cell ${name} ${why}`);
  if (facts.isInRecovery) throw refuse('is a standby: give the address of the primary.');
  if (facts.walLevel !== 'logical')
    throw refuse(
      `runs with wal_level = ${facts.walLevel}: set wal_level = logical, which companies are moved by, and restart it.`,
    );
  if (facts.maxSlots - facts.usedSlots < 2)
    throw refuse('has no free replication slots: raise max_replication_slots, and restart it.');
  if (facts.maxSenders - facts.usedSenders < 2)
    throw refuse('has too few free WAL senders: raise max_wal_senders, and restart it.');
}

/** Throws an OperatorError if a later version of Paylink has migrated the database. Changes nothing. */
export async function requireKnownVersion(name: string, database: Database): Promise<void> {
  const notes: string[] = [];
  await listPendingMigrations(database, { dir: migrationsDir, log: (line) => notes.push(line) });
  const [newer] = notes;
  if (newer)
    throw new OperatorError(
      `The cell ${name}: ${newer}. Run this command with the version of Paylink that migrated it.`,
    );
}

const readPlaceSql = statement({ place: t.text })`
  select concat_ws(' ', pg_postmaster_start_time(), oid, datname) as place from pg_database
  where datname = current_database()`;

/** What identifies a database, whatever its address. */
export async function readPlace(sql: Sql): Promise<string> {
  return (await sql.query(readPlaceSql))[0]?.place ?? '';
}

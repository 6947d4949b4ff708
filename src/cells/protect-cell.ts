// Makes a database refuse what does not respect cells: processes that know of none, and work on companies that are not at
// home. All processes do it at their start, because a migration may have added a table. Must not: hold up the service behind
// a long transaction.

import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import { isStatementError } from '../db/connection.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { serverSettings } from '../db/session-settings.ts';
import { findThisCell, hideCompaniesElsewhere, listUnhidingTables, requireEntry } from './home-store.ts';

/** One process at a time does it: a fixed number that nothing else uses. */
const lockKey = 7_310_595_316_855;
const lockNotAvailable = '55P03';
/** Who waits for a lock holds up everybody behind it, so each try is short. */
const tryMs = 500;
const tries = 60;
const triesPauseMs = 500;

/** Runs work in a transaction that waits for locks for a moment only, again and again. Throws an OperatorError in the end. */
export async function withShortLocks(database: Database, work: (sql: Sql) => Promise<void>): Promise<void> {
  const settings = { ...serverSettings, lock_timeout: String(tryMs) };
  for (let tried = 1; ; tried += 1) {
    try {
      return await database.withConnection(
        async (sql) =>
          await inOwnTransaction(sql, { settings }, async () => {
            await sql.query('select pg_advisory_xact_lock($1)', [lockKey]);
            await work(sql);
          }),
      );
    } catch (error) {
      if (!(isStatementError(error) && error.code === lockNotAvailable)) throw error;
      if (tried === tries)
        throw new OperatorError(
          'A long transaction keeps a table locked: end it (pg_stat_activity shows it), then run this again.',
          { cause: error },
        );
      await pause(triesPauseMs);
    }
  }
}

/** Hides companies that are not at home from work on all companies, one table after the other. */
export async function hideElsewhere(database: Database): Promise<void> {
  for (const table of await listUnhidingTables(database.asOwner))
    await withShortLocks(database, async (sql) => {
      // Another process may have done it meanwhile.
      if ((await listUnhidingTables(sql)).includes(table)) await hideCompaniesElsewhere(sql, table);
    });
}

/** As the owner of the tables, after migrations. Nothing changes in a database that is no cell. */
export async function protectCell(database: Database): Promise<void> {
  if (!(await findThisCell(database.asOwner))) return;
  await hideElsewhere(database);
  await withShortLocks(database, requireEntry);
}

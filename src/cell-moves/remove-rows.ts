// Removes the rows of a company from a cell in which it is not at home: after it has moved on, or when its arrival is
// cancelled. Nobody sees these rows, so they are removed in small transactions, and the command can be killed between them.
// Must not: remove a row where the company is at home.

import { OperatorError } from '../base/operator-error.ts';
import { lockRecord } from '../cells/home-store.ts';
import type { Sql } from '../db/engine.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { serverSettings, unlimitedSettings } from '../db/session-settings.ts';
import { statement, t } from '../db/statements.ts';
import { listMovedTables, type MovedTable, tablesOfCompanies } from '../move/tables.ts';
import type { Cell } from './find-company.ts';

const rowsAtATime = 10_000;

const maySkipChecksSql = statement({ may: t.bool })`
  select rolsuper is true as may from pg_roles where rolname = current_user`;

type RemovedCompany = {
  companyId: string;
  /** Of the row in company_homes that says that these rows are not needed. */
  generation: string;
};

async function removeSome(
  sql: Sql,
  { sqlName }: MovedTable,
  { companyId, generation, skipsChecks }: RemovedCompany & { skipsChecks: boolean },
): Promise<number> {
  return await inOwnTransaction(sql, { settings: unlimitedSettings('server') }, async () => {
    const record = await lockRecord(sql, companyId);
    if (record === null || record.status === 'home' || record.generation !== generation)
      throw new OperatorError(
        `Another command has changed where ${companyId} is, so its rows were not removed. Run the command again.`,
      );
    // All rows of the company go. Looking for references to each of them would take most of the time.
    if (skipsChecks) await sql.query("select set_config('session_replication_role', 'replica', true)");
    const [removed] = await sql.query(
      // safe: the name comes from the catalogue, quoted by format().
      `with removed as (
         delete from ${sqlName} where ctid = any(array(select ctid from ${sqlName} where company_id = $1 limit ${rowsAtATime}))
         returning true)
       select count(*)::text as count from removed`,
      [companyId],
    );
    return Number(removed?.count);
  });
}

/** Removes all rows, those that refer to others first. Returns their number. */
export async function removeRows({ db }: Cell, company: RemovedCompany): Promise<number> {
  const tables = tablesOfCompanies(await listMovedTables(db.asOwner)).toReversed();
  const skipsChecks = (await db.asOwner.query(maySkipChecksSql))[0]?.may ?? false;
  return await db.withConnection(async (sql) => {
    let rows = 0;
    for (const table of tables)
      for (;;) {
        const removed = await removeSome(sql, table, { ...company, skipsChecks });
        rows += removed;
        if (removed < rowsAtATime) break;
      }
    return rows;
  });
}

/** The tables in which a cell has rows of a company. */
export async function listTablesWithRows({ db }: Cell, companyId: string): Promise<string[]> {
  const tables = tablesOfCompanies(await listMovedTables(db.asOwner));
  const text = tables
    .map(
      ({ name, sqlName }) =>
        // safe: the names come from the catalogue, quoted by format(); a table's name has no quote.
        `select '${name}' as name where exists (select from ${sqlName} where company_id = $1)`,
    )
    .join(' union all ');
  // A company of which a large table has no rows would have all of it read.
  const settings = { ...serverSettings, enable_seqscan: 'off' };
  const found = await db.withConnection(
    async (sql) => await inOwnTransaction(sql, { settings }, async () => await sql.query(text, [companyId])),
  );
  return found.map(({ name }) => String(name));
}

// During the freeze of a move, a large table is compared from its mark on: the rows from there must be few, also if one account,
// connection or endpoint has all rows of the company.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countCompany, readMarks } from '../../src/cell-moves/compare-company.ts';
import { openDatabase } from '../../src/db/database.ts';
import { listMovedTables, type MovedTable, tablesOfCompanies } from '../../src/move/tables.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../harness/database-fixture.ts';

let fixture: DatabaseFixture;
let tables: MovedTable[];
before(async () => {
  fixture = await openDatabaseFixture('server');
  tables = tablesOfCompanies(await listMovedTables(fixture.db.asOwner));
});
after(async () => await fixture?.stop());

/** Tables without a mark are compared whole, so they must stay small. */
const small: Readonly<Record<string, string>> = {
  companies: 'one row',
  ledger_totals: 'a fixed number of rows for each currency',
  logins: 'one row for each account',
  payment_word_positions: 'one row',
  test_clocks: 'one row',
};

/** A value of the mark has several rows, but never many. */
const fewOfEach: Readonly<Record<string, string>> = {
  payment_words: 'the words of a payment',
  processor_cases: 'the cases of an attempt',
  processor_notice_counts: 'one row for each verdict',
  recovery_codes: 'ten codes for each account',
  webhook_tries: 'the tries of a delivery',
};

/** Unique and other indexes, as lists of their columns. */
async function readIndexes(): Promise<{ name: string; columns: string[]; isUnique: boolean }[]> {
  return await fixture.db.asOwner.query(
    `select i.indrelid::regclass::text as name, i.indisunique and i.indpred is null as "isUnique",
            array(select coalesce(quote_ident(a.attname), '') from unnest(i.indkey) with ordinality as k (attnum, place)
                  left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum order by k.place) as columns
     from pg_index i`,
  );
}

test('every table of a company has a mark with few rows of each value, or stays small', async () => {
  const marks = await readMarks(fixture.db.asOwner);
  const indexes = await readIndexes();
  const [withoutMark, withMany, withoutIndex]: string[][] = [[], [], []];
  for (const { name, columns } of tables) {
    const mark = marks.get(name);
    const own = indexes.filter((index) => index.name === name);
    if (!mark) withoutMark?.push(name);
    else if (mark.type === 'timestamptz') {
      assert.ok(columns.includes(mark.column), `${name} has no column ${mark.column}`);
      if (!own.some((index) => index.columns[0] === mark.column)) withoutIndex?.push(name);
    } else {
      const isWhole = (key: string[]) =>
        key.every((column) => ['company_id', 'mode', mark.column].includes(column));
      if (!own.some((index) => index.isUnique && isWhole(index.columns))) withMany?.push(name);
    }
  }
  assert.deepEqual(
    withoutMark?.sort(),
    Object.keys(small),
    'a new table that stays small belongs into the list',
  );
  assert.deepEqual(
    withMany?.sort(),
    Object.keys(fewOfEach),
    'the first column of the key may have many rows: add a time to the list in compare-company.ts',
  );
  assert.deepEqual(withoutIndex, [], 'without an index on the time, the freeze reads all rows');
});

const rows = 3_000;
const seeds = {
  idempotency_keys: `
    insert into idempotency_keys (company_id, account_id, key, fingerprint, seed, subject_at, leased_until, created_at, mode)
    select $1, 'acc_one', md5(i::text), sha256('a'), sha256('a'), now(), now(), now() + interval '1 microsecond' * i, 'test'
    from generate_series(1, $2::int) i`,
  processor_notices: `
    insert into processor_notices (company_id, connection_id, notice_id, received_at, mode)
    select $1, 'con_one', md5(i::text), now() + interval '1 microsecond' * i, 'test' from generate_series(1, $2::int) i`,
  ledger_totals: `
    insert into ledger_totals (company_id, debit_account, credit_account, currency, shard, amount_minor, mode)
    select $1, 'processor', 'merchant', 'EUR', i, 1, 'test' from generate_series(1, $2::int) i`,
};

test('one row is compared of the keys of one account and the notices of one connection, and all totals of the ledger', async () => {
  const { db } = fixture;
  const companyId = await fixture.createCompany();
  await db.withConnection(async (sql) => {
    // Without the connection that they name.
    await sql.query('begin; set local session_replication_role = replica');
    for (const text of Object.values(seeds)) await sql.query(text, [companyId, rows]);
    await sql.query('commit');
  });
  // The same database as a second cell.
  const copy = await openDatabase(fixture.options);
  const sides = { source: { name: 'eu1', db }, target: { name: 'eu2', db: copy } };
  const plans = await countCompany(sides, { companyId, tables }).finally(async () => await copy.close());
  const compared = new Map<string, number>();
  for (const { name, sqlName, tail } of plans) {
    if (!(name in seeds)) continue;
    const [row] = await db.asOwner.query<{ count: number }>(
      `select count(*)::int as count from ${sqlName}
       where company_id = $1 and ${tail ? `${tail.column} >= $2::text::${tail.type}` : '$2::text is null'}`,
      [companyId, tail?.mark ?? null],
    );
    compared.set(name, row?.count ?? 0);
  }
  assert.deepEqual(Object.fromEntries(compared), {
    idempotency_keys: 1,
    ledger_totals: rows,
    processor_notices: 1,
  });
});

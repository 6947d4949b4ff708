import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listUnidentifiedTables } from '../../src/cell-moves/replication.ts';
import { listMovedTables, tablesOfCompanies } from '../../src/move/tables.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../harness/database-fixture.ts';

let fixture: DatabaseFixture;
before(async () => {
  fixture = await openDatabaseFixture('server');
});
after(async () => await fixture?.stop());

async function listUnidentified(): Promise<string[]> {
  const { asOwner } = fixture.db;
  return await listUnidentifiedTables(asOwner, tablesOfCompanies(await listMovedTables(asOwner)));
}

test('every table of companies can be published: its replica identity has company_id', async () => {
  assert.deepEqual(
    await listUnidentified(),
    [],
    'a migration that creates a table with company_id has the column in its primary key, or adds a unique index with it and ' +
      '"alter table … replica identity using index …", as 0055_cells.sql does for logins; otherwise no row of the table can ' +
      'be changed while a company is moved',
  );
});

test('each way in which a table lacks it is found, and no other table', async () => {
  const { asOwner } = fixture.db;
  const columns = 'company_id text not null, id int not null';
  for (const text of [
    `create table lacks_key (${columns})`,
    `create table lacks_company (${columns}, primary key (id))`,
    `create table lacks_immediate (${columns}, primary key (company_id, id) deferrable)`,
    `create table lacks_all (${columns}, primary key (company_id, id))`,
    'alter table lacks_all replica identity nothing',
    `create table lacks_in_index (${columns}, primary key (company_id, id), constraint only_id unique (id))`,
    'alter table lacks_in_index replica identity using index only_id',
    `create table has_key (${columns}, primary key (company_id, id))`,
    `create table has_index (${columns}, primary key (id), constraint whole unique (company_id, id))`,
    'alter table has_index replica identity using index whole',
    `create table has_full (${columns})`,
    'alter table has_full replica identity full',
  ])
    await asOwner.query(text);
  const lacking = await listUnidentified();
  assert.deepEqual(lacking, ['lacks_all', 'lacks_company', 'lacks_immediate', 'lacks_in_index', 'lacks_key']);
  // PostgreSQL says the same.
  const companyId = await fixture.createCompany();
  const made = ['has_full', 'has_index', 'has_key', ...lacking];
  const list = made.map((name) => `${name} where (company_id = '${companyId}')`);
  await asOwner.query(`create publication of_all for table ${list.join(', ')}`);
  const refused: string[] = [];
  for (const name of made)
    await asOwner.query(`delete from ${name}`).catch(() => {
      refused.push(name);
    });
  assert.deepEqual(refused, lacking);
});

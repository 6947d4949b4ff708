// Making a database a cell: beside a service that works, interrupted, repeated, and by several processes at once.

import assert from 'node:assert/strict';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { addCell } from '../../src/cell-admin/add-cell.ts';
import { protectCell } from '../../src/cells/protect-cell.ts';
import { withRawCell } from '../../src/cli/cells.ts';
import { findLoginOf } from '../../src/companies/logins.ts';
import { readConfig } from '../../src/config.ts';
import { createCompany } from '../../src/create-company.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/engine.ts';
import { migrate, migrationsDir } from '../../src/db/migrate.ts';
import { openConfiguredDatabase, prepareForService } from '../../src/open-database.ts';
import { openPasswordPool } from '../../src/passwords/password-pool.ts';
import { cheapPasswordCost, password } from '../harness/paylink.ts';
import { type CellsRig, masterKey, masterKeys, openCellsRig } from './cells-rig.ts';

let rig: CellsRig;
const silent = () => undefined;
const passwords = openPasswordPool(undefined, cheapPasswordCost);
const openCell = async (name: string) => await rig.openRaw(name);
const prepare = async (each: Database) => await prepareForService(each, { masterKeys, log: silent });

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'one' });
});

after(async () => {
  await passwords.close();
  await rig?.close();
});

async function open(url: string): Promise<Database> {
  const database = await openDatabase({ databaseUrl: url, dataDir: 'unused', poolSize: 4, log: silent });
  rig.cleaner.add(async () => await database.close());
  return database;
}

/** A database with a company, as a service with DATABASE_URL uses it. */
async function newInstallation(name: string, email: string) {
  const { url } = await rig.newPlace(name, 'one');
  const database = await open(url);
  await prepare(database);
  const company = { name: 'Shop', country: 'DE', email, password };
  const { companyId } = await createCompany({ db: database, clock: systemClock, passwords }, company);
  const config = readConfig({ DATABASE_URLS: `${name}=${url}`, PAYLINK_MASTER_KEY: masterKey });
  return { url, database, companyId, config };
}

test('four processes that start at once after a migration that adds a table all protect the cell', async () => {
  const { asOwner } = await rig.openRaw('eu2');
  const four = await Promise.all([1, 2, 3, 4].map(async () => await open(rig.place('eu2').url)));
  for (let round = 0; round < 5; round++) {
    await asOwner.query('drop policy at_home on mails');
    await Promise.all(four.map(protectCell));
    const found = await asOwner.query(
      "select from pg_policies where policyname = 'at_home' and tablename = 'mails'",
    );
    assert.equal(found.length, 1);
  }
});

test('after an add that was killed before the addresses are in the directory, no process starts until it is repeated', async () => {
  const { database, config } = await newInstallation('fi1', 'first@shop.example');
  const crash = new Error('killed');
  const directory: Database = {
    ...database,
    inSystem: async (work, options) => {
      if (String(work).includes('insertPlaces')) throw crash;
      return await database.inSystem(work, options);
    },
  };
  const cell = { name: 'fi1', weight: 100, database };
  await assert.rejects(addCell({ directory, directoryCell: 'fi1', prepare, openCell }, cell), crash);
  await assert.rejects(
    openConfiguredDatabase(config, { log: silent, prepare }),
    /Adding the cell fi1 was interrupted\. Run again: paylink admin cells add fi1/,
  );
  await addCell({ directory: database, directoryCell: 'fi1', prepare, openCell }, cell);
  const opened = await openConfiguredDatabase(config, { log: silent, prepare });
  assert.ok(await findLoginOf(opened, 'first@shop.example'));
  await opened.close();
});

test('adding a cell again keeps its weight, or sets the given one', async () => {
  const [directory, database] = [await open(rig.place('eu1').url), await open(rig.place('eu2').url)];
  const deps = { directory, directoryCell: 'eu1', prepare, openCell };
  const weightAfter = async (weight: number | null) => {
    const added = await addCell(deps, { name: 'eu2', weight, database });
    const [stored] = await directory.asOwner.query<{ weight: number }>(
      "select weight from cells where name = 'eu2'",
    );
    assert.equal(added.weight, stored?.weight);
    return stored?.weight;
  };
  assert.equal(await weightAfter(7), 7);
  assert.equal(await weightAfter(null), 7);
});

test('an older installation with companies is refused as a second cell, and not migrated', async () => {
  const dir = await rig.cleaner.folder();
  for (const name of await readdir(migrationsDir))
    if (name < '0053') await copyFile(join(migrationsDir, name), join(dir, name));
  const { url } = await rig.newPlace('old', 'one');
  const database = await open(url);
  await migrate(database, { dir, log: silent });
  await database.inCompany('co_0wnabcde', async (tx) => {
    await tx.query(
      "insert into companies (company_id, name, country, created_at) values ($1, 'Own', 'DE', now())",
      [tx.companyId],
    );
  });
  const countMigrations = async () => (await database.asOwner.query('select from schema_migrations')).length;
  const before = await countMigrations();
  const directory = await open(rig.place('eu1').url);
  await assert.rejects(
    addCell({ directory, directoryCell: 'eu1', prepare, openCell }, { name: 'old', weight: 1, database }),
    /The database of old has companies already/,
  );
  assert.equal(await countMigrations(), before);
});

test('requests are answered while a long read keeps a database from becoming a cell', async () => {
  const { database, url, companyId } = await newInstallation('busy', 'busy@shop.example');
  const [isOver, isReading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const scope = { companyId, mode: 'test' } as const;
  const reading = database.inTenant(
    scope,
    async (tx) => {
      await tx.query('select 1 as one from webhook_endpoints');
      isReading.resolve();
      await isOver.promise;
    },
    { isSnapshot: true },
  );
  await isReading.promise;
  const other = await open(url);
  const adding = addCell(
    { directory: other, directoryCell: 'busy', prepare, openCell },
    { name: 'busy', weight: 1, database: other },
  );
  for (let round = 0; round < 5; round++) {
    await sleep(300);
    await database.inTenant(scope, async (tx) => await tx.query('select 1 as one from webhook_endpoints'));
  }
  isOver.resolve();
  await reading;
  assert.equal((await adding).companies, 1);
});

test('the directory in the first cell is prepared past the pooler of that cell', async () => {
  const direct = new URL(rig.place('eu1').url);
  direct.searchParams.set('application_name', 'past the pooler');
  const settings = { ...rig.settings(), DATABASE_DIRECT_URLS: `eu1=${direct.href}` };
  const readName = async (sql: Sql) => {
    const [row] = await sql.query<{ name: string }>("select current_setting('application_name') as name");
    return row?.name;
  };
  const names = await withRawCell(settings, 'eu2', async ({ directory, cell }) => [
    await directory.withConnection(readName),
    await cell.withConnection(readName),
  ]);
  assert.deepEqual(names, ['past the pooler', 'paylink']);
});

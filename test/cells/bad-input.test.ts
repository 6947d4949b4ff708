// Settings that name wrong databases, and databases that cannot be cells: each is refused by name, in one sentence that says
// what to do, and nothing is written to any of the databases.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startCluster } from '../../scripts/cluster.mjs';
import { OperatorError } from '../../src/base/operator-error.ts';
import { addCell } from '../../src/cell-admin/add-cell.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate, migrationsDir } from '../../src/db/migrate.ts';
import { openConfiguredDatabase, prepareForService } from '../../src/open-database.ts';
import { createHome, type Home } from '../harness/cli.ts';
import { until } from '../harness/process.ts';
import { createDatabase, postgresBin } from '../harness/services.ts';
import {
  type CellPlace,
  type CellsRig,
  cellSettings,
  masterKey,
  masterKeys,
  openCellsRig,
} from './cells-rig.ts';

const silent = () => undefined;
let rig: CellsRig;
let home: Home;
/** The first cell of another installation, and an empty database. */
let foreign: CellPlace;
let empty: CellPlace;

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  home = await createHome();
  // A cell without companies may be missing in the settings.
  const eu1 = await rig.openRaw('eu1');
  await eu1.asOwner.query("insert into company_cells (company, cell) values ('co_aaaaaaaa', 'eu2')");
  [foreign, empty] = [await rig.newPlace('eu2', 'two'), await rig.newPlace('eu3', 'two')];
  const directory = await openDatabase({ databaseUrl: foreign.url, dataDir: '', poolSize: 2, log: silent });
  const prepare = async (each: Database) => await prepareForService(each, { masterKeys, log: silent });
  const deps = { directory, directoryCell: 'eu2', prepare, openCell: rig.openRaw };
  await addCell(deps, { name: 'eu2', weight: 100, database: directory });
  await directory.close();
});

after(async () => {
  await rig?.close();
  await home?.remove();
});

const urlOf = (name: string) => rig.place(name).url;

/** Everything in a database, as text. */
async function dump(url: string): Promise<string> {
  const { stdout } = await promisify(execFile)(join(postgresBin(), 'pg_dump'), ['--no-owner', url], {
    maxBuffer: 100_000_000,
  });
  // The restrict keys of a dump are random.
  return stdout.replaceAll(/^\\(un)?restrict .*$/gm, '');
}

const databases = () => [...rig.cells.map(({ url }) => url), foreign.url, empty.url];

/** Runs work that must fail. Returns its message, after a look at all databases: none has changed. */
async function refusalOf(work: () => Promise<unknown>, others: readonly string[] = []): Promise<string> {
  const all = [...databases(), ...others];
  const before = await Promise.all(all.map(dump));
  const error = await work().then(
    () => assert.fail('it was accepted'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OperatorError, String(error instanceof Error ? error.stack : error));
  assert.deepEqual(await Promise.all(all.map(dump)), before);
  assert.doesNotMatch(error.message, /postgres:\/\/|paylink-password/);
  return error.message;
}

/** What the service does with its databases when it starts. */
async function start(settings: Record<string, string>): Promise<string[]> {
  const config = readConfig({ PAYLINK_MASTER_KEY: masterKey, ...settings });
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const db = await openConfiguredDatabase(config, {
    log,
    prepare: async (database) => await prepareForService(database, { masterKeys, log }),
  });
  await db.close();
  return lines;
}

const startWith = (cells: Readonly<Record<string, string>>, others: Record<string, string> = {}) => ({
  DATABASE_URLS: Object.entries(cells)
    .map(([name, url]) => `${name}=${url}`)
    .join(' '),
  ...others,
});

const refusedStart = async (cells: Readonly<Record<string, string>>, others: Record<string, string> = {}) =>
  await refusalOf(async () => await start(startWith(cells, others)));

test('the correct settings are accepted, so the refusals below are of what differs', async () => {
  await start(startWith({ eu1: urlOf('eu1'), eu2: urlOf('eu2') }));
});

describe('a process does not start', () => {
  test('with the database of a cell under a second name and host name', async () => {
    const again = urlOf('eu1').replace('127.0.0.1', 'localhost');
    assert.notEqual(again, urlOf('eu1'));
    assert.match(
      await refusedStart({ eu1: urlOf('eu1'), eu2: again }),
      /^The cell eu2: .* is the cell eu1: correct the address of eu2\./,
    );
  });

  test('with the names of two cells exchanged', async () => {
    assert.match(
      await refusedStart({ eu1: urlOf('eu2'), eu2: urlOf('eu1') }),
      /^The cell eu1: .* is the cell eu2: correct the address of eu1\./,
    );
  });

  test('with a cell of another installation, whatever its name', async () => {
    assert.match(
      await refusedStart({ eu1: urlOf('eu1'), eu2: foreign.url }),
      /^The cell eu2: .* is a cell of another installation: correct the address of eu2\./,
    );
  });

  test('with an empty database, in the place of any cell', async () => {
    assert.match(
      await refusedStart({ eu1: urlOf('eu1'), eu2: empty.url }),
      /^The cell eu2: .* is no cell: correct the address of eu2\./,
    );
    assert.match(
      await refusedStart({ eu1: empty.url, eu2: urlOf('eu2') }),
      /^The cell eu1: .* is no cell: correct the address of eu1, or make it the first cell by: paylink admin cells add eu1\./,
    );
  });

  test('with a database that the installation does not know', async () => {
    assert.match(
      await refusedStart({ eu1: urlOf('eu1'), eu2: urlOf('eu2'), eu9: empty.url }),
      /no cells of the installation: eu9\. Run: paylink admin cells add eu9$/,
    );
  });

  test('with another name for a cell', async () => {
    assert.match(
      await refusedStart({ eu1: urlOf('eu1'), eu9: urlOf('eu2') }),
      /The database of eu9 is the cell eu2: correct the name in DATABASE_URLS\.$/,
    );
  });

  test('without a cell that has companies', async () => {
    const directory = (await rig.openRaw('eu1')).asOwner;
    await directory.query("insert into company_cells (company, cell) values ('co_00000001', 'eu2')");
    assert.match(
      await refusedStart({ eu1: urlOf('eu1') }),
      /DATABASE_URLS does not name these cells of the installation: eu2\. Add them with their addresses\.$/,
    );
    await directory.query('delete from company_cells');
  });

  test('with the cells in an order in which another one than that with the directory is first', async () => {
    const order = { eu2: urlOf('eu2'), eu1: urlOf('eu1') };
    const elsewhere =
      /The directory of the installation is in another database: name the cell that has it first in DATABASE_URLS/;
    assert.match(await refusedStart(order), elsewhere);
    const settings = { DATABASE_URLS: `eu2=${order.eu2} eu1=${order.eu1}`, PAYLINK_MASTER_KEY: masterKey };
    const { err } = await home.run({ ...settings, DATA_DIR: home.folder }, 'admin', 'cells', 'add', 'eu2');
    assert.match(err, elsewhere);
  });

  test('after adding a cell was interrupted', async () => {
    const directory = (await rig.openRaw('eu1')).asOwner;
    await directory.query("update cells set is_listed = false where name = 'eu2'");
    const both = { eu1: urlOf('eu1'), eu2: urlOf('eu2') };
    assert.match(
      await refusedStart(both),
      /Adding the cell eu2 was interrupted\. Run again: paylink admin cells add eu2/,
    );
    await directory.query('update cells set is_listed = true');
  });

  test('with an address past the pooler that leads to another database', async () => {
    const direct = { DATABASE_DIRECT_URLS: `eu2=${empty.url}` };
    assert.match(
      await refusedStart({ eu1: urlOf('eu1'), eu2: urlOf('eu2') }, direct),
      /addresses of eu2 in DATABASE_URLS and DATABASE_DIRECT_URLS lead to different databases/,
    );
  });

  test('with a cell as the directory, or a database without a directory', async () => {
    const cells = { eu1: urlOf('eu1'), eu2: urlOf('eu2') };
    assert.match(
      await refusedStart(cells, { DIRECTORY_DATABASE_URL: foreign.url }),
      /^The directory: .*DIRECTORY_DATABASE_URL gives is the cell eu2, which has a directory: leave DIRECTORY_DATABASE_URL unset/,
    );
    assert.match(
      await refusedStart(cells, { DIRECTORY_DATABASE_URL: empty.url }),
      /^The directory: .*DIRECTORY_DATABASE_URL gives has no directory\./,
    );
  });

  test('with a database that the server does not have, or a user that it refuses', async () => {
    const missing = new URL(urlOf('eu2'));
    missing.pathname = '/nothing_here';
    assert.match(
      await refusedStart({ eu1: urlOf('eu1'), eu2: missing.href }),
      /^The cell eu2: Its database refuses the connection: .*nothing_here/,
    );
    const stranger = new URL(urlOf('eu2'));
    stranger.username = 'nobody_here';
    assert.match(
      await refusedStart({ eu1: urlOf('eu1'), eu2: stranger.href }),
      /^The cell eu2: Its database refuses the connection: .*nobody_here/,
    );
  });

  test('with an address past the pooler that names a database that the server does not have', async () => {
    const missing = new URL(urlOf('eu2'));
    missing.pathname = '/nothing_here';
    assert.match(
      await refusedStart(
        { eu1: urlOf('eu1'), eu2: urlOf('eu2') },
        { DATABASE_DIRECT_URLS: `eu2=${missing.href}` },
      ),
      /^The cell eu2: .*DATABASE_DIRECT_URLS.* cannot be reached: .*nothing_here/,
    );
  });

  test('with DATABASE_URL on a cell', async () => {
    assert.match(
      await refusalOf(async () => await start({ DATABASE_URL: urlOf('eu1') })),
      /^The database is the cell eu1 .*: set DATABASE_URLS instead of DATABASE_URL/,
    );
    const settings = { PAYLINK_MASTER_KEY: masterKey, DATABASE_URL: urlOf('eu1') };
    const { out } = await home.run(settings, 'doctor');
    assert.match(out, /set DATABASE_URLS instead of DATABASE_URL/);
    assert.doesNotMatch(out, /Check that the server runs/);
  });
});

test('a cell whose address past the pooler is dead is named with the setting, and the process works without it', async () => {
  const settings = startWith(
    { eu1: urlOf('eu1'), eu2: urlOf('eu2') },
    { DATABASE_DIRECT_URLS: 'eu2=postgres://paylink@127.0.0.1:1/paylink', PAYLINK_MASTER_KEY: masterKey },
  );
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const db = await openConfiguredDatabase(readConfig(settings), { log, prepare: async () => undefined });
  try {
    assert.deepEqual(db.downCells(), ['eu2']);
    const named =
      /^The cell eu2: .*DATABASE_DIRECT_URLS.* cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1\.$/;
    await until(() => lines.some((line) => named.test(line)), `the cell to be named: ${lines.join('\n')}`);
  } finally {
    await db.close();
  }
});

describe('a database is not added as a cell', () => {
  /** Runs the command; the databases are those of the rig, and `added`. */
  async function refusedAdd(name: string, url: string, cells: readonly string[] = ['eu1', 'eu2']) {
    const all = [...databases(), url];
    const before = await Promise.all(all.map(dump));
    const known = Object.fromEntries(cells.map((each) => [each, urlOf(each)]));
    const settings = { PAYLINK_MASTER_KEY: masterKey, ...startWith({ ...known, [name]: url }) };
    const { code, err } = await home.run(settings, 'admin', 'cells', 'add', name);
    assert.deepEqual(await Promise.all(all.map(dump)), before);
    assert.equal(code, 2, err);
    assert.equal(err.trim().split('\n').length, 1, err);
    return err;
  }
  /** A database of Paylink with one more migration, a company, or neither. */
  async function madeDatabase(change: string): Promise<string> {
    const { url } = await createDatabase({ clusterUrl: rig.place('eu2').cluster.url });
    const db = await openDatabase({ databaseUrl: url, dataDir: '', poolSize: 2, log: silent });
    await migrate(db, { dir: migrationsDir, log: silent });
    await db.asOwner.query(change);
    await db.close();
    return url;
  }

  const withoutSenders = cellSettings.map((setting) =>
    setting.startsWith('max_wal_senders') ? 'max_wal_senders=1' : setting,
  );
  for (const [lack, serverSettings, message] of [
    [
      'logical replication',
      ['wal_level=replica'],
      /eu5 runs with wal_level = replica: set wal_level = logical/,
    ],
    [
      'free WAL senders',
      withoutSenders,
      /eu5 has too few free WAL senders: raise max_wal_senders, and restart it/,
    ],
  ] as const)
    test(`if its server lacks ${lack} to send companies`, async () => {
      const cluster = await startCluster(postgresBin(), [...serverSettings]);
      try {
        const { url } = await createDatabase({ clusterUrl: cluster.url });
        assert.match(await refusedAdd('eu5', url), message);
      } finally {
        await cluster.stop();
      }
    });

  test('if a later version of Paylink has migrated it', async () => {
    const url = await madeDatabase(
      "insert into schema_migrations (version, name, checksum) values (9999, 'later', '')",
    );
    assert.match(
      await refusedAdd('eu5', url),
      /The cell eu5: .*newer.*9999_later\.sql\. Run this command with/,
    );
  });

  test('if it has companies, and is not the first', async () => {
    const url = await madeDatabase(
      "insert into companies (company_id, name, country, created_at) values ('co_aaaaaaaa', 'A', 'DE', now())",
    );
    assert.match(
      await refusedAdd('eu5', url),
      /The database of eu5 has companies already\..*use an empty database/,
    );
  });

  test('if it is a cell already: of this installation or of another one', async () => {
    const again = urlOf('eu2').replace('127.0.0.1', 'localhost');
    assert.match(await refusedAdd('eu5', again), /The database of eu5 is already the cell eu2: correct/);
    assert.match(
      await refusedAdd('eu5', foreign.url),
      /The database of eu5 is a cell of another installation\. Use an empty database/,
    );
  });

  test('under the name of a cell in another database', async () => {
    assert.match(
      await refusedAdd('eu2', empty.url, ['eu1']),
      /The installation has a cell eu2 in another database\. Choose another name/,
    );
  });

  test('before the first cell of the settings', async () => {
    const { url } = await rig.newPlace('eu6', 'two');
    const settings = { PAYLINK_MASTER_KEY: masterKey, ...startWith({ eu5: empty.url, eu6: url }) };
    const { code, err } = await home.run(settings, 'admin', 'cells', 'add', 'eu6');
    assert.deepEqual(
      [code, err.includes('Add the first cell first: paylink admin cells add eu5')],
      [2, true],
    );
  });

  for (const name of ['eu9', 'eu1'])
    test(`${name}: with a new database before the cell with the directory`, async () => {
      const settings = {
        PAYLINK_MASTER_KEY: masterKey,
        ...startWith({ eu9: empty.url, eu1: urlOf('eu1') }),
      };
      const before = await Promise.all(databases().map(dump));
      const { code, err } = await home.run(settings, 'admin', 'cells', 'add', name, '--weight', '0');
      assert.deepEqual(await Promise.all(databases().map(dump)), before);
      const why =
        'eu1 is a cell of an installation already: name the cell with its directory first in DATABASE_URLS, and eu9 after it. ' +
        'Nothing was written.';
      assert.deepEqual([code, err.includes(why)], [2, true], err);
    });

  test('with a new directory in a database of its own, beside a cell', async () => {
    const settings = {
      PAYLINK_MASTER_KEY: masterKey,
      ...startWith({ eu1: urlOf('eu1') }, { DIRECTORY_DATABASE_URL: empty.url }),
    };
    const before = await Promise.all(databases().map(dump));
    const { code, err } = await home.run(settings, 'admin', 'cells', 'add', 'eu1');
    assert.deepEqual(await Promise.all(databases().map(dump)), before);
    assert.deepEqual([code, err.includes('DIRECTORY_DATABASE_URL gives is not that of')], [2, true], err);
  });

  test('with a first cell that is another cell', async () => {
    const settings = { PAYLINK_MASTER_KEY: masterKey, ...startWith({ eu1: urlOf('eu2'), eu5: empty.url }) };
    const before = await Promise.all(databases().map(dump));
    const { code, err } = await home.run(settings, 'admin', 'cells', 'add', 'eu5');
    assert.deepEqual(await Promise.all(databases().map(dump)), before);
    assert.deepEqual([code, err.includes('The database of eu1 is already the cell eu2')], [2, true], err);
  });

  test('without a name that DATABASE_URLS has', async () => {
    const settings = { PAYLINK_MASTER_KEY: masterKey, ...startWith({ eu1: urlOf('eu1') }) };
    const { code, err } = await home.run(settings, 'admin', 'cells', 'add', 'eu8');
    assert.deepEqual([code, err.includes('DATABASE_URLS names no cell eu8: it names eu1.')], [2, true], err);
  });
});

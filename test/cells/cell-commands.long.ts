// The commands of the operator on an installation with two cells: each covers both, and the directory.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { sealEvents } from '../../src/events/seal-events.ts';
import { fillPaymentWords } from '../../src/search/fill-words.ts';
import { runSql } from '../harness/run-sql.ts';
import { postgresBin } from '../harness/services.ts';
import { masterKey } from './cells-rig.ts';
import { countOf, openCommandStage, rowsOf } from './command-stage.ts';

const { rig, home, directory, eu2, merchantOf, run, report, close } = await openCommandStage();
after(close);

describe('paylink admin cells', () => {
  test('list shows each cell with its companies, its size, its headroom and its largest company', async () => {
    // The role for all companies sees only events that are not sealed.
    const installation = await rig.openInstallation();
    for (const db of installation.cells()) {
      await sealEvents({ db, clock: systemClock });
      await fillPaymentWords({ db });
      const seen = await db.inSystem(async (tx) => await tx.query('select company_id from events'));
      assert.deepEqual(seen, []);
    }
    const { cells } = await report('admin', 'cells', 'list');
    assert.deepEqual(
      cells.map(({ name, weight, state }: Record<string, unknown>) => [name, weight, state]),
      [
        ['eu1', 100, 'up'],
        ['eu2', 100, 'up'],
      ],
    );
    for (const { name, companies, use, largest } of cells) {
      assert.equal(companies, await countOf(directory, 'company_cells where cell = $1', [name]));
      assert.ok(
        use.databaseBytes > 1_000_000 && use.usedConnections < use.maxConnections,
        JSON.stringify(use),
      );
      assert.equal(use.maxSlots, 40);
      assert.equal(largest[0].companyId, merchantOf(name).companyId);
      assert.ok(largest[0].share > 0.3 && largest[0].share <= 1, JSON.stringify(largest));
    }
    const table = await run('admin', 'cells', 'list');
    assert.match(table.out, /^CELL +STATE +WEIGHT +COMPANIES +SIZE/);
    assert.match(table.out, /^eu2 +up +100 /m);
  });

  test('weight changes where new companies go, and refuses unknown cells and numbers', async () => {
    await report('admin', 'cells', 'weight', 'eu1', '0');
    const create = ['admin', 'company', 'create', '--name', 'New', '--country', 'DE', '--email'];
    for (let count = 0; count < 3; count++) {
      const { companyId } = await report(...create, `new${count}@example.com`);
      assert.equal(await countOf(eu2, 'company_homes where company = $1', [companyId]), 1);
    }
    await report('admin', 'cells', 'weight', 'eu1', '100');
    for (const [name, number, message] of [
      ['eu9', '1', /The installation has no cell eu9/],
      ['eu1', '-1', /whole number from 0 to 10000/],
      ['eu1', 'many', /whole number from 0 to 10000/],
    ] as const) {
      const { code, err } = await run('admin', 'cells', 'weight', '--', name, number);
      assert.deepEqual([code, message.test(err)], [2, true], err);
    }
  });

  test('without a cell that takes new companies, weight warns, and a company is refused with the remedy', async () => {
    const names = ['eu1', 'eu2'];
    const lines: string[] = [];
    for (const name of names) lines.push((await run('admin', 'cells', 'weight', name, '0')).out);
    const owner = ['--name', 'New', '--country', 'DE', '--email', 'none@example.com'];
    const { code, err } = await run('admin', 'company', 'create', ...owner);
    for (const name of names) await report('admin', 'cells', 'weight', name, '100');
    assert.doesNotMatch(String(lines[0]), /No cell/);
    assert.match(String(lines[1]), /No cell takes new companies: all weights are 0\./);
    const why =
      'No cell takes new companies: each is down or has the weight 0. Run: paylink admin cells weight CELL 100';
    assert.deepEqual([code, err.trim()], [1, why], err);
  });

  test('doctor warns of a user who may not move companies, with what to run', async () => {
    const admin = rig.place('eu2').url.replace('postgres@', 'second_admin@');
    await eu2.asOwner.query('create role second_admin superuser login');
    await eu2.asOwner.query('grant paylink_tenant, paylink_system to postgres');
    await eu2.asOwner.query('alter role postgres nosuperuser nobypassrls');
    const { out } = await run('doctor', '--json');
    await runSql(admin, 'alter role postgres superuser bypassrls');
    const { findings } = JSON.parse(out);
    const found = findings.find(({ check }: { check: string }) => check === 'replication of eu2');
    assert.equal(found.state, 'warn', JSON.stringify(found));
    assert.match(found.detail, /An administrator has to run once there: (alter role postgres \w+; ?)+/);
  });

  test('migrate names a cell that is newer, and says nothing else of it', async () => {
    await eu2.asOwner.query(
      "insert into schema_migrations (version, name, checksum) values (9999, 'later', '')",
    );
    const { code, out, err } = await run('admin', 'migrate');
    await eu2.asOwner.query('delete from schema_migrations where version = 9999');
    assert.equal(code, 1, err);
    assert.match(out, /^eu1: No migration is pending\.$/m);
    assert.match(err, /^eu2: the database is newer than this version of Paylink: .*9999_later\.sql$/m);
    assert.doesNotMatch(out, /eu2: No migration/);
  });

  test('add can be run again: it changes nothing, and brings back what the directory has lost', async () => {
    const everything = async () => [
      await rowsOf(directory, 'select name, database_id, weight from cells order by name'),
      await rowsOf(directory, 'select * from company_cells order by company'),
      await rowsOf(directory, 'select email, company, account_id from directory_logins order by email'),
    ];
    const before = await everything();
    await report('admin', 'cells', 'weight', 'eu2', '70');
    const again = await report('admin', 'cells', 'add', 'eu2');
    assert.equal(again.weight, 70);
    await report('admin', 'cells', 'weight', 'eu2', '100');
    await directory.asOwner.query('delete from directory_logins');
    await directory.asOwner.query('delete from company_cells');
    for (const name of ['eu1', 'eu2']) await report('admin', 'cells', 'add', name);
    assert.deepEqual(await everything(), before);
  });

  test('add that was interrupted before the directory was written is finished by running it again', async () => {
    const place = await rig.newPlace('eu3', 'one');
    const settings = {
      ...rig.settings(),
      DATABASE_URLS: `${rig.settings().DATABASE_URLS}\neu3=${place.url}`,
    };
    const added = await home.run(settings, 'admin', 'cells', 'add', 'eu3', '--weight', '0', '--json');
    assert.equal(added.code, 0, added.err);
    const listed = await run('admin', 'cells', 'list', '--json');
    const states = JSON.parse(listed.out).cells.map(({ name, state }: Record<string, string>) => [
      name,
      state,
    ]);
    assert.deepEqual(states.at(-1), ['eu3', 'not in DATABASE_URLS']);
    assert.equal(listed.code, 0);
    await directory.asOwner.query("delete from cells where name = 'eu3'");
    const refused = await home.run(settings, 'admin', 'cells', 'list');
    assert.match(refused.err, /no cells of the installation: eu3\. Run: paylink admin cells add eu3/);
    const again = await home.run(settings, 'admin', 'cells', 'add', 'eu3', '--weight', '0', '--json');
    assert.equal(again.code, 0, again.err);
    assert.equal(JSON.parse(again.out).databaseId, JSON.parse(added.out).databaseId);
    assert.equal((await home.run(settings, 'admin', 'cells', 'list')).code, 0);
    await directory.asOwner.query("delete from cells where name = 'eu3'");
  });
});

describe('the commands of the service', () => {
  test('doctor checks each cell by name', async () => {
    const { out } = await run('doctor', '--json');
    const { findings } = JSON.parse(out) as { findings: { check: string; state: string; detail: string }[] };
    for (const cell of ['eu1', 'eu2'])
      for (const check of [
        'database',
        'durability',
        'migrations',
        'jobs',
        'master key of the database',
        'replication',
      ]) {
        const found = findings.find((finding) => finding.check === `${check} of ${cell}`);
        assert.ok(found && found.state !== 'fail', `${check} of ${cell}: ${JSON.stringify(found)}`);
      }
    assert.deepEqual(
      findings.filter(({ state }) => state === 'fail'),
      [],
    );
  });

  test('migrate lists what each cell lacks, and protects its tables again', async () => {
    const [last] = await rowsOf(
      eu2,
      'delete from schema_migrations where version = (select max(version) from schema_migrations) returning *',
    );
    assert.ok(last);
    const file = `${String(last.version).padStart(4, '0')}_${last.name}.sql`;
    const pending = await report('admin', 'migrate', '--dry-run').finally(
      async () =>
        await eu2.asOwner.query(
          'insert into schema_migrations (version, name, checksum, applied_at) values ($1, $2, $3, $4)',
          [last.version, last.name, last.checksum, last.applied_at],
        ),
    );
    assert.deepEqual(pending.missing, [file]);
    assert.deepEqual(pending.cells, [
      { cell: 'eu1', files: [] },
      { cell: 'eu2', files: [file] },
    ]);
    await eu2.asOwner.query('drop policy at_home on payments');
    const { applied, cells } = await report('admin', 'migrate');
    assert.deepEqual([applied, cells.length], [[], 2]);
    assert.equal(
      await countOf(eu2, "pg_policies where policyname = 'at_home' and tablename = 'payments'"),
      1,
    );
  });

  test('jobs run makes a job due in every cell', async () => {
    for (const database of [directory, eu2])
      await database.asOwner.query("update scheduled_jobs set due_at = now() + interval '1 day'");
    await report('jobs', 'run', 'verify-ledger');
    for (const database of [directory, eu2])
      assert.equal(
        await countOf(database, "scheduled_jobs where due_at <= now() and name = 'verify-ledger'"),
        1,
      );
  });

  test('jobs dead lists the dead work of every cell, and reruns it there', async () => {
    await eu2.asOwner.query("update scheduled_jobs set failures = 99 where name = 'seal-events'");
    const { code, out } = await run('jobs', 'dead', '--json');
    assert.deepEqual([code, JSON.parse(out).dead.map(({ id }: { id: string }) => id)], [1, ['seal-events']]);
    const status = JSON.parse((await run('status', '--json')).out);
    assert.equal(status.work.find(({ kind }: { kind: string }) => kind === 'calendar').dead, 1);
    await report('jobs', 'dead', '--rerun', 'seal-events');
    assert.deepEqual((await report('jobs', 'dead')).dead, []);
  });

  test('ledger verify and audit verify cover the companies of every cell', async () => {
    const all = await countOf(directory, 'company_cells');
    assert.equal((await report('ledger', 'verify')).companies, all);
    const { heads } = await report('audit', 'verify');
    const found = heads.map(({ companyId }: { companyId: string }) => companyId);
    assert.equal(found.length, all);
    for (const cell of ['eu1', 'eu2']) assert.ok(found.includes(merchantOf(cell).companyId), cell);
    assert.equal((await report('audit', 'crossings')).crossings.length, 0);
  });

  test('status adds the cells up', async () => {
    const { downCells, connections } = await report('status');
    const count = async (database: Database) =>
      Number(
        await database.inSystem(async (tx) => {
          const [row] = await tx.query<{ count: unknown }>(
            'select count(*)::int as count from webhook_endpoints where is_enabled',
          );
          return row?.count;
        }),
      );
    assert.deepEqual(downCells, []);
    assert.ok(Array.isArray(connections));
    for (const database of [directory, eu2])
      await database.asOwner.query('update webhook_endpoints set failing_since = now() where is_enabled');
    const { failingEndpoints } = await report('status');
    assert.equal(failingEndpoints, (await count(directory)) + (await count(eu2)));
    assert.equal(failingEndpoints, 2);
  });

  test('a change of the master key re-encrypts the secrets of every cell, and each accepts only the new key', async () => {
    const newKey = Buffer.alloc(32, 9).toString('base64');
    const both = { ...rig.settings(), PAYLINK_MASTER_KEY: newKey, PAYLINK_OLD_MASTER_KEY: masterKey };
    const rotated = await home.run(both, 'admin', 'rotate-master-key', '--json');
    assert.equal(rotated.code, 0, rotated.err);
    const { kinds } = JSON.parse(rotated.out);
    assert.equal(kinds.find(({ name }: { name: string }) => name === 'webhook secrets').resealed, 2);
    for (const database of [directory, eu2]) assert.equal(await countOf(database, 'master_key_checks'), 1);
    const old = await run('doctor', '--json');
    const failed = JSON.parse(old.out).findings.filter(({ state }: { state: string }) => state === 'fail');
    assert.deepEqual(
      failed.map(({ check }: { check: string }) => check),
      ['master key of the database of eu1', 'master key of the database of eu2'],
    );
    const back = { ...rig.settings(), PAYLINK_MASTER_KEY: masterKey, PAYLINK_OLD_MASTER_KEY: newKey };
    assert.equal((await home.run(back, 'admin', 'rotate-master-key')).code, 0);
  });

  test('admin move refuses cells, and says what to do', async () => {
    const { code, err } = await run('admin', 'move', '--to', 'postgres://paylink@db.internal/paylink');
    assert.deepEqual([code, /unset DATABASE_URLS for this command/.test(err)], [2, true], err);
  });

  test('a backup of one cell can be rehearsed', async () => {
    const file = join(home.folder, 'eu2.dump');
    await promisify(execFile)(join(postgresBin(), 'pg_dump'), [
      '--format=custom',
      `--file=${file}`,
      rig.place('eu2').url,
    ]);
    const { checks } = await report('admin', 'rehearse-restore', file);
    const rows = checks.find(({ check }: { check: string }) => check === 'rows');
    assert.match(rows.detail, /payments 1,/);
  });
});

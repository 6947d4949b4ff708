import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  createCleaner,
  createEmpty,
  createTemplate,
  emptySchema,
  engineKinds,
  notesMigration,
  rolesFile,
  runOnServer,
  serverUrl,
  sqlState,
  startChild,
  writeMigrations,
} from '../../test/harness/engines.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const cleaner = createCleaner();
const template = createTemplate(cleaner);
after(() => cleaner.clean());

const silent = () => undefined;

const databases = new Map<string, Database>();
before(async () => {
  for (const kind of engineKinds) {
    const db = await openDatabase(await createEmpty(kind, cleaner, template));
    cleaner.add(() => db.close());
    databases.set(kind, db);
  }
});

/** Each test has an empty database, and its own folder with the roles and these migrations. */
function testEach(
  title: string,
  files: Record<string, string>,
  run: (db: Database, dir: string, up: () => Promise<string[]>) => Promise<void>,
): void {
  for (const kind of engineKinds) {
    test(`${kind}: ${title}`, async () => {
      const db = databases.get(kind);
      assert.ok(db);
      await emptySchema(db);
      const dir = await writeMigrations(cleaner, files);
      await run(db, dir, async () => (await migrate(db, { dir, log: silent })).applied);
    });
  }
}

const versions = async (db: Database) => {
  const rows = await db.asOwner.query<{ version: number }>(
    'select version from schema_migrations order by version',
  );
  return rows.map(({ version }) => version);
};

const two = {
  '0001_first.sql': 'create table first (a int);',
  '0002_second.sql': 'alter table first add b int;',
};

testEach('migrations run in order, each once, and later ones follow', two, async (db, dir, up) => {
  assert.deepEqual(await up(), ['0000_roles.sql', '0001_first.sql', '0002_second.sql']);
  assert.deepEqual(await up(), []);
  await writeFile(join(dir, '0010_third.sql'), 'insert into first values (1, 2);');
  assert.deepEqual(await up(), ['0010_third.sql']);
  assert.deepEqual(await up(), []);
  assert.deepEqual(await db.asOwner.query('select * from first'), [{ a: 1, b: 2 }]);
  assert.deepEqual(await versions(db), [0, 1, 2, 10]);
});

testEach('a migration changed after it was applied is rejected by name', two, async (_db, dir, up) => {
  await up();
  await writeFile(join(dir, '0001_first.sql'), 'create table first (a bigint);');
  await assert.rejects(
    up(),
    /^OperatorError: The migration 0001_first\.sql was changed after it was applied to this database/,
  );
});

testEach('different line endings do not count as a change', two, async (_db, dir, up) => {
  const text = 'create table lines (\n  a int\n);\n';
  await writeFile(join(dir, '0003_lines.sql'), text);
  await up();
  await writeFile(join(dir, '0003_lines.sql'), text.replaceAll('\n', '\r\n'));
  assert.deepEqual(await up(), []);
});

testEach('a database newer than the code causes a warning and is used', two, async (db, dir, up) => {
  await up();
  await rm(join(dir, '0002_second.sql'));
  const warnings: string[] = [];
  const { applied } = await migrate(db, { dir, log: (message) => warnings.push(message) });
  assert.deepEqual(applied, []);
  assert.deepEqual(warnings, ['the database is newer than this version of Paylink: it has 0002_second.sql']);
});

testEach('a missing file of an applied migration is rejected', two, async (_db, dir, up) => {
  await up();
  await rm(join(dir, '0001_first.sql'));
  await assert.rejects(up(), /0001_first\.sql was applied to this database, but its file is missing/);
});

testEach('a migration numbered before an applied one is rejected', {}, async (_db, dir, up) => {
  await writeFile(join(dir, '0005_late.sql'), 'create table late (a int);');
  await up();
  await writeFile(join(dir, '0003_early.sql'), 'create table early (a int);');
  await assert.rejects(up(), /0003_early\.sql comes before others that were applied already/);
});

testEach(
  'a failed migration leaves no change, names its line, and can be corrected',
  two,
  async (db, dir, up) => {
    const file = join(dir, '0003_wrong.sql');
    await writeFile(
      file,
      'create table third (a int);\n-- “ä”\ncreate table fourth (\n  b no_such_type\n);\n',
    );
    await assert.rejects(up(), {
      message: 'The migration 0003_wrong.sql failed: type "no_such_type" does not exist (line 4).',
    });
    assert.deepEqual(await versions(db), [0, 1, 2]);
    assert.deepEqual(await db.asOwner.query(`select to_regclass('third')::text as found`), [{ found: null }]);
    await writeFile(file, 'create table third (a int);');
    assert.deepEqual(await up(), ['0003_wrong.sql']);
  },
);

testEach('a migration that ends its own transaction is rejected', {}, async (db, dir, up) => {
  for (const ending of ['commit', 'rollback', 'commit; begin', 'rollback; begin']) {
    await writeFile(join(dir, '0001_escape.sql'), `${ending}; select 1;`);
    await assert.rejects(
      up(),
      /0001_escape\.sql failed: it ended its transaction; a migration must not commit or roll back\.$/,
    );
    assert.deepEqual(await versions(db), [0]);
  }
});

testEach('files with other names are rejected before any migration runs', two, async (_db, dir, up) => {
  await writeFile(join(dir, '3_short.sql'), 'select 1;');
  await assert.rejects(up(), /The migration 3_short\.sql is not named like/);
  await rm(join(dir, '3_short.sql'));
  await writeFile(join(dir, '0002_twin.sql'), 'select 1;');
  await assert.rejects(up(), /0002_second\.sql and 0002_twin\.sql have the same number/);
});

testEach('migrating restores the time limits of the connection', two, async (db, _dir, up) => {
  const limits = () =>
    db.asOwner.query(`select name, setting from pg_settings where name like '%\\_timeout'`);
  const before = await limits();
  await up();
  assert.deepEqual(await limits(), before);
});

testEach('the company of a transaction is null when it is unset', {}, async (db, _dir, up) => {
  await up();
  await db.withConnection(async (sql) => {
    const current = async () => (await sql.query('select current_company() as company'))[0]?.company;
    assert.equal(await current(), null);
    await sql.query(`begin; set local paylink.company_id = 'co_abcd'`);
    assert.equal(await current(), 'co_abcd');
    await sql.query('commit');
    assert.equal(await current(), null);
  });
});

test('embedded: a user who may create roles gets the right to assume ours, on current PostgreSQL too', async () => {
  const db = await openDatabase(await createEmpty('embedded', cleaner, template));
  cleaner.add(() => db.close());
  const roles = await readFile(rolesFile, 'utf8');
  await db.withConnection(async (sql) => {
    await sql.query(
      'create role app createrole; grant all on schema public to app; set session authorization app',
    );
    await sql.query(roles);
    for (const role of ['paylink_tenant', 'paylink_system']) {
      await sql.query(`begin; set local role ${role}`);
      await assert.rejects(sql.query('create table x (a int)'), sqlState('42501'));
      await sql.query('rollback');
    }
  });
});

for (const kind of engineKinds) {
  test(`${kind}: a user who may not create roles gets the statements that fix it, and they work`, async () => {
    const roles = await readFile(rolesFile, 'utf8');
    const user = `limited_${kind}_${process.pid}`;
    // Cleaned up after the database that may use it.
    if (kind === 'server') cleaner.add(() => runOnServer(`drop role if exists ${user}`));
    const db = await openDatabase(await createEmpty(kind, cleaner, template));
    cleaner.add(() => db.close());
    await db.asOwner.query(`create role ${user}; grant all on schema public to ${user}`);
    const setUp = () =>
      db.withConnection(async (sql) => {
        await sql.query(`set session authorization ${user}`);
        await sql.query(`begin; ${roles}; commit`);
        await sql.query('begin; set local role paylink_tenant; set local role paylink_system; rollback');
      });
    const error: Error = await setUp().then(
      () => assert.fail('allowed'),
      (cause) => cause,
    );
    const [, advice] =
      /may not create roles; an administrator has to run once: (.*)$/.exec(error.message) ?? [];
    assert.ok(advice, error.message);
    assert.equal(advice.match(/(create role|grant) paylink_\w+ [^;]*limited_\w+;/g)?.length, 2, advice);
    await db.asOwner.query(advice);
    await setUp();
  });
}

if (serverUrl) {
  test('server: four processes started at once apply each migration once, and all succeed', async () => {
    // Shorter limits than the migrations take: they must not end the wait for the lock.
    const { databaseUrl } = await createEmpty('server', cleaner, template);
    const url = `${databaseUrl}?statement_timeout=2000&lock_timeout=1000`;
    const dir = await writeMigrations(cleaner, {
      '0001_rooms.sql': notesMigration,
      '0002_slow.sql': 'select pg_sleep(2.5);',
    });
    const children = Array.from({ length: 4 }, () => startChild(cleaner, 'migrate', url, dir));
    for (const child of children) assert.equal(await child.ended, 0, child.output());
    const applied = children.flatMap((child) => JSON.parse(/applied (.*)/.exec(child.output())?.[1] ?? ''));
    assert.deepEqual(applied.sort(), ['0000_roles.sql', '0001_rooms.sql', '0002_slow.sql']);
  });

  test('server: two databases of one server can be set up at once', async () => {
    const dir = await writeMigrations(cleaner, { '0001_rooms.sql': notesMigration });
    const urls = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await createEmpty('server', cleaner, template)).databaseUrl ?? '',
      ),
    );
    const children = urls.map((url) => startChild(cleaner, 'migrate', url, dir));
    for (const child of children) assert.equal(await child.ended, 0, child.output());
  });

  test('server: a user who may not create tables gets the statement that fixes it', async () => {
    const { databaseUrl } = await createEmpty('server', cleaner, template);
    const user = `tableless_${process.pid}`;
    await runOnServer(`create role ${user} login`);
    cleaner.add(() => runOnServer(`drop role ${user}`));
    const url = new URL(databaseUrl ?? '');
    url.username = user;
    const db = await openDatabase({ databaseUrl: url.href, dataDir: 'unused', log: silent });
    cleaner.add(() => db.close());
    const dir = await writeMigrations(cleaner, {});
    await assert.rejects(migrate(db, { dir, log: silent }), {
      message:
        'The database user may not create tables; an administrator has to run once, in this database: ' +
        `grant create on schema public to ${user};`,
    });
  });
}

testEach(
  'a migration that meets a deadlock with running requests is applied again',
  {
    '0001_first.sql': 'create table first (a int);',
    '0002_deadlock.sql': `
      do $$ begin
        if nextval('tries') < 3 then raise exception using errcode = 'deadlock_detected'; end if;
      end $$;
      create table second (a int);`,
  },
  async (db, _, apply) => {
    // A sequence is not rolled back.
    await db.asOwner.query('create sequence tries');
    assert.deepEqual(await apply(), ['0000_roles.sql', '0001_first.sql', '0002_deadlock.sql']);
    assert.deepEqual(await versions(db), [0, 1, 2]);
  },
);

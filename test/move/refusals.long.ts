// What a move refuses, with one sentence and without a change on either side, and what an error in its middle leaves.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { migrate, migrationsDir } from '../../src/db/migrate.ts';
import { createHome, type Home } from '../harness/cli.ts';
import { freePort } from '../harness/paylink.ts';
import { createDatabase } from '../harness/services.ts';
import {
  createMoveRig,
  masterKey,
  moveHere,
  onServer,
  readFolder,
  readServer,
  type Side,
  type Trial,
} from './move-rig.ts';

const rig = createMoveRig();
const log = () => undefined;
let home: Home;
let trial: Trial;
let untouched: Side | null;
/** A copy from before any test. */
let untouchedDir: string;

before(async () => {
  home = await createHome();
  trial = await rig.trial({ payments: 6, paid: 3 });
  untouched = await readFolder(trial.dataDir);
  untouchedDir = await rig.copyOf(trial.dataDir);
});
after(async () => {
  await home?.remove();
  await rig.clean();
});

const move = async (url: string, ...more: string[]) =>
  await home.run(
    { DATA_DIR: trial.dataDir, PAYLINK_MASTER_KEY: masterKey },
    ...['admin', 'move', '--to', url, ...more],
  );

async function refuses(url: string, sentence: RegExp, code = 2): Promise<void> {
  for (const more of [['--dry-run'], []]) {
    const refused = await move(url, ...more);
    assert.match(refused.err, sentence);
    assert.equal(refused.code, code);
    assert.doesNotMatch(refused.err, /\n {4}at |secret/);
  }
  assert.deepEqual(await readFolder(trial.dataDir), untouched, 'the source is as before');
}

async function prepare(url: string): Promise<void> {
  const db = await openDatabase({ databaseUrl: url, dataDir: 'unused', log });
  await migrate(db, { dir: migrationsDir, log });
  await db.close();
}

/** Adds an event with a number of its own. */
async function forgeNumber(dataDir: string, xact: string): Promise<void> {
  const db = await openDatabase({ dataDir, log });
  await db.asOwner.query(
    `insert into events (company_id, mode, event_id, type, is_public, actor, data, at, xact)
     select company_id, mode, 'evt_forged', type, is_public, actor, data, at, $1::text::xid8 from events limit 1`,
    [xact],
  );
  await db.close();
}

describe('a move is refused', () => {
  test('while a service uses the data folder', async () => {
    const { url } = await rig.target();
    const db = await openDatabase({ dataDir: trial.dataDir, log });
    const refused = await move(url);
    await db.close();
    assert.equal(refused.code, 2);
    assert.match(refused.err, /is in use by process \d+ .*: stop that one/);
  });

  test('if a service was started on the target', async () => {
    const { url, adminUrl } = await rig.target();
    await prepare(url);
    await onServer(
      adminUrl,
      "insert into companies (company_id, name, country, created_at) values ('co_00000000', 'Other', 'DE', now())",
    );
    await refuses(url, /The target is not empty: it has a company, because a service was started on it/);
  });

  test('if the target has rows without a company', async () => {
    const { url } = await rig.target();
    await prepare(url);
    await onServer(url, "insert into scheduled_jobs (name, due_at) values ('planted', now())");
    await refuses(url, /The target is not empty: it has rows in the table scheduled_jobs/);
  });

  test('if the target has a table of another program', async () => {
    const { url } = await rig.target();
    await onServer(url, 'create table invoices (id int)');
    await refuses(url, /The target is not empty: it has the table invoices, which is not of Paylink/);
  });

  test('if the user may not create tables, with the statement that an administrator has to run', async () => {
    const { url, user } = await rig.target({ ownsDatabase: false });
    await refuses(
      url,
      new RegExp(`lacks rights on the target: .*: grant create on schema public to ${user};`),
    );
  });

  test('if the user may not take the roles, with the statements that an administrator has to run', async () => {
    const { url, user } = await rig.target({ hasRoles: false });
    await refuses(url, new RegExp(`grant paylink_tenant to ${user}; grant paylink_system to ${user};`));
  });

  test('if another user owns the tables', async () => {
    const { url, adminUrl, user } = await rig.target();
    await prepare(adminUrl);
    await onServer(adminUrl, `grant create on schema public to ${user}`);
    await onServer(adminUrl, `grant select on schema_migrations, database_moves to ${user}`);
    await refuses(url, /does not own these tables of the target: accounts, api_keys/);
  });

  test('if the tables of the two databases differ', async () => {
    const { url } = await rig.target();
    await prepare(url);
    await onServer(url, 'alter table payments add column colour text');
    await refuses(url, /The tables of the two databases differ \(payments\)/);
  });

  test('if an event of the trial has a number that no installation can have reached', async () => {
    const { url } = await rig.target();
    const dataDir = await rig.copyOf(untouchedDir);
    await forgeNumber(dataDir, '9000000000000000000');
    for (const more of [['--dry-run'], []]) {
      const settings = { DATA_DIR: dataDir, PAYLINK_MASTER_KEY: masterKey };
      const refused = await home.run(settings, 'admin', 'move', '--to', url, ...more);
      assert.equal(refused.code, 2);
      assert.match(
        refused.err,
        /has an event of the number 9000000000000000000, and no installation can have come that far: .*Run paylink audit verify/,
      );
    }
  });

  test('if the target has another encoding', async () => {
    const { adminUrl } = await rig.target();
    const name = `latin_${Date.now()}`;
    await onServer(
      adminUrl,
      `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
    );
    rig.cleaner.add(async () => await onServer((await createDatabase()).url, `drop database ${name}`));
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    await refuses(url.href, /The target has the encoding LATIN1, and Paylink needs UTF8/);
  });

  test('if no server responds at the address', async () => {
    const url = `postgres://nobody:secret@127.0.0.1:${await freePort()}/none`;
    await refuses(url, /The database of --to cannot be reached/);
  });

  test('if the address is malformed', async () => {
    const refused = await move('mysql://secret@host/db');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /^--to must be an address like postgres:/);
  });

  test('with another master key than that of the trial', async () => {
    const { url } = await rig.target();
    const other = Buffer.alloc(32, 9).toString('base64');
    const settings = { DATA_DIR: trial.dataDir, PAYLINK_MASTER_KEY: other };
    const refused = await home.run(settings, 'admin', 'move', '--to', url);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /PAYLINK_MASTER_KEY is not the key of the database/);
  });
});

describe('a dry run', () => {
  test('says that the move is possible, and creates and writes nothing', async () => {
    const { url } = await rig.target();
    const dataDir = await rig.copyOf(untouchedDir);
    const settings = { DATA_DIR: dataDir, PAYLINK_MASTER_KEY: masterKey };
    const dry = await home.run(settings, 'admin', 'move', '--to', url, '--dry-run');
    assert.equal(dry.code, 0, dry.err);
    assert.match(dry.out, /can be moved to the database test_\w+ at .*\. Nothing was copied or changed\./);
    assert.deepEqual(await onServer(url, "select from pg_tables where schemaname = 'public'"), []);
    assert.equal(existsSync(join(dataDir, 'move.json')), false);
  });
});

test('after a move, new events have numbers above those of all moved ones, however far the server is behind', async () => {
  const { url, adminUrl } = await rig.target();
  const dataDir = await rig.copyOf(untouchedDir);
  const far = 5_000_000_000_000n;
  await forgeNumber(dataDir, String(far));
  await moveHere(dataDir, url);
  const [base] = await onServer(
    adminUrl,
    'select base::text, event_horizon()::text as horizon from event_numbers',
  );
  assert.ok(BigInt(String(base?.horizon)) > far, `${base?.horizon}`);
  assert.ok(BigInt(String(base?.base)) < far, 'the base is that of the target, not of the source');
});

/** Moves a copy of the trial while `disturb` runs at a step. Then nothing may have moved, and the next move succeeds. */
async function stopsInTheMiddle(
  { url, adminUrl }: { url: string; adminUrl: string },
  step: string,
  disturb: () => Promise<unknown>,
  repair: () => Promise<unknown> = async () => undefined,
): Promise<Error> {
  const dataDir = await rig.copyOf(untouchedDir);
  let disturbance: Promise<unknown> | undefined;
  const onStep = (name: string) => {
    if (name.startsWith(step)) disturbance = disturb();
  };
  const error = await moveHere(dataDir, url, { onStep }).then(
    () => assert.fail('the move succeeded'),
    (reason: Error) => reason,
  );
  await disturbance;
  assert.equal(error.name, 'MoveStoppedError', String(error));
  assert.match(error.message, /was not changed, and you can still use it\. Run the same command again/);
  assert.deepEqual(await readFolder(dataDir), untouched);
  assert.deepEqual((await readServer(adminUrl))?.counts, [0, 0, 0, 0]);
  await repair();
  await moveHere(dataDir, url);
  assert.equal(await readFolder(dataDir), null);
  return error;
}

describe('an error in the middle of a move leaves everything at the source, and the next move succeeds', () => {
  test('when the connection is lost', async () => {
    const target = await rig.target();
    await stopsInTheMiddle(
      target,
      'copied payments',
      async () =>
        await onServer(
          target.adminUrl,
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${target.user}'`,
        ),
    );
  });

  test('when the disk of the server is full', async () => {
    const target = await rig.target();
    const { url } = target;
    await prepare(url);
    await onServer(
      url,
      `create function full_disk() returns boolean language plpgsql as
         'begin raise exception ''could not extend file: No space left on device'' using errcode = ''53100''; end'`,
    );
    await onServer(url, 'alter table refunds add constraint planted check (full_disk()) not valid');
    const error = await stopsInTheMiddle(
      target,
      'never',
      async () => undefined,
      async () => await onServer(url, 'alter table refunds drop constraint planted'),
    );
    assert.match(error.message, /No space left on device/);
  });
});

// The rehearsal of a restore: it accepts a whole backup, refuses each damaged one with a reason, and leaves nothing behind.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { createHome, type Home, settingsOf } from './harness/cli.ts';
import { createLink, credentialHeaders, logIn, post } from './harness/client.ts';
import { sealAllOf } from './harness/database-fixture.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { runSql } from './harness/run-sql.ts';
import { postgresBin, testDatabaseUrl } from './harness/services.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let home: Home;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-rehearsal-test-'));
  home = await createHome();
  // Its database is dumped many times, so nothing may change it meanwhile.
  paylink = await startPaylink('server', { isAtWork: false });
  const credentials = await logIn(paylink);
  for (let count = 0; count < 3; count++) {
    const { link, code } = await createLink(paylink);
    assert.match((await payWith(link, { number: '4242424242424242' })).url, /status=paid/);
    const path = `${paylink.baseUrl}/v1/payments/${code}/refunds`;
    const { status } = await post(
      path,
      { amount: 5 },
      { ...credentialHeaders(credentials), 'idempotency-key': code },
    );
    assert.ok(status < 300, String(status));
  }
  const endpoint = { url: 'https://shop.example/webhooks', events: ['*'] };
  await post(`${paylink.baseUrl}/v1/webhook-endpoints`, endpoint, credentialHeaders(credentials));
  await sealAllOf(paylink.app.deps.db, paylink.merchant.companyId);
});
after(async () => {
  await paylink.stop();
  await home.remove();
  await rm(folder, { recursive: true, force: true });
});

const databaseUrl = () => {
  const url = new URL(paylink.app.deps.config.databaseUrl ?? '');
  return url.href;
};

/** A dump of the database as it is, by a superuser. */
function dump(...options: string[]): string {
  const file = join(folder, 'paylink.dump');
  const args = [`--dbname=${databaseUrl()}`, '--format=custom', `--file=${file}`, ...options];
  execFileSync(join(postgresBin(), 'pg_dump'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  return file;
}

const masterKeyOf = () => ({ PAYLINK_MASTER_KEY: settingsOf(paylink).PAYLINK_MASTER_KEY ?? '' });

/** Rehearses on the server of the tests, which is faster than a server for each. */
async function rehearse(file: string, settings: Record<string, string> = masterKeyOf()) {
  return await home.run(settings, 'admin', 'rehearse-restore', file, '--server', testDatabaseUrl());
}

const databasesLeft = async () =>
  await runSql(testDatabaseUrl(), `select datname from pg_database where datname like 'paylink_rehearsal_%'`);

/** Runs SQL as a superuser, without triggers and foreign keys. */
const change = async (text: string) =>
  await runSql(databaseUrl(), `set session_replication_role = replica;\n${text}`);

type Damage = { what: string; damage: string; mend: string; says: RegExp };

const damages: readonly Damage[] = [
  {
    what: 'a changed ledger row',
    damage: 'update ledger_entries set amount_minor = amount_minor + 1',
    mend: 'update ledger_entries set amount_minor = amount_minor - 1',
    says: /fail {2}ledgers: \d+ disagreements, 0 comparisons not made\n {6}co_/,
  },
  {
    what: 'a missing event',
    damage: `create table kept as select * from events where xact = (select min(xact) from events);
             delete from events where event_id in (select event_id from kept)`,
    mend: 'insert into events select * from kept; drop table kept',
    says: /fail {2}events: .*Event evt_\w+ was sealed and no longer exists\./,
  },
  {
    what: 'a changed event',
    damage: `update events set actor = actor || 'x' where event_id = (select min(event_id) from events)`,
    mend: `update events set actor = left(actor, -1) where event_id = (select min(event_id) from events)`,
    says: /fail {2}events: .*was changed after it was sealed/,
  },
  {
    what: 'a payment that was taken and is open again',
    damage: `update payments set state = 'open', refunded_minor = 0 where state = 'paid'`,
    mend: `update payments set state = 'paid', refunded_minor = 500 where state = 'open'`,
    says: /fail {2}ledgers: [\s\S]*an attempt collected 19\.99 EUR, but the payment is open/,
  },
  {
    what: 'a table without row-level security',
    damage: 'alter table payments no force row level security',
    mend: 'alter table payments force row level security',
    says: /fail {2}isolation: Row-level security does not protect payments/,
  },
  {
    what: 'a changed migration',
    damage: `update schema_migrations set checksum = 'x' || checksum where version = 3`,
    mend: `update schema_migrations set checksum = substr(checksum, 2) where version = 3`,
    says: /The migration 0003_event_order\.sql was changed after it was applied/,
  },
  {
    what: 'an event with a forged number',
    damage: `insert into events (company_id, mode, event_id, type, is_public, actor, data, at, xact)
             select company_id, mode, 'evt_forged', type, is_public, actor, data, at, '9000000000000000000' from events limit 1`,
    mend: `delete from events where event_id = 'evt_forged'`,
    says: /fail {2}numbers of events: The database has an event of the number 9000000000000000000/,
  },
];

describe('the rehearsal of a restore', () => {
  test('accepts a whole dump on a temporary server, and leaves no folder and no process', async () => {
    const places = ['/tmp', tmpdir(), folder];
    const list = () =>
      new Set(places.flatMap((place) => readdirSync(place).map((name) => join(place, name))));
    const file = dump();
    const known = list();
    const settings = { ...masterKeyOf(), TMPDIR: folder };
    const { code, out, err } = await home.run(settings, 'admin', 'rehearse-restore', file, '--json');
    assert.equal(code, 0, out + err);
    const { restorable, checks, figures } = JSON.parse(out);
    assert.equal(restorable, true);
    assert.deepEqual(new Set(checks.map(({ state }: { state: string }) => state)), new Set(['ok']));
    assert.deepEqual(
      {
        payments: figures.payments,
        attempts: figures.attempts,
        refunds: figures.refunds,
        entries: figures.ledgerEntries,
      },
      { payments: 3, attempts: 3, refunds: 3, entries: 6 },
    );
    assert.equal(figures.seals, figures.events);
    const isNew = (name: string) => !known.has(name) && /paylink-(test|rehearsal)-/.test(name);
    const processes = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    const left = [...list()].filter(isNew);
    // Other runs of tests may have made folders meanwhile, but no process of theirs names this dump's server.
    await until(
      () => left.every((name) => !processes().includes(name) || list().has(name)),
      'the server to end',
    );
    assert.deepEqual(readdirSync(folder), ['paylink.dump']);
  });

  test('accepts a whole dump on a given server, and drops its database', async () => {
    const { code, out, err } = await rehearse(dump());
    assert.equal(code, 0, out + err);
    assert.match(out, /The backup can be restored: 9 ok, 0 warnings, 0 failures\./);
    assert.deepEqual(await databasesLeft(), []);
  });

  test('accepts a dump with rights of roles that a new server does not have', async () => {
    const [first, second] = ['reporting', 'Reporting team'].map(
      (name) => `${name} ${randomBytes(4).toString('hex')}`,
    );
    const roles = [first, second].map((name) => pg.escapeIdentifier(name ?? ''));
    const [role, other] = roles;
    const remove = `drop owned by ${other};\ndrop owned by ${role};\ndrop role ${role};\ndrop role ${other}`;
    await runSql(
      databaseUrl(),
      `create role ${role}; create role ${other};
       grant create on schema public to ${role};
       grant select on payments to ${role} with grant option;
       set role ${role}; grant select on payments to ${other}; reset role;
       grant select (email) on accounts to ${other};
       alter default privileges in schema public grant select on tables to ${role};
       create policy reporting on payments for select to ${role}, ${other} using (true)`,
    );
    const file = await Promise.resolve()
      .then(() => dump())
      .finally(async () => await runSql(databaseUrl(), `drop policy reporting on payments;\n${remove}`));
    const { code, out, err } = await home.run(masterKeyOf(), 'admin', 'rehearse-restore', file);
    assert.equal(code, 0, out + err);
    assert.match(out, /9 ok, 0 warnings, 0 failures/);

    const refused = await rehearse(file);
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, /^The backup gives rights to roles that the server lacks: [^\n]*\n$/);
    for (const name of roles) assert.ok(refused.err.includes(`create role ${name} nologin;`), refused.err);
    assert.deepEqual(await databasesLeft(), []);
  });

  for (const { what, damage, mend, says } of damages)
    test(`finds ${what}`, async () => {
      await change(damage);
      try {
        const { code, out, err } = await rehearse(dump());
        assert.equal(code, 1, out + err);
        assert.match(out + err, says);
        assert.match(out + err, /cannot be used as it is|was changed after it was applied/);
      } finally {
        await change(mend);
      }
      assert.deepEqual(await databasesLeft(), []);
      const mended = await rehearse(dump());
      assert.equal(mended.code, 0, mended.out + mended.err);
    });

  test('refuses a truncated dump', async () => {
    const file = dump();
    const { length } = await readFile(file);
    await truncate(file, Math.floor(length * 0.7));
    const { code, err } = await rehearse(file);
    assert.equal(code, 1);
    assert.match(err, /The backup cannot be restored: pg_restore failed\.\n.*pg_restore: error/);
    assert.deepEqual(await databasesLeft(), []);
  });

  test('refuses a dump without its rows', async () => {
    const { code, out } = await rehearse(dump('--exclude-table-data=companies'));
    assert.equal(code, 1, out);
  });

  test('refuses a dump of the schema alone, and one of another database', async () => {
    const empty = await rehearse(dump('--schema-only'));
    assert.equal(empty.code, 1);
    assert.match(empty.out, /The backup contains no database of Paylink/);
    const other = await rehearse(dump('--table=rate_limits'));
    assert.equal(other.code, 1);
    assert.deepEqual(await databasesLeft(), []);
  });

  test('refuses a master key that is not that of the backup', async () => {
    const file = dump();
    const { code, out } = await rehearse(file, {
      PAYLINK_MASTER_KEY: Buffer.alloc(32, 8).toString('base64'),
    });
    assert.equal(code, 1);
    assert.match(out, /fail {2}master key: The backup needs the master key named/);
    const without = await rehearse(file, {});
    assert.equal(without.code, 2);
    assert.match(without.err, /Set PAYLINK_MASTER_KEY to the master key that you keep for this backup\./);
  });

  test('says what to give instead of a file that it cannot read', async () => {
    const text = join(folder, 'paylink.sql');
    await writeFile(text, '-- PostgreSQL database dump\n');
    for (const [file, says] of [
      [text, /is not a dump in pg_dump's custom format: make backups with pg_dump --format=custom/],
      [join(folder, 'missing'), /There is no file or folder/],
      [folder, /is neither a copy of a data folder/],
    ] as const) {
      const { code, err } = await rehearse(file);
      assert.equal(code, 2);
      assert.match(err, says);
    }
    await rm(text);
  });

  test('refuses a server with several hosts in one sentence, without its password', async () => {
    const server = 'postgres://postgres:verysecret@a:5432,b:5432/postgres';
    const given = ['admin', 'rehearse-restore', dump(), '--server', server];
    const { code, out, err } = await home.run(masterKeyOf(), ...given);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /^--server must name one host: [^\n]*\n$/);
  });

  test('an interruption leaves no database behind', async () => {
    const running = home.start(
      masterKeyOf(),
      'admin',
      'rehearse-restore',
      dump(),
      '--server',
      testDatabaseUrl(),
    );
    await until(async () => (await databasesLeft()).length > 0, 'the temporary database');
    running.child.kill('SIGINT');
    const { code, err } = await running.ended;
    assert.equal(code, 1, err);
    assert.match(err, /The rehearsal was interrupted/);
    assert.deepEqual(await databasesLeft(), []);
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { migrationsDir } from '../../src/db/migrate.ts';
import { type Release, readReleases, requireCommit } from '../harness/releases.ts';
import { findBreaks, type MigrationFile } from './find-breaks.ts';

const migrations: MigrationFile[] = readdirSync(migrationsDir)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => ({ file, text: readFileSync(`${migrationsDir}${file}`, 'utf8') }));
const releases = readReleases();

test('releases.json lists releases in order, each with its commit, date and last migration', () => {
  const order = ({ version }: Release) =>
    version
      .split('.')
      .map((part) => part.padStart(6, '0'))
      .join('.');
  for (const release of releases) {
    assert.match(release.version, /^\d+\.\d+\.\d+$/);
    assert.match(release.commit, /^[0-9a-f]{40}$/);
    assert.match(release.date, /^\d{4}-\d\d-\d\d$/);
    assert.ok(
      migrations.some(({ file }) => file === release.lastMigration),
      `${release.lastMigration} is a migration`,
    );
  }
  assert.ok(releases.length > 0);
  assert.deepEqual(releases.map(order), releases.map(order).sort());
});

test('no migration since the last release breaks that release', () => {
  assert.deepEqual(findBreaks(migrations, releases), []);
});

test('a release whose commit is missing is an error that says what to do', () => {
  const commit = 'f'.repeat(40);
  assert.throws(
    () => requireCommit({ version: '9.9.9', commit, date: '2026-01-01', lastMigration: '0001_first.sql' }),
    /The commit f{40} of release 9\.9\.9 is not in this repository.*git fetch --unshallow/,
  );
});

const release: Release = { version: '1.2.0', commit: '', date: '', lastMigration: '0001_released.sql' };
const released = {
  file: '0001_released.sql',
  text: `create table payments (payment_id text primary key, state text not null);
    create function enqueue() returns trigger language plpgsql as $$ begin return null; end $$;`,
};
const messagesOf = (text: string) =>
  findBreaks([released, { file: '0002_next.sql', text }], [release]).map(({ message }) => message);

const breaks: readonly [what: string, sql: string, message: RegExp][] = [
  ['a column that is not null', 'alter table payments add column mode text not null;', /no default/],
  ['the same without the word column', 'alter table payments add mode text not null', /no default/],
  ['the same among others', 'alter table payments add column a int, add column b int not null', /no default/],
  [
    'one whose default depends on the process',
    'alter table payments add mode text not null default f()',
    /constant/,
  ],
  ['a dropped column', 'alter table payments drop column state', /drops a column/],
  ['a dropped table', 'drop table payments', /drop table payments/],
  ['a dropped function', 'drop function enqueue()', /drop function/],
  ['a dropped index', 'drop index payments_by_state', /drop index/],
  ['a dropped trigger', 'drop trigger enqueues on payments', /drop trigger/],
  ['a dropped default', 'alter table payments alter state drop default', /drops a default/],
  ['a renamed column', 'alter table only payments rename column state to status', /renames/],
  ['a renamed table', 'ALTER TABLE payments\n  RENAME TO links', /renames/],
  ['a column that becomes not null', 'alter table payments alter column state set not null', /not null/],
  ['a column of another type', 'alter table payments alter column state type int using 1', /type/],
  ['the same in other words', 'alter table payments alter state set data type int', /type/],
  ['a narrower check', "alter table payments add constraint c check (state in ('a;b', 'c'))", /adds a check/],
  [
    'a check of new rows alone',
    'alter table payments add check (state is not null) not valid',
    /adds a check/,
  ],
  ['a foreign key', 'alter table payments add constraint f foreign key (state) references s', /constraint/],
  ['a unique index', 'create unique index on payments (state)', /unique index/],
  ['a dropped constraint', 'alter table payments drop constraint c', /drops a constraint/],
  ['a replaced function', 'create or replace function enqueue() returns trigger as $$ $$', /replaces/],
  [
    'a trigger on a table of the release',
    'create trigger t before insert on payments execute function f()',
    /trigger/,
  ],
  ['a policy of a table of the release', 'drop policy tenant on payments', /drop policy/],
  ['a restrictive policy', 'create policy p on payments as restrictive using (false)', /policy/],
  ['a right taken away', 'revoke select on payments from paylink_tenant', /revoke/],
  ['a block that alters', `do $$ begin execute 'alter table payments drop state'; end $$`, /in a block/],
  ['an unknown kind of statement', 'alter publication p add table payments', /not known/],
  [
    'what stands behind a string with a semicolon',
    `comment on table payments is 'a;--'; drop table payments`,
    /drop/,
  ],
  ['a comment that is no declaration', '-- the contract is over\ndrop table payments', /drop table/],
  ['a declaration without a reason', '-- contract: 1.2.0\ndrop table payments', /must say why/],
  [
    'a contract before the release that stopped using it',
    '-- contract: 1.3.0 no longer reads this table\ndrop table payments',
    /must name the release/,
  ],
  [
    'a declaration of another statement',
    '-- contract: 1.2.0 no longer reads this table\ndrop table a; drop table payments',
    /drop table payments/,
  ],
];
for (const [what, sql, message] of breaks)
  test(`planted: ${what}: it is reported`, () => {
    const messages = messagesOf(sql);
    assert.equal(messages.length, 1, JSON.stringify(messages));
    assert.match(messages[0] ?? '', message);
  });

test('additive changes are compatible, and so are all changes to unreleased tables', () => {
  const text = `
    alter table payments add column note text check (note is not null), add column tries int not null default 0;
    alter table payments add column seen_at timestamptz not null default now(), alter column state drop not null;
    create index payments_by_note on payments (note);
    update payments set note = 'a; drop table payments' where note is null;
    create table notes (note_id text primary key);
    alter table notes enable row level security;
    create policy tenant on notes using (true);
    create unique index on notes (note_id);
    create function write_note() returns trigger language plpgsql as $$ begin delete from notes; return null; end $$;
    revoke all on function write_note() from public;
    create trigger writes after insert on notes for each row execute function write_note();
    do $$ begin update payments set note = 'x'; end $$;
    grant select on notes to paylink_tenant;
    drop table notes;`;
  assert.deepEqual(messagesOf(text), []);
});

test('a breaking change is allowed if a comment declares its release or explains why it does not break', () => {
  const text = `
    -- contract: 1.2.0 is the first release that neither reads nor writes it
    alter table payments drop column state;
    -- The trigger returns early now.
    -- compatible: it does the same, with fewer reads
    create or replace function enqueue() returns trigger language plpgsql as $$ begin return null; end $$;`;
  assert.deepEqual(messagesOf(text), []);
});

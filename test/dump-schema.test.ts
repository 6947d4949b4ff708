import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dumpSchema } from '../scripts/dump-schema.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import {
  createCleaner,
  createEmpty,
  createTemplate,
  emptySchema,
  engineKinds,
  writeMigrations,
} from './harness/engines.ts';

const cleaner = createCleaner();
const databases: Database[] = [];
let dir = '';

const migration = `
  create type mood as enum ('sad', 'glad');
  create domain cents as bigint default 0 not null constraint positive check (value >= 0);
  create sequence ticket start 10 increment 5;
  create table orders (
    company_id text not null,
    order_id integer generated always as identity,
    parent_id integer,
    amount cents,
    mood mood not null default 'glad',
    note text collate "C",
    double bigint generated always as (amount * 2) stored,
    at timestamptz not null default now(),
    primary key (company_id, order_id),
    foreign key (company_id, parent_id) references orders on delete cascade,
    unique (company_id, note),
    constraint noted check (length(note) < 100)
  );
  create index orders_recent on orders (company_id, at desc) where mood = 'sad';
  alter table orders enable row level security;
  alter table orders force row level security;
  create policy tenant on orders to paylink_tenant
    using (company_id = current_company()) with check (company_id = current_company());
  create policy reading on orders as restrictive for select to public using (true);
  create function touch() returns trigger language plpgsql as $$ begin new.at = now(); return new; end $$;
  create trigger touched before update on orders for each row execute function touch();
  grant select, insert on orders to paylink_tenant;
  grant update (note) on orders to paylink_tenant;
  grant select on orders to paylink_system with grant option;
  create table parts (part_id integer, day date) partition by range (day);
  create table parts_2026 partition of parts for values from ('2026-01-01') to ('2027-01-01');
  create view glad_orders as select o.company_id from orders o join parts p on p.part_id = o.order_id;
  grant select on glad_orders to paylink_system;
  grant usage on sequence ticket to paylink_system;
`;

before(async () => {
  const template = createTemplate(cleaner);
  dir = await writeMigrations(cleaner, { '0001_everything.sql': migration });
  for (const kind of engineKinds) {
    const db = await openDatabase(await createEmpty(kind, cleaner, template));
    cleaner.add(() => db.close());
    databases.push(db);
  }
});
after(() => cleaner.clean());

test('the same migrations give the same text on every engine and in every run', async () => {
  const dumps = new Set<string>();
  for (const db of [...databases, ...databases]) {
    await emptySchema(db);
    await migrate(db, { dir, log: () => undefined });
    dumps.add(await dumpSchema(db));
    dumps.add(await dumpSchema(db));
  }
  assert.equal(dumps.size, 1, [...dumps].join('\n======\n'));
});

test('the text has every kind of object that a migration can create', async () => {
  const [db] = databases;
  assert.ok(db);
  const dump = await dumpSchema(db);
  const expected = [
    `create type mood as enum ('sad', 'glad');`,
    `create domain cents as bigint default 0 not null constraint positive CHECK ((VALUE >= 0));`,
    `create sequence ticket as bigint start 10 increment 5 `,
    `grant usage on sequence ticket to paylink_system;`,
    `  order_id integer generated always as identity not null,`,
    `  amount cents,`,
    `  mood mood default 'glad'::mood not null,`,
    `  note text collate "C",`,
    `  at timestamp with time zone default now() not null,`,
    `  constraint orders_pkey PRIMARY KEY (company_id, order_id)\n)`,
    `REFERENCES orders(company_id, order_id) ON DELETE CASCADE`,
    `  constraint orders_company_id_note_key UNIQUE (company_id, note)`,
    `  constraint noted CHECK ((length(note) < 100)),`,
    `CREATE INDEX orders_recent ON public.orders USING btree (company_id, at DESC) WHERE (mood = 'sad'::mood);`,
    `alter table orders enable row level security;`,
    `alter table orders force row level security;`,
    `create policy tenant on orders as permissive for all to paylink_tenant\n  using ((company_id = current_company()))`,
    `create policy reading on orders as restrictive for select to public\n  using (true);`,
    `CREATE TRIGGER touched BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION touch();`,
    `grant insert, select on orders to paylink_tenant;`,
    `grant update (note) on orders to paylink_tenant;`,
    `grant select on orders to paylink_system with grant option;`,
    `) partition by RANGE (day);`,
    `create table parts_2026 partition of parts (`,
    `create view glad_orders as\n`,
    `grant select on glad_orders to paylink_system;`,
    `CREATE OR REPLACE FUNCTION public.touch()`,
    `CREATE OR REPLACE FUNCTION public.current_company()`,
    `grant usage on schema public to paylink_tenant;`,
    'create table schema_migrations (',
  ];
  for (const text of expected) assert.ok(dump.includes(text), `missing: ${text}\n${dump}`);
  assert.match(dump, /double bigint generated always as \(.*\* 2.*\) stored/);
  assert.ok(!/postgres|orders_pkey ON/.test(dump), 'the owner, or an index that a constraint shows already');
});

test('every change of the schema changes the text', async () => {
  const [db] = databases;
  assert.ok(db);
  const changes = [
    'alter table orders no force row level security',
    'alter table orders disable row level security',
    'alter policy tenant on orders using (true)',
    'alter policy reading on orders to paylink_system',
    'drop policy tenant on orders',
    'revoke insert on orders from paylink_tenant',
    'revoke update (note) on orders from paylink_tenant',
    'grant delete on schema_migrations to public',
    'revoke execute on function touch() from public',
    'alter table orders alter note set not null',
    'alter table orders alter at drop default',
    'alter table orders drop constraint noted',
    'alter table schema_migrations set unlogged',
    'drop index orders_recent',
    'drop trigger touched on orders',
    `alter type mood add value 'mad'`,
    'drop view glad_orders',
    'revoke usage on schema public from paylink_system',
  ];
  let last = await dumpSchema(db);
  for (const change of changes) {
    await db.asOwner.query(change);
    const next = await dumpSchema(db);
    assert.notEqual(next, last, change);
    last = next;
  }
});

// The planner gets statistics soon after a table's first rows, and again after it has grown much, without
// autovacuum; and checking blocks nobody.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseFixture, openDatabaseFixture } from '../../test/harness/database-fixture.ts';
import { until } from '../../test/harness/process.ts';
import { analyzeGrownTables, listGrownTables, startAutoAnalyze } from './auto-analyze.ts';
import type { Sql } from './engine.ts';

let bare: DatabaseFixture;
let sql: Sql;
before(async () => {
  bare = await openDatabaseFixture('server');
  sql = bare.db.asOwner;
});
after(async () => await bare.stop());

/** A table of this test, which autovacuum skips. */
async function createTable(name: string): Promise<void> {
  // safe: the name is this test's.
  await sql.query(`create table ${name} (filler text) with (autovacuum_enabled = off)`);
}

async function fill(name: string, rows: number): Promise<void> {
  // safe: the name is this test's.
  await sql.query(`insert into ${name} select repeat('x', 1000) from generate_series(1, $1::integer)`, [
    rows,
  ]);
}

/** The planner's estimate of a table's pages. */
async function believedPages(name: string): Promise<number> {
  const [row] = await sql.query<{ pages: number }>(
    'select case when reltuples < 0 then -1 else relpages end as pages from pg_class where relname = $1',
    [name],
  );
  return Number(row?.pages);
}

const isGrown = async (name: string) =>
  (await listGrownTables(sql)).some((table) => table.name === `public.${name}`);

test('a table is analysed at its first rows and each time its pages double', async () => {
  await createTable('sizes');
  assert.equal(await isGrown('sizes'), false, 'without rows');
  await fill('sizes', 7);
  assert.ok((await analyzeGrownTables(sql)).includes('public.sizes'));
  assert.equal(await believedPages('sizes'), 1);
  await fill('sizes', 7);
  assert.equal(await isGrown('sizes'), true, 'with two pages');
  await analyzeGrownTables(sql);
  assert.equal(await believedPages('sizes'), 2);
  await fill('sizes', 7);
  assert.equal(await isGrown('sizes'), false, 'with three pages');
  await fill('sizes', 7);
  assert.equal(await isGrown('sizes'), true, 'with four pages');
});

test('a table that was analysed while empty is analysed when it has rows', async () => {
  await createTable('empty');
  await sql.query('analyze empty');
  await fill('empty', 28);
  await analyzeGrownTables(sql);
  assert.equal(await believedPages('empty'), 4);
});

/** Whether the planner knows the contents of a table, not only its size. */
async function hasStatistics(name: string): Promise<boolean> {
  const rows = await sql.query('select from pg_stats where tablename = $1', [name]);
  return rows.length > 0;
}

test('a table whose index was built after its rows, as in a restore, is analysed once', async () => {
  await createTable('restored');
  await fill('restored', 28);
  await sql.query('create index on restored (filler)');
  assert.equal(await believedPages('restored'), 4, 'the index has told the size of the table');
  assert.equal(await hasStatistics('restored'), false);
  assert.ok((await analyzeGrownTables(sql)).includes('public.restored'));
  assert.equal(await hasStatistics('restored'), true);
  assert.equal(await isGrown('restored'), false);
});

test('a table that is dropped during the check is not analysed', async () => {
  await createTable('dropped');
  await fill('dropped', 7);
  await sql.query('analyze dropped');
  const observer = new pg.Client({ connectionString: bare.options.databaseUrl });
  await observer.connect();
  try {
    // The first statement sets the snapshot, so the list still finds the table in the catalogue, but no size.
    await observer.query('begin isolation level repeatable read');
    await observer.query('select from pg_class limit 1');
    await sql.query('drop table dropped');
    const query: Sql['query'] = async (text, values = []) => {
      const { rows } = await observer.query(text, [...values]);
      return rows as never;
    };
    const names = (await listGrownTables({ query })).map(({ name }) => name);
    assert.equal(names.includes('public.dropped'), false);
  } finally {
    await observer.end();
  }
});

test('a table that cannot be analysed in time does not delay others, and is not retried at once', async () => {
  await createTable('awkward');
  await createTable('beside');
  await fill('awkward', 7);
  await fill('beside', 7);
  const asked: string[] = [];
  const failing: Sql = {
    query: async (text, values) => {
      if (text.startsWith('analyze')) asked.push(text);
      if (/^analyze.*awkward/.test(text)) throw new Error('canceling statement due to statement timeout');
      return await sql.query(text, values);
    },
  };
  const tried = new Map<string, number>();
  const faults: unknown[] = [];
  await analyzeGrownTables(failing, tried, (fault) => faults.push(fault));
  await analyzeGrownTables(failing, tried, (fault) => faults.push(fault));
  assert.equal(await believedPages('beside'), 1);
  assert.equal(asked.filter((text) => text.includes('awkward')).length, 1);
  assert.equal(faults.length, 1);
  await analyzeGrownTables(sql);
});

/** Resolves when a session of this database waits for a lock. */
async function untilWaiting(client: pg.Client): Promise<'waits'> {
  for (;;) {
    const { rowCount } = await client.query(
      `select from pg_locks where not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    if (rowCount) return 'waits';
    await sleep(20);
  }
}

test('a locked table is skipped without waiting, and not retried at once', async () => {
  await createTable('locked');
  await fill('locked', 7);
  const tried = new Map<string, number>();
  const other = new pg.Client({ connectionString: bare.options.databaseUrl });
  await other.connect();
  try {
    await other.query('begin; lock table locked in share update exclusive mode');
    assert.ok((await analyzeGrownTables(sql, tried)).includes('public.locked'));
    assert.equal(await believedPages('locked'), -1);
    assert.equal((await analyzeGrownTables(sql, tried)).includes('public.locked'), false);
  } finally {
    await other.end();
  }
  await analyzeGrownTables(sql);
  assert.equal(await believedPages('locked'), 1);
});

test('table sizes are read without waiting for a table that is being altered', async () => {
  await createTable('changing');
  await fill('changing', 7);
  const other = new pg.Client({ connectionString: bare.options.databaseUrl });
  await other.connect();
  try {
    await other.query('begin; lock table changing in access exclusive mode');
    const looking = listGrownTables(sql);
    const waiting = await Promise.race([looking, untilWaiting(other)]);
    assert.notEqual(waiting, 'waits');
    assert.equal(
      (await looking).some(({ name }) => name === 'public.changing'),
      false,
    );
  } finally {
    await other.end();
  }
});

test('a table that cannot be analysed is not retried at once, and does not delay others', async () => {
  await sql.query(`create function strict_length(filler text) returns integer language plpgsql immutable
                   as $$ begin return length(filler); end $$`);
  for (const name of ['broken_1', 'broken_2', 'sound']) {
    await createTable(name);
    // safe: the name is this test's.
    await sql.query(`create index on ${name} (strict_length(filler))`);
    await fill(name, 7);
  }
  await sql.query(`create or replace function strict_length(filler text) returns integer language plpgsql immutable
                   as $$ begin raise exception 'no length'; end $$`);
  await sql.query('drop index sound_strict_length_idx');
  const tried = new Map<string, number>();
  const asked: string[] = [];
  const counted: Sql = {
    query: async (text, values) => {
      if (text.startsWith('analyze')) asked.push(text.replace(/^.* /, ''));
      return await sql.query(text, values);
    },
  };
  for (let look = 0; look < 5; look++) await analyzeGrownTables(counted, tried).catch(() => undefined);
  assert.deepEqual(asked.filter((name) => /broken|sound/.test(name)).sort(), [
    'public.broken_1',
    'public.broken_2',
    'public.sound',
  ]);
  assert.equal(await believedPages('sound'), 1);
  await sql.query('drop table broken_1, broken_2');
});

test('slow and failing checks run less often', async () => {
  const keep = (look: () => Promise<void>) => {
    const times: number[] = [];
    const sql: Sql = {
      query: async () => {
        times.push(performance.now());
        await look();
        return [];
      },
    };
    const pauses = () => times.slice(1).map((time, index) => time - (times[index] ?? 0));
    return { pauses, stop: startAutoAnalyze(sql, () => undefined).stop };
  };
  const quick = keep(async () => undefined);
  const others = [
    keep(async () => void (await sleep(100))),
    keep(() => Promise.reject(new Error('no rights'))),
  ];
  try {
    // On a busy machine a quick look may be slow, but not all of them.
    await until(() => quick.pauses().some((ms) => ms < 2_500), 'a quick look soon after another');
    await until(() => others.every(({ pauses }) => pauses().length > 0), 'a second slow and failing look');
  } finally {
    await Promise.all([quick, ...others].map(async ({ stop }) => await stop()));
  }
  for (const { pauses } of others) assert.ok(Math.min(...pauses()) > 4_900, `${pauses().join()} ms`);
});

test('checks run by themselves, continue after a failure, and end when stopped', async () => {
  await createTable('watched');
  let isBroken = true;
  const faults: unknown[] = [];
  const flaky: Sql = {
    query: async (text, values) => {
      if (isBroken) throw new Error('no database');
      return await sql.query(text, values);
    },
  };
  const keeper = startAutoAnalyze(flaky, (fault) => faults.push(fault));
  try {
    await until(async () => faults.length > 0, 'a look to fail');
    isBroken = false;
    await fill('watched', 7);
    await until(async () => (await believedPages('watched')) === 1, 'the table to be analysed');
  } finally {
    await keeper.stop();
  }
  await fill('watched', 700);
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(await believedPages('watched'), 1);
});

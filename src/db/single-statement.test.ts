// Transactions of one statement, on both engines.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import {
  countNotes,
  createCleaner,
  createTestEach,
  insertNote,
  newCompany,
  serverUrl,
  sqlState,
} from '../../test/harness/engines.ts';
import { readPoolState } from './connection.ts';
import { createDatabase } from './database.ts';

const cleaner = createCleaner();
const testEach = createTestEach(cleaner);
after(() => cleaner.clean());

const single = { isSingle: true };
const insert = 'insert into notes values ($1, $2) returning note_id as id';

testEach('a single statement writes and reads the rows of its company only', async (db) => {
  const [own, other] = [newCompany(), newCompany()];
  await insertNote(db, other, 7);
  const written = await db.inCompany(own, async (tx) => await tx.query(insert, [own, 1]), single);
  assert.deepEqual(written, [{ id: 1 }]);
  const read = await db.inCompany(
    own,
    async (tx) => await tx.query('select note_id as id from notes'),
    single,
  );
  assert.deepEqual(read, [{ id: 1 }]);
  await assert.rejects(
    db.inCompany(own, async (tx) => await tx.query(insert, [other, 8]), single),
    sqlState('42501'),
  );
});

for (const isBatch of [false, true])
  testEach(
    `an error of a single statement writes nothing, and the same text works afterwards${isBatch ? ', prepared' : ''}`,
    async (db) => {
      const company = newCompany();
      const add = async (noteId: unknown) =>
        await db.inCompany(company, async (tx) => await tx.query(insert, [company, noteId]), {
          ...single,
          isBatch,
        });
      for (const id of [1, 2, 3]) {
        await assert.rejects(add('no number'), sqlState('22P02'));
        assert.deepEqual(await add(id), [{ id }]);
        await assert.rejects(add(id), sqlState('23505'));
      }
      const again = await db.inCompany(company, async (tx) => await tx.query(insert, [company, 4]), {
        isBatch,
      });
      assert.deepEqual(again, [{ id: 4 }]);
      assert.equal(await countNotes(db, company), 4);
    },
  );

testEach('a text that was never parsed is parsed at its next use', async (db) => {
  const company = newCompany();
  const text = 'select body as only_here from notes where note_id = $1';
  const read = async () =>
    await db.inCompany(company, async (tx) => await tx.query(text, [1]), { ...single, isBatch: true });
  await db.asOwner.query('alter table notes rename column body to hidden');
  try {
    await assert.rejects(read(), sqlState('42703'));
  } finally {
    await db.asOwner.query('alter table notes rename column hidden to body');
  }
  assert.deepEqual(await read(), []);
});

testEach('a single statement whose commit fails throws and stores nothing', async (db) => {
  await db.asOwner.query('create table if not exists singles (a int unique deferrable initially deferred)');
  await db.asOwner.query('grant select, insert on singles to paylink_system');
  const write = db.inSystem(
    async (tx) => await tx.query('insert into singles values ($1), ($1)', [1]),
    single,
  );
  await assert.rejects(write, sqlState('23505'));
  assert.deepEqual(await db.inSystem(async (tx) => await tx.query('select * from singles'), single), []);
});

testEach('a second statement is refused, and one that was not awaited is reported', async (db) => {
  const company = newCompany();
  const two = db.inCompany(
    company,
    async (tx) => {
      await tx.query(insert, [company, 1]);
      await tx.query(insert, [company, 2]);
    },
    single,
  );
  await assert.rejects(two, /takes one statement/);
  const notAwaited = db.inCompany(
    company,
    async (tx) => {
      tx.query(insert, [company, 3]).catch(() => undefined);
    },
    single,
  );
  await assert.rejects(notAwaited, /await every query/);
});

testEach('an ignored error of a single statement is reported', async (db) => {
  const ignoring = db.inSystem(
    async (tx) => void (await tx.query('select $1::int / 0', [1]).catch(() => undefined)),
    single,
  );
  await assert.rejects(ignoring, /nothing was committed/);
});

testEach('a single statement is run again after a deadlock, and signals after its commit', async (db) => {
  const company = newCompany();
  const signals: string[] = [];
  db.onSignal((companyId, signal) => {
    if (companyId === company) signals.push(signal);
  });
  let runs = 0;
  await db.inCompany(
    company,
    async (tx) => {
      runs += 1;
      tx.signal('public_event');
      const fail = `do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`;
      await tx.query(runs === 1 ? fail : 'select 1');
    },
    single,
  );
  assert.deepEqual([runs, signals], [2, ['public_event']]);
});

testEach('a single statement has the same settings as any transaction', async (db) => {
  const names = [
    'role',
    'statement_timeout',
    'lock_timeout',
    'TimeZone',
    'search_path',
    'paylink.company_id',
    'paylink.mode',
  ];
  const read = `select name, current_setting(name) as value from unnest($1::text[]) as name`;
  const scope = { companyId: newCompany(), mode: 'live' } as const;
  const readSettings = async (options: object) =>
    await db.inTenant(scope, async (tx) => await tx.query(read, [names]), options);
  assert.deepEqual(await readSettings(single), await readSettings({}));
});

test('a statement whose settings fail is not run', async () => {
  assert.ok(serverUrl);
  const pool = new pg.Pool({ connectionString: serverUrl, pipeline: true, max: 1 } as pg.PoolConfig);
  const settings = { statement_timeout: 'no time' };
  const db = createDatabase({
    kind: 'server',
    pool,
    limits: {},
    settings,
    durability: '',
    poolState: () => readPoolState(pool),
    close: () => pool.end(),
  });
  try {
    const work = db.inSystem(async (tx) => await tx.query('create table never (a int)'), single);
    await assert.rejects(work, sqlState('22023'));
    const { rows } = await pool.query(`select to_regclass('never') as found`);
    assert.deepEqual(rows, [{ found: null }]);
  } finally {
    await db.close();
  }
});

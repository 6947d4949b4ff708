import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  countNotes,
  createCleaner,
  createTestEach,
  insertNote,
  newCompany,
  sqlState,
} from '../../test/harness/engines.ts';

const cleaner = createCleaner();
const testEach = createTestEach(cleaner);
after(() => cleaner.clean());

testEach('rows of one company are invisible to another, even by a raw query', async (db) => {
  const [first, second] = [newCompany(), newCompany()];
  await insertNote(db, first, 1);
  assert.equal(await countNotes(db, first), 1);
  assert.equal(await countNotes(db, second), 0);
  await db.inCompany(second, async (tx) => {
    assert.deepEqual(await tx.query('select * from notes where company_id = $1', [first]), []);
    assert.deepEqual(await tx.query('update notes set body = null returning note_id'), []);
    assert.deepEqual(await tx.query('delete from notes returning note_id'), []);
  });
  assert.equal(await countNotes(db, first), 1);
});

testEach('a company cannot write a row of another', async (db) => {
  const [first, second] = [newCompany(), newCompany()];
  await insertNote(db, second, 1);
  await assert.rejects(
    db.inCompany(second, (tx) => tx.query('insert into notes values ($1, 1)', [first])),
    sqlState('42501'),
  );
  await assert.rejects(
    db.inCompany(second, (tx) => tx.query('update notes set company_id = $1', [first])),
    sqlState('42501'),
  );
});

testEach(
  'a transaction without a company finds nothing, whatever ran before on its connection',
  async (db) => {
    const company = newCompany();
    await insertNote(db, company, 1);
    await db.withConnection(async (sql) => {
      const look = async (setCompany: string) => {
        await sql.query(`begin; set local role paylink_tenant; ${setCompany}`);
        const rows = await sql.query('select * from notes');
        await sql.query('commit');
        return rows.length;
      };
      assert.equal(await look(''), 0);
      assert.equal(await look(`set local paylink.company_id = '${company}'`), 1);
      assert.equal(await look(''), 0);
    });
  },
);

testEach('the roles see their own tables and nothing else', async (db) => {
  for (const table of ['settings', 'queue', 'schema_migrations']) {
    const work = db.inCompany(newCompany(), (tx) => tx.query(`select * from ${table}`));
    await assert.rejects(work, sqlState('42501'), table);
  }
  for (const table of ['notes', 'queue', 'schema_migrations']) {
    const work = db.inSystem((tx) => tx.query(`select * from ${table}`));
    await assert.rejects(work, sqlState('42501'), table);
  }
  await assert.rejects(
    db.inCompany(newCompany(), (tx) => tx.query('create table x (y int)')),
    sqlState('42501'),
  );
  await db.inSystem((tx) => tx.query(`insert into settings values ('a', 'b') on conflict do nothing`));
  assert.deepEqual(await db.inSystem((tx) => tx.query('select * from settings')), [
    { name: 'a', value: 'b' },
  ]);
});

testEach('an invalid company ID never reaches a statement', async (db) => {
  for (const companyId of ['', 'co_', "co_a'; select 1; --", 'co_ABCD', 'co_abcd\n', 'xx_abcdef']) {
    let hasRun = false;
    const work = db.inCompany(companyId, async () => {
      hasRun = true;
    });
    await assert.rejects(work, /the company ID is malformed/);
    assert.equal(hasRun, false);
  }
});

testEach('a query in a transaction is one statement, so that no second one can be injected', async (db) => {
  const work = db.inCompany(newCompany(), (tx) => tx.query('select 1; reset role'));
  await assert.rejects(work, sqlState('42601'));
});

testEach('a statement cannot end the transaction that it runs in', async (db) => {
  const company = newCompany();
  for (const ending of ['commit', 'rollback', 'abort']) {
    const work = db.inCompany(company, async (tx) => {
      await assert.rejects(tx.query(ending), /ended the transaction/);
      await tx.query('select 1').catch(() => undefined);
    });
    await assert.rejects(work, /nothing was committed/);
  }
  assert.equal(await countNotes(db, company), 0);
});

testEach('the outer handle is rejected inside a transaction, instead of waiting for itself', async (db) => {
  const outer: [string, () => Promise<unknown>][] = [
    ['inCompany', () => db.inCompany(newCompany(), async () => undefined)],
    ['inSystem', () => db.inSystem(async () => undefined)],
    ['asOwner', () => db.asOwner.query('select 1')],
    ['withConnection', () => db.withConnection(async () => undefined)],
    ['ping', () => db.ping()],
  ];
  for (const [name, use] of outer) {
    const refused = () => assert.rejects(use(), /database used outside its transaction/, name);
    await db.inCompany(newCompany(), refused);
    await db.inSystem(refused);
    await db.withConnection(refused);
  }
});

testEach('work that a transaction starts may use the database after it', async (db) => {
  let later: Promise<unknown> | undefined;
  await db.inSystem(async () => {
    later = pause(50).then(() => db.ping());
  });
  await later;
});

testEach('session state of a single connection does not leak', async (db) => {
  await db.withConnection(async (sql) => {
    await sql.query(
      `set paylink.company_id = 'co_leaked'; set role paylink_system; create temp table t (a int)`,
    );
    await sql.query('select pg_advisory_lock(42); begin; select 1');
  });
  const rows = await db.asOwner.query(
    `select nullif(current_setting('paylink.company_id', true), '') as company, to_regclass('t')::text as t`,
  );
  assert.deepEqual(rows, [{ company: null, t: null }]);
  // A server notices a moment later that the connection is closed. The lock is free when it can be taken.
  await db.withConnection((sql) => sql.query('select pg_advisory_lock(42)'));
});

import assert from 'node:assert/strict';
import { after } from 'node:test';
import fc from 'fast-check';
import {
  countNotes,
  createCleaner,
  createTestEach,
  insertNote,
  newCompany,
  sqlState,
} from '../../test/harness/engines.ts';
import { createTimeBudget, remainingBudgetMs, runWithBudget } from '../base/time-budget.ts';
import type { Database } from './database.ts';

const cleaner = createCleaner();
const testEach = createTestEach(cleaner);
after(() => cleaner.clean());

testEach('work that throws is rolled back', async (db) => {
  const company = newCompany();
  const work = db.inCompany(company, async (tx) => {
    await tx.query('insert into notes values ($1, 1)', [company]);
    throw new Error('changed my mind');
  });
  await assert.rejects(work, /changed my mind/);
  assert.equal(await countNotes(db, company), 0);
});

testEach('a transaction with an ignored statement error does not commit', async (db) => {
  const company = newCompany();
  const work = db.inCompany(company, async (tx) => {
    await tx.query('insert into notes values ($1, 1)', [company]);
    await tx.query('select 1 / 0').catch(() => undefined);
  });
  await assert.rejects(work, /nothing was committed/);
  assert.equal(await countNotes(db, company), 0);
});

testEach('a failure after a savepoint can be rolled back and the rest committed', async (db) => {
  const company = newCompany();
  await db.inCompany(company, async (tx) => {
    await tx.query('insert into notes values ($1, 1)', [company]);
    await tx.query('savepoint before');
    await assert.rejects(tx.query('insert into notes values ($1, 1)', [company]), sqlState('23505'));
    await tx.query('rollback to savepoint before');
    await tx.query('insert into notes values ($1, 2)', [company]);
  });
  assert.equal(await countNotes(db, company), 2);
});

testEach('a statement that was not awaited rolls the transaction back', async (db) => {
  const company = newCompany();
  const work = db.inCompany(company, async (tx) => {
    tx.query('insert into notes values ($1, 1)', [company]).catch(() => undefined);
  });
  await assert.rejects(work, /await every query/);
  assert.equal(await countNotes(db, company), 0);
});

testEach('queries started together run one after the other', async (db) => {
  const company = newCompany();
  await db.inCompany(company, (tx) =>
    Promise.all(
      Array.from({ length: 20 }, (_, i) => tx.query('insert into notes values ($1, $2)', [company, i])),
    ),
  );
  assert.equal(await countNotes(db, company), 20);
});

testEach('a transaction used after its end throws, and so does a connection', async (db) => {
  const tx = await db.inCompany(newCompany(), async (open) => open);
  await assert.rejects(tx.query('select 1'), /transaction used after its end/);
  const sql = await db.withConnection(async (open) => open);
  await assert.rejects(sql.query('select 1'), /connection used after its end/);
});

testEach('rejected statements of every kind leave the connection usable', async (db) => {
  const refused: [string, unknown[] | undefined, string][] = [
    ['selec 1', undefined, '42601'],
    ['selec $1', [1], '42601'],
    ['select * from nowhere where a = $1', [1], '42P01'],
    ['select $1::uuid', ['no uuid'], '22P02'],
    ['select $1::int, $2::int', [1], '08P01'],
    ['insert into queue values (-1), (-1)', undefined, '23505'],
    ['insert into queue values ($1), ($1)', [-2], '23505'],
    ['select 1; select 1 / 0', undefined, '22012'],
    ['begin; select 1 / 0', undefined, '22012'],
  ];
  for (const [text, values, code] of refused) {
    await assert.rejects(db.asOwner.query(text, values), sqlState(code), text);
    assert.deepEqual(await db.asOwner.query('select $1::int as one', [1]), [{ one: 1 }]);
  }
  for (const [text, values, code] of refused.filter(
    ([text]) => !text.includes(';') && !text.includes('queue'),
  )) {
    await assert.rejects(
      db.inCompany(newCompany(), (tx) => tx.query(text, values)),
      sqlState(code),
      text,
    );
    assert.equal(await countNotes(db, newCompany()), 0);
  }
});

testEach('a failed commit throws and stores nothing', async (db) => {
  await db.withConnection((sql) =>
    sql.query('create table if not exists later (a int unique deferrable initially deferred)'),
  );
  await db.asOwner.query('grant select, insert on later to paylink_system');
  const work = db.inSystem(async (tx) => {
    await tx.query('insert into later values (1)');
    await tx.query('insert into later values (1)');
    return 'believed';
  });
  await assert.rejects(work, sqlState('23505'));
  assert.deepEqual(await db.inSystem((tx) => tx.query('select * from later')), []);
});

testEach('a result and a parameter of 5 MB pass unchanged', async (db) => {
  const size = 5 * 1024 * 1024;
  const company = newCompany();
  const body = 'äöü€'.repeat(size / 8);
  await insertNote(db, company, 1, body);
  const rows = await db.inCompany(company, (tx) => tx.query<{ body: string }>('select body from notes'));
  assert.ok(rows[0]?.body === body, 'the text came back as another');
  const many = await db.asOwner.query<{ t: string }>(
    `select repeat('x', 1024) as t from generate_series(1, $1)`,
    [5_000],
  );
  assert.equal(many.length, 5_000);
});

testEach(
  'bigint is a number, numeric a string, timestamptz a Date, and a bigint beyond a number is an error',
  async (db) => {
    const at = new Date('2026-02-03T04:05:06.789Z');
    const rows = await db.asOwner.query(
      `select 9007199254740991::bigint as big, 1.10::numeric as exact, $1::timestamptz as at, count(*) as n`,
      [at],
    );
    assert.deepEqual(rows, [{ big: 9007199254740991, exact: '1.10', at, n: 1 }]);
    await assert.rejects(db.asOwner.query('select 9007199254740992::bigint'), RangeError);
    await assert.rejects(
      db.inSystem((tx) => tx.query('select 9007199254740992::bigint')),
      RangeError,
    );
  },
);

testEach('200 concurrent transactions on a server all succeed, and 40 on the embedded engine', async (db) => {
  const company = newCompany();
  // The embedded engine runs one at a time, and each waits 10 seconds at most.
  const count = db.kind === 'server' ? 200 : 40;
  await Promise.all(Array.from({ length: count }, (_, i) => insertNote(db, company, i)));
  assert.equal(await countNotes(db, company), count);
});

testEach('work is retried after a conflict, at most 3 times', async (db) => {
  const conflict = async (tx: { query: Database['asOwner']['query'] }, code: string) => {
    await tx.query(`do $$ begin raise exception 'conflict' using errcode = '${code}'; end $$`);
  };
  for (const code of ['40001', '40P01']) {
    let runs = 0;
    const result = await db.inSystem(async (tx) => {
      if (++runs < 3) await conflict(tx, code);
      return 'done';
    });
    assert.deepEqual([result, runs], ['done', 3]);
    runs = 0;
    const hopeless = db.inSystem((tx) => {
      runs++;
      return conflict(tx, code);
    });
    await assert.rejects(hopeless, sqlState(code));
    assert.equal(runs, 4);
  }
  let runs = 0;
  const refused = db.inSystem((tx) => {
    runs++;
    return conflict(tx, '23505');
  });
  await assert.rejects(refused, sqlState('23505'));
  assert.equal(runs, 1);
});

testEach('an open database answers a ping', async (db) => {
  await db.ping();
});

testEach('a signal arrives once, after its commit, and never after a rollback', async (db) => {
  const company = newCompany();
  const heard: [string, string, number][] = [];
  db.onSignal((companyId, signal) => {
    if (companyId === company) heard.push([companyId, signal, committed]);
  });
  let committed = 0;
  await assert.rejects(
    db.inCompany(company, async (tx) => {
      tx.signal('public_event');
      throw new Error('changed my mind');
    }),
  );
  await db.inCompany(company, async (tx) => {
    tx.signal('deliveries_due');
    tx.signal('deliveries_due');
    await tx.query('insert into notes values ($1, 1)', [company]);
    committed = 1;
  });
  assert.deepEqual(heard, [[company, 'deliveries_due', 1]]);
});

testEach('of retried work, only the signals of the last run arrive', async (db) => {
  const company = newCompany();
  const heard: string[] = [];
  db.onSignal((companyId, signal) => {
    if (companyId === company) heard.push(signal);
  });
  const signals = ['public_event', 'deliveries_due'] as const;
  // The signals of each run: all but the last run are rolled back.
  const runs = fc.array(fc.subarray([...signals]), { minLength: 1, maxLength: 4 });
  const proof = fc.asyncProperty(runs, async (ofRuns) => {
    heard.length = 0;
    let run = 0;
    await db.inCompany(company, async (tx) => {
      const own = ofRuns[run] ?? [];
      run += 1;
      for (const signal of own) tx.signal(signal);
      const giveUp = `do $$ begin raise exception using errcode = 'serialization_failure'; end $$`;
      if (run < ofRuns.length) await tx.query(giveUp);
    });
    assert.deepEqual([run, heard.toSorted()], [ofRuns.length, (ofRuns.at(-1) ?? []).toSorted()]);
  });
  await fc.assert(proof, {
    numRuns: 8,
    examples: [[[['public_event'], []]], [[['deliveries_due'], ['public_event']]]],
  });
});

testEach('a signal listener is not limited by the budget of the sending request', async (db) => {
  const company = newCompany();
  const left: (number | null)[] = [];
  db.onSignal((companyId) => {
    if (companyId === company) left.push(remainingBudgetMs());
  });
  const work = async () => await db.inCompany(company, async (tx) => tx.signal('public_event'));
  await runWithBudget(createTimeBudget(60_000), work);
  assert.deepEqual(left, [null]);
});

testEach('a snapshot sees one moment, may take long, and cannot write', async (db) => {
  const company = newCompany();
  await insertNote(db, company, 1);
  // The embedded engine has one connection, so no other session can write during this.
  const others = db.kind === 'server' ? [2, 3] : [];
  const gate = Promise.withResolvers<void>();
  const written = gate.promise.then(async () => {
    for (const noteId of others) await insertNote(db, company, noteId);
  });
  const look = { isSnapshot: true };
  const seen = await db.inCompany(
    company,
    async (tx) => {
      const count = async () => (await tx.query('select note_id from notes')).length;
      const before = await count();
      gate.resolve();
      await written;
      const [setting] = await tx.query(`select current_setting('statement_timeout') as "limit"`);
      return { before, after: await count(), limit: setting?.limit };
    },
    look,
  );
  assert.deepEqual(seen, { before: 1, after: 1, limit: '1h' });
  assert.equal(await countNotes(db, company), 1 + others.length);
  const readOnly = '25006';
  const writing = db.inCompany(
    company,
    async (tx) => await tx.query('insert into notes values ($1, 9)', [company]),
    look,
  );
  await assert.rejects(writing, sqlState(readOnly));
});

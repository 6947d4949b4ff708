// The numbers of events while the base of the database is raised: a reader of the feed gets every event once, and no event
// gets a number below the raised ones. Each function of the order is also tried without a part of it, and the test fails.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  catchUpEventNumbers,
  countMissingNumbers,
  raiseEventNumbers,
  readEventNumbers,
} from '../src/events/event-numbers.ts';
import { type FeedPosition, listEvents } from '../src/events/list-events.ts';
import { verifyChain } from '../src/events/verify-chain.ts';
import type { Json } from './harness/client.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines } from './harness/paylink.ts';
import { until } from './harness/process.ts';

const far = 1_000_000_000n;

/** Follows the feed of a company from its start, to its end at each call. */
function createFollower(bare: DatabaseFixture, companyId: string) {
  let cursor: FeedPosition | null = null;
  const seen: string[] = [];
  return {
    seen,
    follow: async () => {
      const page = await bare.inTenant(companyId, (tx) => listEvents(tx, { after: cursor, limit: 100 }));
      cursor = page.cursor;
      seen.push(...page.events.map(({ type }) => type));
    },
  };
}

/** Statements on a connection of their own, in a transaction that the test ends. */
async function openWriter(bare: DatabaseFixture, begin = 'begin') {
  const opened = Promise.withResolvers<(text: string, values?: unknown[]) => Promise<Json[]>>();
  const ended = Promise.withResolvers<void>();
  const over = bare.db.withConnection(async (sql) => {
    await sql.query(begin);
    opened.resolve(async (text, values) => await sql.query<Json>(text, values));
    await ended.promise;
  });
  over.catch(opened.reject);
  const query = await opened.promise;
  return {
    query,
    /** Writes an event, and returns its number. */
    write: async (companyId: string, type: string): Promise<bigint> => {
      const [row] = await query(
        `insert into events (company_id, mode, event_id, type, is_public, actor, data, at)
         values ($1, 'test', 'evt_' || $2, $2, true, 'test', '{}', now()) returning xact::text as xact`,
        [companyId, type],
      );
      return BigInt(String(row?.xact));
    },
    end: async (how: 'commit' | 'rollback' = 'commit') => {
      await query(how);
      ended.resolve();
      await over;
    },
  };
}

const raiseFar = async ({ db }: DatabaseFixture): Promise<bigint> => {
  const lowest = (await db.inSystem(readEventNumbers)).next + far;
  await raiseEventNumbers(db.asOwner, lowest);
  return lowest;
};

/** What a reader gets of an event whose transaction is open while the base is raised, and of one after it. */
async function followAcrossRaise(bare: DatabaseFixture): Promise<string[]> {
  const companyId = await bare.createCompany();
  const reader = createFollower(bare, companyId);
  const open = await openWriter(bare);
  await open.write(companyId, 'first');
  await bare.append(companyId, 'second');
  let isOver = false;
  const raised = raiseFar(bare).finally(() => {
    isOver = true;
  });
  const waits = `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  await until(
    async () => isOver || (await bare.db.asOwner.query(waits)).length > 0,
    'the raise to wait for the writer, or to end',
  );
  await reader.follow();
  await open.end();
  await raised;
  await bare.append(companyId, 'third');
  await until(async () => {
    await reader.follow();
    return reader.seen.includes('third');
  }, 'the feed');
  return reader.seen;
}

/** The number of an event whose transaction got its own number before a raise, less the raised one. */
async function writeAfterRaise(bare: DatabaseFixture): Promise<bigint> {
  const companyId = await bare.createCompany();
  const open = await openWriter(bare);
  await open.query('select pg_current_xact_id()');
  for (let other = 0; other < 3; other += 1) await bare.append(companyId, `other${other}`);
  const lowest = await raiseFar(bare);
  const number = await open.write(companyId, 'late');
  await open.end();
  return number - lowest;
}

/** What happens to an event of a transaction whose snapshot is older than a raise. */
async function writeInOldSnapshot(bare: DatabaseFixture): Promise<string> {
  const companyId = await bare.createCompany();
  const open = await openWriter(bare, 'begin isolation level repeatable read');
  await open.query('select count(*) from companies');
  const lowest = await raiseFar(bare);
  const written = await open.write(companyId, 'old').then(
    (number) => (number < lowest ? 'a number below the raised ones' : 'a number above'),
    (error: { code?: string }) => `error ${error.code}`,
  );
  await open.end('rollback');
  return written;
}

const lockOfTest = 815;

/** By how much the horizon of a statement that began before a commit and a raise is above the committed event. */
async function readHorizonInOldStatement(bare: DatabaseFixture): Promise<bigint> {
  const companyId = await bare.createCompany();
  const [open, gate, reader] = [await openWriter(bare), await openWriter(bare), await openWriter(bare)];
  const number = await open.write(companyId, 'first');
  await gate.query('select pg_advisory_xact_lock($1)', [lockOfTest]);
  const read = reader.query(
    `with passed as materialized (select pg_advisory_xact_lock_shared($1)::text as gate)
     select event_horizon()::text as horizon from passed where gate is not null`,
    [lockOfTest],
  );
  const waiting = `select from pg_locks where locktype = 'advisory' and objid = ${lockOfTest} and not granted`;
  await until(async () => (await bare.db.asOwner.query(waiting)).length > 0, 'the statement to begin');
  await open.end();
  await raiseFar(bare);
  await gate.end();
  const [row] = await read;
  await reader.end();
  return BigInt(String(row?.horizon)) - number;
}

const chosen = 77_000_000_000_000n;

/** The number of an event whose writer has a temporary table with the name of the real one. */
async function writeWithOwnTable(bare: DatabaseFixture): Promise<bigint> {
  const companyId = await bare.createCompany();
  const open = await openWriter(bare);
  await open.query(`create temporary table event_numbers as select '${chosen}'::bigint as base`);
  const number = await open.write(companyId, 'own');
  await open.end('rollback');
  return number;
}

/** Changes a function of the database. */
async function plant(bare: DatabaseFixture, name: string, from: string, to: string): Promise<void> {
  const [row] = await bare.db.asOwner.query<{ text: string }>(
    'select pg_get_functiondef($1::regproc) as text',
    [name],
  );
  const text = row?.text ?? '';
  assert.ok(text.includes(from), `${name} has no ${from}`);
  await bare.db.asOwner.query(text.replaceAll(from, to));
}

describe('numbers of events on a server', () => {
  let bare: DatabaseFixture;
  before(async () => {
    bare = await openDatabaseFixture('server');
  });
  after(async () => await bare.stop());

  test('a reader gets an event whose transaction is open while the base is raised, in its order', async () => {
    assert.deepEqual(await followAcrossRaise(bare), ['first', 'second', 'third']);
  });

  test('a transaction that began before a raise, and writes after it, gets a number above the wanted one', async () => {
    assert.ok((await writeAfterRaise(bare)) >= 0n);
  });

  test('an event is refused as a conflict if a raise came after the snapshot of its transaction', async () => {
    assert.equal(await writeInOldSnapshot(bare), 'error 40001');
    const companyId = await bare.createCompany();
    const open = await openWriter(bare, 'begin isolation level repeatable read');
    await open.query('select count(*) from companies');
    const { next } = await bare.db.inSystem(readEventNumbers);
    assert.ok((await open.write(companyId, 'new')) >= next);
    await open.end();
  });

  test('the horizon of a statement does not include what was raised after it began', async () => {
    assert.ok((await readHorizonInOldStatement(bare)) <= 0n);
  });

  test('all events of a transaction have one number, also after a savepoint was rolled back', async () => {
    const companyId = await bare.createCompany();
    const open = await openWriter(bare);
    await open.query('savepoint part');
    await open.write(companyId, 'undone');
    await open.query('rollback to savepoint part');
    // The lock went with the savepoint.
    const lowest = await raiseFar(bare);
    const number = await open.write(companyId, 'a');
    assert.ok(number >= lowest);
    assert.equal(await open.write(companyId, 'b'), number);
    await open.end();
  });

  test('a raise that waits for a transaction lets other writers through within seconds', async () => {
    const companyId = await bare.createCompany();
    const open = await openWriter(bare);
    await open.write(companyId, 'slow');
    const raised = raiseFar(bare);
    await pause(100);
    for (const type of ['a', 'b', 'c']) {
      const began = performance.now();
      await bare.append(companyId, type);
      assert.ok(performance.now() - began < 4_000, 'below the limit of waits for locks');
    }
    await open.end();
    assert.ok((await raised) > far);
  });

  test('a company cannot choose its numbers, by a right or by a table of the same name', async () => {
    const { db } = bare;
    const companyId = await bare.createCompany();
    const attempts = [
      'update event_numbers set base = 1',
      `select raise_event_numbers('1')`,
      'delete from event_numbers',
    ];
    for (const attempt of attempts) {
      const refused = { message: /permission denied for table event_numbers/ };
      const lowest = String((await db.inSystem(readEventNumbers)).next + far);
      const text = attempt.replace(`'1'`, `'${lowest}'`);
      await assert.rejects(
        bare.inTenant(companyId, async (tx) => await tx.query(text)),
        refused,
        attempt,
      );
    }
    assert.ok((await writeWithOwnTable(bare)) < chosen);
  });
});

const plants: readonly {
  what: string;
  change: readonly [name: string, from: string, to: string];
  isCaught: (bare: DatabaseFixture) => Promise<boolean>;
}[] = [
  {
    what: 'a raise without its lock skips an event',
    change: ['raise_event_numbers', 'perform pg_advisory_xact_lock(7310595316853);', 'perform 1;'],
    isCaught: async (bare) => !(await followAcrossRaise(bare)).includes('first'),
  },
  {
    what: 'a writer without its lock has its event skipped',
    change: ['event_number', 'pg_advisory_xact_lock_shared(7310595316853) is null', 'false'],
    isCaught: async (bare) => !(await followAcrossRaise(bare)).includes('first'),
  },
  {
    what: 'a raise that counts from the next transaction gives an open one a lower number',
    change: ['raise_event_numbers', 'pg_snapshot_xmin', 'pg_snapshot_xmax'],
    isCaught: async (bare) => (await writeAfterRaise(bare)) < 0n,
  },
  {
    what: 'a writer with an old snapshot that does not lock the row gets a lower number',
    change: ['lock_event_numbers', 'for share', ''],
    isCaught: async (bare) => (await writeInOldSnapshot(bare)) === 'a number below the raised ones',
  },
  {
    what: 'a writer chooses its number by a table, if the function does not name the schema',
    change: ['event_number', 'public.event_numbers', 'event_numbers'],
    isCaught: async (bare) => (await writeWithOwnTable(bare)) > chosen,
  },
  {
    what: 'a horizon that takes a snapshot of its own is above an event that its statement does not see',
    change: ['event_horizon', ' STABLE', ' VOLATILE'],
    isCaught: async (bare) => (await readHorizonInOldStatement(bare)) > 0n,
  },
];
for (const { what, change, isCaught } of plants)
  test(`planted: ${what}`, async () => {
    const bare = await openDatabaseFixture('server');
    try {
      await plant(bare, ...change);
      assert.ok(await isCaught(bare));
    } finally {
      await bare.stop();
    }
  });

for (const engine of engines)
  describe(`raising the numbers of events on the ${engine} database`, () => {
    let bare: DatabaseFixture;
    before(async () => {
      bare = await openDatabaseFixture(engine);
    });
    after(async () => await bare.stop());

    const forge = async (companyId: string, number: bigint) =>
      await bare.db.asOwner.query(
        `insert into events (company_id, mode, event_id, type, is_public, actor, data, at, xact)
         values ($1, 'test', 'evt_moved', 'moved', true, 'test', '{}', now(), $2::text::xid8)`,
        [companyId, String(number)],
      );

    test('numbers grow across a raise, the feed keeps its order, and the chain stays valid', async () => {
      const companyId = await bare.createCompany();
      await bare.append(companyId, 'a', 'b');
      const lowest = await raiseFar(bare);
      await bare.append(companyId, 'c');
      const rows = await bare.db.asOwner.query<{ type: string; isAbove: boolean }>(
        `select type, xact >= $2::text::xid8 as "isAbove" from events where company_id = $1 order by xact, event_id`,
        [companyId, String(lowest)],
      );
      assert.deepEqual(
        rows.map(({ type, isAbove }) => `${type} ${isAbove}`),
        ['a false', 'b false', 'c true'],
      );
      const reader = createFollower(bare, companyId);
      await until(async () => {
        await reader.follow();
        return reader.seen.length === 3;
      }, 'the feed');
      assert.deepEqual(reader.seen, ['a', 'b', 'c']);
      await bare.sealAll(companyId);
      assert.deepEqual(await bare.db.inBothModes(companyId, verifyChain), []);
    });

    test('stored events of another server are shown after the numbers were raised, and before all new events', async () => {
      const companyId = await bare.createCompany();
      assert.equal(await catchUpEventNumbers(bare.db), 0n);
      const { next } = await bare.db.inSystem(readEventNumbers);
      await forge(companyId, next + far);
      const faults = async () =>
        (await bare.db.inBothModes(companyId, verifyChain)).map(({ fault }) => fault);
      assert.deepEqual(await faults(), ['future']);
      const lines: string[] = [];
      const raisedBy = await catchUpEventNumbers(bare.db, { log: (line) => lines.push(line) });
      assert.ok(raisedBy > 0n && raisedBy <= far + 1n + 1_000_000n, `${raisedBy}`);
      assert.match(
        lines.join('\n'),
        /^raised the numbers of events by \d+, above those of the stored events, .*$/,
      );
      await bare.append(companyId, 'new');
      const reader = createFollower(bare, companyId);
      await until(async () => {
        await reader.follow();
        return reader.seen.includes('new');
      }, 'the feed');
      assert.deepEqual(reader.seen, ['moved', 'new']);
      assert.deepEqual(await faults(), []);
      assert.equal(await catchUpEventNumbers(bare.db), 0n);
    });

    test('a number that no installation can have reached is refused, and the base stays', async () => {
      const companyId = await bare.createCompany();
      const { next } = await bare.db.inSystem(readEventNumbers);
      await forge(companyId, 2n ** 63n);
      const refused = { name: 'OperatorError', message: /of the number 9223372036854775808, .*audit verify/ };
      await assert.rejects(catchUpEventNumbers(bare.db), refused);
      const numbers = await bare.db.inSystem(readEventNumbers);
      assert.throws(() => countMissingNumbers(numbers), refused);
      assert.ok(numbers.next < next + 1_000_000n);
      await assert.rejects(raiseEventNumbers(bare.db.asOwner, 2n ** 63n), { name: 'OperatorError' });
    });
  });

// Concurrent calls are counted together, and a limit holds exactly, in one process and in several.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DatabaseFixture, openDatabaseFixture } from '../../test/harness/database-fixture.ts';
import { engines } from '../../test/harness/paylink.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { purgeRateLimits, type RateLimit, tryConsume } from './rate-limit.ts';

/** So slow that nothing refills during a test. */
const slow = (name: string, quota: number): RateLimit => ({ name, quota, windowSeconds: 100_000 });

const countAllowed = async (calls: Promise<boolean>[]) =>
  (await Promise.all(calls)).filter((isAllowed) => isAllowed).length;

const consumeOften = (db: Database, times: number, limit: RateLimit, who = 'anybody') =>
  Array.from({ length: times }, async () => await tryConsume(db, { limit, who }));

/** The same database, whose calls are counted by their transactions. */
function countTransactions(db: Database): { db: Database; count: () => number } {
  let count = 0;
  const inSystem: Database['inSystem'] = async (work, options) => {
    count++;
    return await db.inSystem(work, options);
  };
  return { db: { ...db, inSystem }, count: () => count };
}

for (const engine of engines) {
  describe(`rate limits on the ${engine} database`, () => {
    let fixture: DatabaseFixture;
    before(async () => {
      fixture = await openDatabaseFixture(engine);
    });
    after(async () => await fixture.stop());

    test('concurrent calls share a transaction, and a new bucket allows exactly its quota', async () => {
      const { db, count } = countTransactions(fixture.db);
      assert.equal(await countAllowed(consumeOften(db, 100, slow('together', 60))), 60);
      assert.equal(count(), 1);
    });

    test('one call after another is allowed exactly as often as calls that come together', async () => {
      const limit = slow('in-turn', 7);
      const allowed: boolean[] = [];
      for (let call = 0; call < 9; call++) allowed.push(await tryConsume(fixture.db, { limit, who: 'one' }));
      assert.deepEqual(allowed, [...Array(7).fill(true), false, false]);
    });

    test('of the calls of a batch the first are allowed, whatever other buckets are in it', async () => {
      const { db } = fixture;
      const [odd, even] = [slow('mixed', 3), slow('mixed', 5)];
      const calls = Array.from({ length: 16 }, async (_, index) =>
        index % 2
          ? await tryConsume(db, { limit: odd, who: 'odd' })
          : await tryConsume(db, { limit: even, who: 'even' }),
      );
      const allowed = await Promise.all(calls);
      assert.deepEqual(
        [0, 1].map((parity) => allowed.filter((_, index) => index % 2 === parity)),
        [
          [true, true, true, true, true, false, false, false],
          [true, true, true, false, false, false, false, false],
        ],
      );
    });

    test('a used-up bucket refills one call at a time, and a refused call uses nothing', async () => {
      const limit = { name: 'refill', quota: 2, windowSeconds: 4 };
      assert.equal(await countAllowed(consumeOften(fixture.db, 6, limit)), 2);
      await new Promise((resolve) => setTimeout(resolve, 4_050));
      assert.equal(await countAllowed(consumeOften(fixture.db, 6, limit)), 2);
    });

    test('a bucket that was purged is full again', async () => {
      const limit = slow('purged', 2);
      await countAllowed(consumeOften(fixture.db, 2, limit));
      await fixture.db.inSystem(
        async (tx) => await tx.query(`update rate_limits set full_at = now() - interval '2 hours'`),
      );
      assert.ok((await purgeRateLimits(fixture.db)) > 0);
      assert.equal(await countAllowed(consumeOften(fixture.db, 3, limit)), 2);
    });
  });
}

test('processes that count in new buckets at the same moment allow exactly the quota of each, without a deadlock', async () => {
  const fixture = await openDatabaseFixture('server');
  const others = await Promise.all([1, 2, 3].map(async () => await openDatabase(fixture.options)));
  try {
    const processes = [fixture.db, ...others];
    for (let round = 0; round < 20; round++) {
      const limit = slow(`round-${round}`, 10);
      const who = ['a', 'b', 'c'];
      const counts = await Promise.all(
        who.map(async (one) => countAllowed(processes.flatMap((db) => consumeOften(db, 8, limit, one)))),
      );
      assert.deepEqual(counts, [10, 10, 10]);
    }
  } finally {
    await Promise.all(others.map(async (db) => await db.close()));
    await fixture.stop();
  }
});

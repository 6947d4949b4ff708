// The feed's order, on real transactions that commit in another order than they began in: whoever follows
// the cursor gets every event once. The orders that look right and are not are planted and seen to skip.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, TenantTx } from '../src/db/database.ts';
import { appendEvent } from '../src/events/append-event.ts';
import { type FeedPosition, listEvents, listPaymentEvents } from '../src/events/list-events.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines } from './harness/paylink.ts';

type Follower = { follow(): Promise<string[]> };

/** A reader that keeps its cursor between looks, and reads to the end at each. */
function createFollower(db: Database, companyId: string, limit: number): Follower {
  let cursor: FeedPosition | null = null;
  return {
    follow: async () => {
      const types: string[] = [];
      for (;;) {
        const page = await db.inTenant(
          { companyId, mode: 'test' },
          async (tx) => await listEvents(tx, { after: cursor, limit }),
        );
        cursor = page.cursor;
        types.push(...page.events.map(({ type }) => type));
        if (page.events.length < limit) return types;
      }
    },
  };
}

/** The planted readers: in the order of ids, of time, and of transactions without the horizon. */
const naiveOrders = ['event_id', 'at', 'xact'] as const;

function createNaiveFollower(
  db: Database,
  companyId: string,
  column: (typeof naiveOrders)[number],
): Follower {
  let last: string | null = null;
  const type = { event_id: 'text', at: 'timestamptz', xact: 'xid8' }[column];
  return {
    follow: async () => {
      const rows: { type: string; place: string }[] = await db.inTenant(
        { companyId, mode: 'test' },
        async (tx) =>
          await tx.query<{ type: string; place: string }>(
            `select type, ${column}::text as place from events
             where $1::text is null or ${column} > $1::text::${type} order by events.${column}`,
            [last],
          ),
      );
      last = rows.at(-1)?.place ?? last;
      return rows.map((row) => row.type);
    },
  };
}

async function append(tx: TenantTx, type: string, paymentId?: string): Promise<void> {
  await appendEvent(tx, {
    type,
    isPublic: type !== 'hidden',
    actor: `account:${type}`,
    data: {},
    at: new Date(),
    ...(paymentId ? { paymentId } : {}),
  });
}

/** Follows until it has seen as many events; transactions of other tests may hold the horizon back. */
async function followUntil(reader: Follower, count: number): Promise<string[]> {
  const seen: string[] = [];
  const until = performance.now() + 100_000;
  while (seen.length < count && performance.now() < until) {
    seen.push(...(await reader.follow()));
    if (seen.length < count) await pause(20);
  }
  return seen;
}

for (const engine of engines) {
  describe(`the feed on the ${engine} database`, () => {
    let bare: DatabaseFixture;
    before(async () => {
      bare = await openDatabaseFixture(engine);
    });
    after(async () => await bare.stop());

    test('pages of any size give every event once, in the order in which they were written', async () => {
      const companyId = await bare.createCompany();
      const all = Array.from({ length: 11 }, (_, index) => `e${index}`);
      await bare.append(companyId, ...all.slice(0, 4));
      for (const type of all.slice(4)) await bare.append(companyId, type);
      for (const limit of [1, 3, 11, 100])
        assert.deepEqual(await followUntil(createFollower(bare.db, companyId, limit), all.length), all);
    });

    test('the public feed leaves out the audit trail; the timeline of a payment has both, with who did it', async () => {
      const companyId = await bare.createCompany();
      for (const type of ['opened', 'hidden', 'paid'])
        await bare.db.inTenant({ companyId, mode: 'test' }, async (tx) => await append(tx, type, 'pay_1'));
      await bare.append(companyId, 'elsewhere');
      await followUntil(createFollower(bare.db, companyId, 10), 3);
      const page = await bare.db.inTenant(
        { companyId, mode: 'test' },
        async (tx) => await listEvents(tx, { after: null, limit: 10 }),
      );
      assert.deepEqual(
        page.events.map(({ type }) => type),
        ['opened', 'paid', 'elsewhere'],
      );
      const timeline = await bare.db.inTenant(
        { companyId, mode: 'test' },
        async (tx) => await listPaymentEvents(tx, 'pay_1', { after: null, limit: 10 }),
      );
      assert.deepEqual(
        timeline.map(({ type, actor }) => `${type} by ${actor}`),
        ['opened by account:opened', 'hidden by account:hidden', 'paid by account:paid'],
      );
    });

    test('a cursor at the end stays where it is', async () => {
      const companyId = await bare.createCompany();
      const read = async (after: FeedPosition | null) =>
        await bare.db.inTenant(
          { companyId, mode: 'test' },
          async (tx) => await listEvents(tx, { after, limit: 10 }),
        );
      assert.deepEqual(await read(null), { events: [], cursor: null });
      await bare.append(companyId, 'one');
      await followUntil(createFollower(bare.db, companyId, 10), 1);
      const { cursor } = await read(null);
      assert.deepEqual(await read(cursor), { events: [], cursor });
    });
  });
}

describe('the feed while transactions commit out of order', () => {
  let bare: DatabaseFixture;
  before(async () => {
    bare = await openDatabaseFixture('server');
  });
  after(async () => await bare.stop());

  /** Runs a transaction that stays open until it is told to end. */
  async function openTransaction(companyId: string, type: string): Promise<{ commit(): Promise<void> }> {
    const written = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    const done = bare.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
      await append(tx, type);
      written.resolve();
      await told.promise;
    });
    await Promise.race([written.promise, done]);
    return {
      commit: async () => {
        told.resolve();
        await done;
      },
    };
  }

  test('of two open transactions the later commits first: the cursor skips and repeats nothing, other orders skip', async () => {
    const companyId = await bare.createCompany();
    const reader = createFollower(bare.db, companyId, 10);
    const naive = naiveOrders.map((column) => createNaiveFollower(bare.db, companyId, column));
    const slow = await openTransaction(companyId, 'slow');
    await pause(2);
    const quick = await openTransaction(companyId, 'quick');
    await quick.commit();
    assert.deepEqual(await reader.follow(), [], 'what a slower transaction could still precede is not shown');
    for (const one of naive) assert.deepEqual(await one.follow(), ['quick']);
    await slow.commit();
    assert.deepEqual(await followUntil(reader, 2), ['slow', 'quick']);
    assert.deepEqual(await reader.follow(), []);
    for (const [index, one] of naive.entries())
      assert.deepEqual(await one.follow(), [], `the order by ${naiveOrders[index]} should have skipped`);
  });

  test('readers that follow eight writers with random delays and rollbacks see each committed event once', async () => {
    const companyId = await bare.createCompany();
    const committed: string[] = [];
    const write = async (writer: number) => {
      for (let turn = 0; turn < 25; turn++) {
        const type = `w${writer}.${turn}`;
        const work = bare.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
          await append(tx, type);
          await pause(((writer * 7 + turn * 13) % 11) * 2);
          if ((writer + turn) % 6 === 0) throw new Error('rolled back');
        });
        await work.then(
          () => void committed.push(type),
          () => undefined,
        );
      }
    };
    let isWriting = true;
    const seen: string[] = [];
    const reader = createFollower(bare.db, companyId, 3);
    const reading = (async () => {
      while (isWriting) seen.push(...(await reader.follow()));
    })();
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    isWriting = false;
    await reading;
    seen.push(...(await followUntil(reader, committed.length - seen.length)));
    assert.equal(new Set(seen).size, seen.length, 'an event was repeated');
    assert.deepEqual([...seen].sort(), [...committed].sort());
    const again = await followUntil(createFollower(bare.db, companyId, 1000), committed.length);
    assert.deepEqual(again, seen, 'a second reader gets the same order');
  });
});

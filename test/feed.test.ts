// The feed's order with transactions that commit out of order: a reader gets every event once. Readers with naive
// orders are planted, and skip events.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { TenantTx } from '../src/db/database.ts';
import { appendEvent } from '../src/events/append-event.ts';
import { type FeedPosition, listEvents, listPaymentEvents } from '../src/events/list-events.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines } from './harness/paylink.ts';

type Follower = { follow(): Promise<string[]> };

/** A reader that keeps its cursor between calls, and reads to the end at each. */
function createFollower(bare: DatabaseFixture, companyId: string, limit: number): Follower {
  let cursor: FeedPosition | null = null;
  return {
    follow: async () => {
      const types: string[] = [];
      for (;;) {
        const page = await bare.inTenant(
          companyId,
          async (tx) => await listEvents(tx, { after: cursor, limit }),
        );
        cursor = page.cursor;
        types.push(...page.events.map(({ type }) => type));
        if (page.events.length < limit) return types;
      }
    },
  };
}

/** The orders of the planted readers: by ID, by time, and by transaction without the horizon. */
const naiveOrders = ['event_id', 'at', 'xact'] as const;

function createNaiveFollower(
  bare: DatabaseFixture,
  companyId: string,
  column: (typeof naiveOrders)[number],
): Follower {
  let last: string | null = null;
  const type = { event_id: 'text', at: 'timestamptz', xact: 'xid8' }[column];
  return {
    follow: async () => {
      const rows = await bare.inTenant(
        companyId,
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

/** Follows until it has seen `count` events. Transactions of other tests may delay the horizon. */
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

    test('pages of any size return every event once, in the order of writing', async () => {
      const companyId = await bare.createCompany();
      const all = Array.from({ length: 11 }, (_, index) => `e${index}`);
      await bare.append(companyId, ...all.slice(0, 4));
      for (const type of all.slice(4)) await bare.append(companyId, type);
      for (const limit of [1, 3, 11, 100])
        assert.deepEqual(await followUntil(createFollower(bare, companyId, limit), all.length), all);
    });

    test('the public feed omits internal events; the timeline of a payment has all, with their actors', async () => {
      const companyId = await bare.createCompany();
      for (const type of ['opened', 'hidden', 'paid'])
        await bare.inTenant(companyId, async (tx) => await append(tx, type, 'pay_1'));
      await bare.append(companyId, 'elsewhere');
      await followUntil(createFollower(bare, companyId, 10), 3);
      const page = await bare.inTenant(
        companyId,
        async (tx) => await listEvents(tx, { after: null, limit: 10 }),
      );
      assert.deepEqual(
        page.events.map(({ type }) => type),
        ['opened', 'paid', 'elsewhere'],
      );
      const timeline = await bare.inTenant(
        companyId,
        async (tx) => await listPaymentEvents(tx, 'pay_1', { after: null, limit: 10 }),
      );
      assert.deepEqual(
        timeline.map(({ type, actor }) => `${type} by ${actor}`),
        ['opened by account:opened', 'hidden by account:hidden', 'paid by account:paid'],
      );
    });

    test('a cursor at the end does not change', async () => {
      const companyId = await bare.createCompany();
      const read = async (after: FeedPosition | null) =>
        await bare.inTenant(companyId, async (tx) => await listEvents(tx, { after, limit: 10 }));
      assert.deepEqual(await read(null), { events: [], cursor: null });
      await bare.append(companyId, 'one');
      await followUntil(createFollower(bare, companyId, 10), 1);
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

  /** A transaction that stays open until `commit`. */
  async function openTransaction(companyId: string, type: string): Promise<{ commit(): Promise<void> }> {
    const written = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const done = bare.inTenant(companyId, async (tx) => {
      await append(tx, type);
      written.resolve();
      await finish.promise;
    });
    await Promise.race([written.promise, done]);
    return {
      commit: async () => {
        finish.resolve();
        await done;
      },
    };
  }

  test('when the later of two transactions commits first, the cursor skips and repeats nothing; other orders skip', async () => {
    const companyId = await bare.createCompany();
    const reader = createFollower(bare, companyId, 10);
    const naive = naiveOrders.map((column) => createNaiveFollower(bare, companyId, column));
    const slow = await openTransaction(companyId, 'slow');
    await pause(2);
    const quick = await openTransaction(companyId, 'quick');
    await quick.commit();
    assert.deepEqual(
      await reader.follow(),
      [],
      'events that an open transaction could precede are not shown',
    );
    for (const one of naive) assert.deepEqual(await one.follow(), ['quick']);
    await slow.commit();
    assert.deepEqual(await followUntil(reader, 2), ['slow', 'quick']);
    assert.deepEqual(await reader.follow(), []);
    for (const [index, one] of naive.entries())
      assert.deepEqual(await one.follow(), [], `the order by ${naiveOrders[index]} should have skipped`);
  });

  test('readers of eight concurrent writers with rollbacks see each committed event once', async () => {
    const companyId = await bare.createCompany();
    const committed: string[] = [];
    const write = async (writer: number) => {
      for (let turn = 0; turn < 25; turn++) {
        const type = `w${writer}.${turn}`;
        const work = bare.inTenant(companyId, async (tx) => {
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
    const reader = createFollower(bare, companyId, 3);
    const reading = (async () => {
      while (isWriting) seen.push(...(await reader.follow()));
    })();
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    isWriting = false;
    await reading;
    seen.push(...(await followUntil(reader, committed.length - seen.length)));
    assert.equal(new Set(seen).size, seen.length, 'an event was repeated');
    assert.deepEqual([...seen].sort(), [...committed].sort());
    const again = await followUntil(createFollower(bare, companyId, 1000), committed.length);
    assert.deepEqual(again, seen, 'a second reader gets the same order');
  });
});

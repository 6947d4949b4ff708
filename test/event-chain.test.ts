// The chain of seals: verification finds each change that the owner of the database makes by SQL, and nothing else.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../src/base/clock.ts';
import { appendEvent } from '../src/events/append-event.ts';
import { chainStart, hashEvent } from '../src/events/event-hash.ts';
import { sealEvents } from '../src/events/seal-events.ts';
import { type ChainViolation, readChainHead, verifyChain } from '../src/events/verify-chain.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines } from './harness/paylink.ts';

type Seal = { position: number; eventId: string; hash: Buffer };

/** SQL of the owner; $1 is the company, $2 and $3 the events of the third and fourth seal. */
const planted: { title: string; sql: string[]; finds: string[] }[] = [
  {
    title: 'an event whose content was changed',
    sql: [`update events set data = '{"amount": 1}' where company_id = $1 and event_id = $2 and $3 <> ''`],
    finds: ['changed 3'],
  },
  {
    title: 'an event whose actor was changed',
    sql: [`update events set actor = 'customer' where company_id = $1 and event_id = $2 and $3 <> ''`],
    finds: ['changed 3'],
  },
  {
    title: 'an event whose time was changed by a microsecond',
    sql: [`update events set at = at + interval '1us' where company_id = $1 and event_id = $2 and $3 <> ''`],
    finds: ['changed 3'],
  },
  {
    title: 'an event that was made public',
    sql: [`update events set is_public = not is_public where company_id = $1 and event_id = $2 and $3 <> ''`],
    finds: ['changed 3'],
  },
  {
    title: 'an event that was removed',
    sql: [`delete from events where company_id = $1 and event_id = $2 and $3 <> ''`],
    finds: ['removed 3'],
  },
  {
    title: 'an event that was inserted among sealed ones',
    sql: [
      `insert into events (company_id, mode, event_id, type, is_public, actor, data, at, xact)
       select company_id, mode, event_id || '0', type, is_public, actor, data, at, xact from events
       where company_id = $1 and event_id = $2 and $3 <> ''`,
    ],
    finds: ['inserted null'],
  },
  {
    title: 'two events that were swapped',
    sql: [
      `update events e set xact = o.xact from events o
       where e.company_id = $1 and o.company_id = $1
         and ((e.event_id = $2 and o.event_id = $3) or (e.event_id = $3 and o.event_id = $2))`,
    ],
    finds: ['reordered 3', 'reordered 4'],
  },
  {
    title: 'a seal that was removed',
    sql: [`delete from event_seals where company_id = $1 and event_id = $2 and $3 <> ''`],
    finds: ['gap 3'],
  },
  {
    title: 'a seal and its event that were removed together',
    sql: [
      `delete from event_seals where company_id = $1 and event_id = $2 and $3 <> ''`,
      `delete from events where company_id = $1 and event_id = $2 and $3 <> ''`,
    ],
    finds: ['gap 3'],
  },
  {
    title: 'a seal whose hash was changed',
    sql: [`update event_seals set hash = sha256('x') where company_id = $1 and event_id = $2 and $3 <> ''`],
    finds: ['changed 3', 'changed 4'],
  },
  {
    title: 'an event with the number of a future transaction',
    sql: [
      `insert into events (company_id, mode, event_id, type, is_public, actor, data, at, xact)
       select company_id, mode, 'evt_future', type, is_public, actor, data, at, '9000000000000000000' from events
       where company_id = $1 and event_id = $2 and $3 <> ''`,
    ],
    finds: ['future null'],
  },
];

const show = ({ fault, position }: ChainViolation) => `${fault} ${position}`;

for (const engine of engines) {
  describe(`the chain of seals on the ${engine} database`, () => {
    let bare: DatabaseFixture;
    before(async () => {
      bare = await openDatabaseFixture(engine);
    });
    after(async () => await bare.stop());

    const verify = async (companyId: string) => (await bare.db.inBothModes(companyId, verifyChain)).map(show);
    const listSeals = async (companyId: string) =>
      await bare.db.asOwner.query<Seal>(
        `select position, event_id as "eventId", hash from event_seals where company_id = $1 order by position`,
        [companyId],
      );
    const sealedCompany = async () => {
      const companyId = await bare.createCompany();
      for (const type of ['a', 'b', 'c', 'd', 'e', 'f']) await bare.append(companyId, type);
      await bare.sealAll(companyId);
      return companyId;
    };

    test('several runs create one valid chain without a gap', async () => {
      const companyId = await sealedCompany();
      await bare.append(companyId, 'g', 'h', 'i');
      await bare.sealAll(companyId);
      const seals = await listSeals(companyId);
      assert.deepEqual(
        seals.map(({ position }) => position),
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
      );
      assert.deepEqual(await verify(companyId), []);
      const head = await bare.db.inBothModes(companyId, readChainHead);
      assert.equal(head.hashHex, seals.at(-1)?.hash.toString('hex'));
      assert.equal(head.unsealedEvents, 0);
    });

    for (const { title, sql, finds } of planted)
      test(`verification finds ${title}, and nothing else`, async () => {
        const companyId = await sealedCompany();
        const seals = await listSeals(companyId);
        for (const text of sql)
          await bare.db.asOwner.query(text, [companyId, seals[2]?.eventId, seals[3]?.eventId]);
        assert.deepEqual(await verify(companyId), finds);
        // Sealing continues after a violation, which is still found later.
        await bare.append(companyId, 'later');
        await sealEvents({ db: bare.db, clock: systemClock });
        const after = await verify(companyId);
        for (const find of finds) assert.ok(after.includes(find), `${find} is no longer found`);
      });

    test('a changed event with a forged seal is found at the next seal', async () => {
      const companyId = await sealedCompany();
      const [first] = await listSeals(companyId);
      const [event] = await bare.db.asOwner.query<Parameters<typeof hashEvent>[1]>(
        `update events set actor = 'nobody' where company_id = $1 and event_id = $2
         returning company_id as "companyId", event_id as "eventId", xact::text as xact, type, is_public as "isPublic",
           payment_id as "paymentId", attempt_id as "attemptId", actor, data::text as "dataText",
           to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as "atText"`,
        [companyId, first?.eventId],
      );
      assert.ok(event);
      const forged = hashEvent(chainStart, { ...event, position: 1 });
      await bare.db.asOwner.query('update event_seals set hash = $2 where company_id = $1 and position = 1', [
        companyId,
        forged,
      ]);
      assert.deepEqual(await verify(companyId), ['changed 2']);
    });

    test('a violation in one company’s chain does not affect another company’s', async () => {
      const [broken, whole] = [await sealedCompany(), await sealedCompany()];
      await bare.db.asOwner.query(`update events set type = 'x' where company_id = $1`, [broken]);
      assert.equal((await verify(broken)).length, 6);
      assert.deepEqual(await verify(whole), []);
    });
  });
}

describe('concurrent sealing on PostgreSQL', () => {
  let bare: DatabaseFixture;
  before(async () => {
    bare = await openDatabaseFixture('server');
  });
  after(async () => await bare.stop());

  test('eight concurrent sealers create one chain without a fork or a gap', async () => {
    const companyId = await bare.createCompany();
    await bare.inTenant(companyId, async (tx) => {
      await tx.query(
        `insert into events (company_id, event_id, type, is_public, actor, data, at)
         select $1, 'evt_' || lpad(n::text, 6, '0'), 'x', true, 'test', '{}', now() from generate_series(1, 3000) n`,
        [companyId],
      );
    });
    const deps = { db: bare.db, clock: systemClock };
    const sealed = await Promise.all(Array.from({ length: 8 }, () => sealEvents(deps)));
    await bare.sealAll(companyId);
    assert.ok(sealed.reduce((sum, count) => sum + count, 0) <= 3000, 'a seal was counted twice');
    const head = await bare.db.inBothModes(companyId, readChainHead);
    assert.equal(head.position, 3000);
    assert.deepEqual(await bare.db.inBothModes(companyId, verifyChain), []);
  });

  test('an event can be written while its company’s chain is locked and partially sealed', async () => {
    const companyId = await bare.createCompany();
    await bare.append(companyId, 'a');
    const locked = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const holding = bare.inTenant(companyId, async (tx) => {
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`seal-events:${companyId}`]);
      await tx.query(
        `insert into event_seals (company_id, position, event_id, xact, hash, sealed_at)
         select company_id, 1, event_id, xact, sha256('x'), now() from events where company_id = $1`,
        [companyId],
      );
      locked.resolve();
      await finish.promise;
      throw new Error('rolled back');
    });
    await Promise.race([locked.promise, holding]);
    // If this waited for the lock, it would wait forever: the lock is released only afterwards.
    await bare.inTenant(
      companyId,
      async (tx) =>
        await appendEvent(tx, { type: 'b', isPublic: true, actor: 'test', data: {}, at: new Date() }),
    );
    assert.equal(
      await sealEvents({ db: bare.db, clock: systemClock }),
      0,
      'a second sealer does not wait either',
    );
    finish.resolve();
    await assert.rejects(holding, /rolled back/);
    await bare.sealAll(companyId);
    assert.deepEqual(await bare.db.inBothModes(companyId, verifyChain), []);
  });
});

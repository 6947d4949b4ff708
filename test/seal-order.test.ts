// Sealing while transactions are open, on PostgreSQL: nothing at or above the oldest open transaction is sealed, in any
// order of begins, writes, commits and rollbacks between runs. Without one of the sealer's conditions, the test fails.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../src/base/clock.ts';
import type { Database, SystemTx } from '../src/db/database.ts';
import { sealEvents } from '../src/events/seal-events.ts';
import { verifyChain } from '../src/events/verify-chain.ts';
import type { Json } from './harness/client.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';

let bare: DatabaseFixture;
before(async () => {
  bare = await openDatabaseFixture('server');
});
after(async () => await bare.stop());

/** A step: the transaction of a writer continues, or the sealer runs. */
type Step = { writer: number; act: 'write' | 'commit' | 'rollback' } | { act: 'seal' };

/** A transaction on a separate connection, controlled by the test. */
type Open = { xact: bigint; write(): Promise<void>; end(how: 'commit' | 'rollback'): Promise<void> };

let lastEvent = 0;

/** Begins a transaction and writes one event, so that the transaction has a number. */
async function begin(companyId: string): Promise<Open> {
  const begun = Promise.withResolvers<Open>();
  const over = bare.db.withConnection(async (sql) => {
    const ended = Promise.withResolvers<void>();
    const write = async () => {
      lastEvent += 1;
      await sql.query(
        `insert into events (company_id, mode, event_id, type, is_public, actor, data, at)
         values ($1, 'test', $2, 'x', true, 'test', '{}', now())`,
        [companyId, `evt_${String(lastEvent).padStart(9, '0')}`],
      );
    };
    await sql.query('begin');
    await write();
    const [row] = await sql.query<{ xact: string }>('select event_number()::text as xact');
    begun.resolve({
      xact: BigInt(row?.xact ?? 0),
      write,
      end: async (how) => {
        await sql.query(how);
        ended.resolve();
        await over;
      },
    });
    await ended.promise;
  });
  over.catch(begun.reject);
  return await begun.promise;
}

/** The highest transaction number of a sealed event, and the number below which everything is recorded as sealed. */
async function readSealed(companyId: string): Promise<{ highest: bigint; below: bigint }> {
  const [row] = await bare.db.asOwner.query<Json>(
    `select coalesce((select max(xact::text::bigint) from event_seals where company_id = $1), 0)::text as highest,
            (select sealed_below::text from seal_progress) as below`,
    [companyId],
  );
  return { highest: BigInt(String(row?.highest)), below: BigInt(String(row?.below)) };
}

const writers = 3;
const stepOf: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('seal' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      writer: fc.nat(writers - 1),
      act: fc.constantFrom('write', 'write', 'commit', 'rollback') as fc.Arbitrary<'write'>,
    }),
  },
);

/** Runs the steps with a sealer. Returns what was sealed too early, as sentences. */
async function walk(steps: readonly Step[], db: Database): Promise<string[]> {
  const companyId = await bare.createCompany();
  const open = new Map<number, Open>();
  const faults: string[] = [];
  const sealAndLook = async () => {
    await sealEvents({ db, clock: systemClock });
    const oldest = [...open.values()].map(({ xact }) => xact).reduce((a, b) => (b < a ? b : a), 2n ** 63n);
    const { highest, below } = await readSealed(companyId);
    if (highest >= oldest) faults.push(`sealed ${highest} while ${oldest} was open`);
    if (below > oldest) faults.push(`said that all below ${below} is sealed while ${oldest} was open`);
  };
  try {
    for (const step of steps) {
      if (step.act === 'seal') await sealAndLook();
      else if (step.act === 'write') {
        const current = open.get(step.writer);
        if (current) await current.write();
        else open.set(step.writer, await begin(companyId));
      } else {
        await open.get(step.writer)?.end(step.act);
        open.delete(step.writer);
      }
    }
    await sealAndLook();
  } finally {
    for (const current of open.values()) await current.end('commit');
  }
  if (faults.length > 0) return faults;
  await bare.sealAll(companyId);
  const broken = await bare.db.inBothModes(companyId, verifyChain);
  return broken.map(({ detail }) => detail);
}

/** The interleavings, the same in each run. Some of them make a sealer without a horizon fail. */
const walks: Step[][] = [
  // The simplest: the second transaction has ended, the first has not.
  [
    { writer: 0, act: 'write' },
    { writer: 1, act: 'write' },
    { writer: 1, act: 'commit' },
    { act: 'seal' },
    { writer: 0, act: 'commit' },
  ],
  // With an event below the horizon that may be sealed.
  [
    { writer: 0, act: 'write' },
    { writer: 0, act: 'commit' },
    { writer: 1, act: 'write' },
    { writer: 2, act: 'write' },
    { writer: 2, act: 'commit' },
    { act: 'seal' },
    { writer: 1, act: 'write' },
    { writer: 1, act: 'commit' },
  ],
  ...fc.sample(fc.array(stepOf, { minLength: 6, maxLength: 18 }), { numRuns: 25, seed: 15 }),
];

/** A database whose statements lack a condition, for the sealer. */
function loosen(condition: string, instead: string): { db: Database; isUsed: () => boolean } {
  let isUsed = false;
  const loose = <Tx extends SystemTx>(tx: Tx): Tx => ({
    ...tx,
    query: async (text: string, values?: readonly unknown[]) => {
      isUsed ||= text.includes(condition);
      return await tx.query(text.replace(condition, instead), values);
    },
  });
  const db: Database = {
    ...bare.db,
    inSystem: async (work) => await bare.db.inSystem(async (tx) => await work(loose(tx))),
    inBothModes: async (companyId, work, options) =>
      await bare.db.inBothModes(companyId, async (tx) => await work(loose(tx)), options),
  };
  return { db, isUsed: () => isUsed };
}

/** Ends at the first faulty walk, because events that a faulty sealer skips are never sealed in later walks. */
async function walkAll(db: Database): Promise<string[]> {
  for (const steps of walks) {
    const faults = await walk(steps, db);
    if (faults.length > 0) return faults;
  }
  return [];
}

test('no event at or above an open transaction is sealed, whatever commits or rolls back', async () => {
  assert.deepEqual(await walkAll(bare.db), []);
});

const conditions: readonly { what: string; condition: string; instead: string; caught: RegExp }[] = [
  {
    what: 'its events’ horizon',
    condition: 'and xact < event_horizon()',
    instead: '',
    caught: /^sealed \d+ while \d+ was open/,
  },
  {
    what: 'the end of the snapshot for its horizon',
    condition: 'select event_horizon()',
    instead: 'select next_event_number()',
    caught: /said that all below \d+ is sealed while \d+ was open/,
  },
];
for (const { what, condition, instead, caught } of conditions)
  test(`a sealer ${instead === '' ? `without ${what}` : `that uses ${what}`} is detected`, async () => {
    const { db, isUsed } = loosen(condition, instead);
    const faults = await walkAll(db);
    assert.ok(isUsed());
    assert.match(faults.join('\n'), new RegExp(caught.source, 'm'));
  });

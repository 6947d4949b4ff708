// Sealing while other processes hold some of the chains: events that they leave unsealed are sealed by the next run,
// even without a new event. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../src/base/clock.ts';
import { sealEvents } from '../src/events/seal-events.ts';
import { readChainHead } from '../src/events/verify-chain.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { guardMs } from './harness/process.ts';

let bare: DatabaseFixture;
before(async () => {
  bare = await openDatabaseFixture('server');
});
after(async () => await bare.stop());

/** Locks chains like a process that seals them. Returns a function that releases the locks without sealing. */
async function holdChains(companyIds: readonly string[]): Promise<() => Promise<void>> {
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = bare.db.inSystem(async (tx) => {
    for (const companyId of companyIds)
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0)) is null as locked', [
        `seal-events:${companyId}`,
      ]);
    locked.resolve();
    await release.promise;
  });
  await Promise.race([locked.promise, holding]);
  return async () => {
    release.resolve();
    await holding;
  };
}

async function listUnsealed(companyIds: readonly string[]): Promise<string[]> {
  const unsealed: string[] = [];
  for (const companyId of companyIds) {
    const { unsealedEvents } = await bare.db.inBothModes(companyId, readChainHead);
    if (unsealedEvents > 0) unsealed.push(companyId);
  }
  return unsealed;
}

/** Seals until only these chains are unsealed; transactions of other tests may delay the horizon. */
async function sealAllBut(companyIds: readonly string[], held: readonly string[]): Promise<void> {
  const until = performance.now() + guardMs;
  for (;;) {
    await sealEvents({ db: bare.db, clock: systemClock });
    const unsealed = await listUnsealed(companyIds);
    assert.ok(
      held.every((companyId) => unsealed.includes(companyId)),
      'a chain was sealed in spite of its lock',
    );
    if (unsealed.length === held.length) return;
    assert.ok(performance.now() < until, `never sealed: ${unsealed}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('events that another process left unsealed are sealed by the next run, even without a new event', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.record({ events: fc.integer({ min: 1, max: 3 }), isHeld: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
    async (wanted) => {
      const companyIds: string[] = [];
      const held: string[] = [];
      for (const { events, isHeld } of wanted) {
        const companyId = await bare.createCompany();
        companyIds.push(companyId);
        if (isHeld) held.push(companyId);
        for (let event = 0; event < events; event++) await bare.append(companyId, 'a');
      }
      const release = await holdChains(held);
      await sealAllBut(companyIds, held);
      await release();
      // One run must find them all; further runs only wait for the horizon.
      await sealAllBut(companyIds, []);
    },
  );
  await fc.assert(property, { numRuns: 8, endOnFailure: true });
});

// A walk: runs a list of steps in a new world with cheap checks in between, then lets everything settle without further
// faults, and runs the oracle. The same steps and seed give the same history, byte for byte.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Database } from '../../src/db/database.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { findFaults } from '../faults/oracle.ts';
import {
  type ActionName,
  actions,
  deliverNotification,
  deliverReversal,
  weights,
  workOn,
} from './actions.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { withSeededBytes } from './seeded-bytes.ts';
import { noBug, type SimulatedBug } from './simulated-bugs.ts';
import { installTimers, type SimulatedTimers } from './timers.ts';
import { createWorld, type World } from './world.ts';

export type WalkStep = { act: ActionName; pick: number; fate: number };
export type WalkResult = {
  /** Steps until the first fault. */
  played: number;
  /** Those of them that had an effect. */
  steps: number;
  faults: string[];
  /** One line for each event of the walk. */
  history: string[];
  /** A hash of the history and of all events, statuses and amounts in the database. */
  hash: string;
  charges: number;
};

const weighted = (Object.entries(weights) as [ActionName, number][]).flatMap(([act, weight]) =>
  Array.from({ length: weight }, () => act),
);

/** One step. It shrinks towards a harmless action. */
export const anyStep: fc.Arbitrary<WalkStep> = fc.noBias(
  fc.record({ act: fc.constantFrom(...weighted), pick: fc.nat(9_999), fate: fc.nat(99) }),
);

/** The steps that follow from a seed. */
export function stepsOf(seed: number, count: number): WalkStep[] {
  return fc.sample(anyStep, { seed, numRuns: count });
}

const checkEvery = 250;
const healRounds = 500;

// A payment is processing if and only if one attempt is open, and paid if and only if one has succeeded.
const disagreements = `
  select p.payment_id as "paymentId", p.state from payments p left join attempts a using (company_id, payment_id)
  group by p.company_id, p.mode, p.payment_id
  having (p.state = 'processing') <> (count(*) filter (where a.state in ('created', 'requires_action', 'processing', 'unknown')) = 1)
      or (p.state = 'paid') <> (count(*) filter (where a.state = 'succeeded') = 1)`;

/** Checks what must hold at any time, whatever is in progress. */
async function checkRecords(world: World): Promise<void> {
  const { db, companies, faults } = world;
  for (const { paymentId, state } of await db.asOwner.query<{ paymentId: string; state: string }>(
    disagreements,
  ))
    faults.push(`${paymentId} is ${state}, and its attempts say otherwise`);
  for (const companyId of companies)
    for (const { fault, sourceId } of await db.inBothModes(companyId, verifyLedger))
      faults.push(`ledger of ${companyId}: ${fault} (${sourceId})`);
}

/** Checks that valid charges were kept. A later refund doesn't excuse a rejection. */
async function checkValidCharges({ db, acquirer, faults }: World): Promise<void> {
  const taken = await db.asOwner.query<{ id: string }>(
    `select attempt_id as id from attempts where state = 'succeeded'`,
  );
  const known = new Set(taken.map(({ id }) => id));
  for (const key of acquirer.validCharges())
    if (!known.has(key)) faults.push(`charge ${key} was valid, and its attempt ended without it`);
}

/** Completes everything in progress, without further faults and with as much time as necessary. */
async function heal(world: World): Promise<void> {
  const { scheduler, acquirer, inFlight, dueTable } = world;
  for (let round = 0; round < healRounds && world.faults.length === 0; round++) {
    for (let next = scheduler.paused()[0]; next; next = scheduler.paused()[0])
      await scheduler.resume(next, { fate: 0 });
    for (const { arrive } of inFlight.splice(0)) arrive();
    for (const key of acquirer.honestlyPending()) acquirer.settle(key, 'charged');
    for (const notification of [...acquirer.notifications])
      await deliverNotification(world, round, notification);
    for (const reversal of [...acquirer.reversals]) await deliverReversal(world, round, reversal);
    for (const item of await dueTable.due(world.nowMs())) await workOn(world, round, item);
    const isDelivered = acquirer.notifications.length === 0 && acquirer.reversals.length === 0;
    if (scheduler.paused().length > 0 || !isDelivered) continue;
    const nextMs = await dueTable.nextDueMs();
    if (nextMs === null) return;
    await world.advanceMs(Math.max(nextMs - world.nowMs(), 1));
  }
  if (world.faults.length === 0)
    world.faults.push(`work never ends, with ${acquirer.notifications.length} notifications`);
}

async function hashOf(db: Database, history: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(history.join('\n'));
  const rows = await db.asOwner.query(
    `select event_id, type, payment_id, attempt_id, actor, data::text, at::text from events order by event_id`,
  );
  const payments = await db.asOwner.query(
    'select payment_id, state, refunded_minor, refunding_minor, version from payments order by payment_id',
  );
  return hash.update(JSON.stringify([rows, payments])).digest('hex');
}

async function walk(
  memory: MemoryDatabase,
  steps: readonly WalkStep[],
  { plant, timers }: { plant: SimulatedBug; timers: SimulatedTimers },
): Promise<WalkResult> {
  const world = createWorld(memory, plant, timers);
  const { faults, history } = world;
  let [played, taken] = [0, 0];
  for (const { act, pick, fate } of steps) {
    const lines = history.length;
    played += 1;
    await actions[act](world, pick, fate);
    // Some actions find no object and do nothing.
    if (history.length === lines) continue;
    taken += 1;
    if (taken % checkEvery === 0) await checkRecords(world);
    if (faults.length > 0) break;
  }
  if (faults.length === 0) await heal(world);
  if (faults.length === 0) {
    await checkRecords(world);
    await checkValidCharges(world);
  }
  if (faults.length === 0) {
    const reported = [...world.reported.values()];
    faults.push(...(await findFaults({ db: memory.db, reports: reported, journal: world.acquirer.journal })));
  }
  const charges = world.acquirer.journal.filter(
    (line) => line.type === 'charge' && line.state === 'charged',
  ).length;
  return { played, steps: taken, faults, history, hash: await hashOf(memory.db, history), charges };
}

/** Runs steps in a new world. IDs follow from the seed, everything else from the steps. */
export async function runSteps(
  memory: MemoryDatabase,
  play: { seed: number; steps: readonly WalkStep[]; plant?: SimulatedBug },
): Promise<WalkResult> {
  const { seed, steps, plant = noBug } = play;
  const begin = async () => {
    await memory.empty();
    // The product's timers follow the simulated clock.
    const timers = installTimers();
    try {
      return await withSeededBytes(seed, async () => await walk(memory, steps, { plant, timers }));
    } finally {
      timers.restore();
    }
  };
  return plant.withoutIndex ? await memory.withoutIndex(plant.withoutIndex, begin) : await begin();
}

// The short form of the simulation, and the proof that it detects the planted bugs.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { attemptGraph, paymentGraph, refundGraph } from '../../src/payments/states.ts';
import { type MemoryDatabase, openMemoryDatabase } from './memory-database.ts';
import { runSeries } from './series.ts';
import { describeFailure } from './shorten.ts';
import { type SimulatedBug, type SimulatedBugName, simulatedBugs } from './simulated-bugs.ts';
import { runSteps, stepsOf } from './walk.ts';

/** The walk to repeat. */
const givenSeed = process.env.SIMULATION_SEED;
const stepsPerWalk = Number(process.env.SIMULATION_STEPS ?? 2_000);
const randomWalks = 5;
/** The walks that make every transition have fixed seeds: others may need many more. */
const coveringSteps = 2_000;
const mostCoveringWalks = 30;

const graphs = { payment: paymentGraph, attempt: attemptGraph, refund: refundGraph };
const everyMove = Object.entries(graphs).flatMap(([what, graph]) =>
  Object.entries(graph).flatMap(([from, edges]) => Object.keys(edges).map((to) => `${what} ${from} ${to}`)),
);

async function movesMade({ db }: MemoryDatabase): Promise<string[]> {
  const rows = await db.asOwner.query<{ move: string }>(
    `select distinct split_part(type, '.', 1) || ' ' || (data->>'from') || ' ' || (data->>'to') as move
     from events where data ? 'from'`,
  );
  return rows.map(({ move }) => move);
}

/** The first of a few short walks that finds a planted bug, cut after the step that found it. */
async function findFailing(memory: MemoryDatabase, plant: SimulatedBug) {
  const firstSeed = plant.firstSeed ?? 1;
  for (let seed = firstSeed; seed < firstSeed + 96; seed++) {
    const { played, faults } = await runSteps(memory, { seed, steps: stepsOf(seed, 600), plant });
    if (faults.length > 0) return { seed, steps: stepsOf(seed, 600).slice(0, played), faults };
  }
  assert.fail('no walk found it');
}

describe('the simulation', () => {
  let memory: MemoryDatabase;
  before(async () => {
    memory = await openMemoryDatabase();
  });
  after(async () => await memory.close());

  test('random walks over all use cases cause no fault', async (t) => {
    const sums = await runSeries(memory, {
      first: Number(givenSeed ?? randomInt(2 ** 30)),
      lengthOf: () => stepsPerWalk,
      isEnough: ({ walks }) => givenSeed !== undefined || walks === randomWalks,
    });
    t.diagnostic(JSON.stringify(sums));
  });

  if (givenSeed === undefined)
    test('walks with fixed seeds make every transition and cause no fault', async (t) => {
      const left = new Set(everyMove);
      const sums = await runSeries(memory, {
        first: 1,
        lengthOf: () => coveringSteps,
        isEnough: async ({ walks }) => {
          for (const move of await movesMade(memory)) left.delete(move);
          return walks === mostCoveringWalks || left.size === 0;
        },
      });
      t.diagnostic(JSON.stringify(sums));
      assert.deepEqual([...left], [], 'transitions that no walk made');
    });

  test('the same seed gives the same history byte for byte, and another seed a different one', async () => {
    const play = async (seed: number) => await runSteps(memory, { seed, steps: stepsOf(seed, 800) });
    const [one, other, again] = [await play(11), await play(12), await play(11)];
    assert.deepEqual(again.history, one.history);
    assert.equal(again.hash, one.hash);
    assert.notEqual(other.hash, one.hash);
  });

  for (const name of Object.keys(simulatedBugs) as SimulatedBugName[])
    test(`a planted bug is found: ${name}`, async (t) => {
      const { seed, steps, faults } = await findFailing(memory, simulatedBugs[name]);
      t.diagnostic(`walk ${seed}, after ${steps.length} steps: ${faults[0]}`);
    });

  test('a failing walk is reported with its seed, and reduced to the relevant steps', async (t) => {
    const plant = simulatedBugs['a new key for each retry'];
    const report = await describeFailure(memory, { ...(await findFailing(memory, plant)), plant });
    t.diagnostic(report);
    assert.match(report, /^SIMULATION_SEED=\d+ SIMULATION_STEPS=\d+ npm test /);
    const left = Number(/(\d+) of its \d+ steps are enough for:\n {2}\S/.exec(report)?.[1]);
    assert.ok(left <= 15, `${left} steps are left`);
  });
});

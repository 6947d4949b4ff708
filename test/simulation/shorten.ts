// Shortens a failing walk to make it readable: removes steps while a fault remains, then fast-check minimizes the numbers
// of the remaining steps. The result always fails.

import fc from 'fast-check';
import type { MemoryDatabase } from './memory-database.ts';
import { noBug, type SimulatedBug } from './simulated-bugs.ts';
import { anyStep, runSteps, type WalkResult, type WalkStep } from './walk.ts';

type Failing = { seed: number; steps: readonly WalkStep[]; plant?: SimulatedBug };
type IsFaulty = (steps: readonly WalkStep[]) => Promise<boolean>;

/** The most runs of each search. */
const maxRuns = 50;

/** Removes smaller and smaller ranges of steps. fast-check removes steps only from one end, one run for each. */
async function leaveOut(steps: readonly WalkStep[], isFaulty: IsFaulty): Promise<readonly WalkStep[]> {
  let left = steps;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let start = 0; start < left.length; ) {
      const fewer = left.toSpliced(start, size);
      if (await isFaulty(fewer)) left = fewer;
      else start += size;
    }
  return left;
}

async function simplifyNumbers(steps: readonly WalkStep[], isFaulty: IsFaulty): Promise<readonly WalkStep[]> {
  const property = fc.asyncProperty(fc.array(anyStep), async (some) => !(await isFaulty(some)));
  const { counterexample } = await fc.check(property, { examples: [[[...steps]]], numRuns: 1 });
  return counterexample?.[0] ?? steps;
}

/** Shortens a failing walk, and returns the result of the short one. */
async function shorten(
  memory: MemoryDatabase,
  failing: Failing,
): Promise<WalkResult & { walk: readonly WalkStep[] }> {
  const { seed, plant = noBug } = failing;
  const { played } = await runSteps(memory, failing);
  let walk: readonly WalkStep[] = failing.steps.slice(0, played);
  for (const search of [leaveOut, simplifyNumbers, leaveOut]) {
    let plays = 0;
    walk = await search(walk, async (steps) => {
      plays += 1;
      return plays <= maxRuns && (await runSteps(memory, { seed, steps, plant })).faults.length > 0;
    });
  }
  return { ...(await runSteps(memory, { seed, steps: walk, plant })), walk };
}

/** Describes a failed walk: how to repeat it, its faults, and a short walk that still fails. */
export async function describeFailure(memory: MemoryDatabase, failing: Failing): Promise<string> {
  const found = await runSteps(memory, failing);
  const short = await shorten(memory, failing);
  return [
    `SIMULATION_SEED=${failing.seed} SIMULATION_STEPS=${failing.steps.length} npm test test/simulation/simulation.long.ts repeats this walk.`,
    ...found.faults,
    'It ends with:',
    ...found.history.slice(-15),
    `${short.walk.length} of its ${failing.steps.length} steps are enough for:`,
    ...short.faults,
    'They are:',
    ...short.history,
  ].join('\n  ');
}

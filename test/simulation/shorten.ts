// Makes a failing walk short, so that a person can read it: steps are left out as long as some fault
// remains, then fast-check makes the numbers of those that are left as small as they can be. It must
// never give a walk that does not fail.

import fc from 'fast-check';
import type { MemoryDatabase } from './memory-database.ts';
import { noBug, type SimulatedBug } from './simulated-bugs.ts';
import { anyStep, runSteps, type WalkResult, type WalkStep } from './walk.ts';

type Failing = { seed: number; steps: readonly WalkStep[]; plant?: SimulatedBug };
type IsFaulty = (steps: readonly WalkStep[]) => Promise<boolean>;

/** Plays that each search may take before it gives what it has. */
const maxRuns = 100;

/**
 * Leaves out ever smaller runs of steps. fast-check shortens a list from one end only, and needs a play
 * for each step.
 */
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

/** A short failing walk out of one that fails, with what happens in it. */
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

/** What to print of a walk that failed: how to repeat it, what is wrong, and the short way to it. */
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

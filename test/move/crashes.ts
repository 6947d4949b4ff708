// A move is killed at a point, and both sides are read: exactly one of them counts and is whole. Then the command runs
// again and finishes.

import assert from 'node:assert/strict';
import type { Home } from '../harness/cli.ts';
import {
  type MoveRig,
  masterKey,
  moveAndKill,
  readFolder,
  readServer,
  type Side,
  type Trial,
} from './move-rig.ts';

/** From this step on only the last step is missing: neither side starts until the command has run again. */
const closing = 'step: noted in the data folder that its database was moved';

/** After a step, as a move prints it, or after a time. */
export type Kill = { step?: string; afterMs?: number };
export type Outcome = 'source' | 'closed' | 'target';

function judge(original: Side, folder: Side | null, server: Side | null, steps: readonly string[]): Outcome {
  const empty = [0, 0, 0, 0];
  if (folder !== null) {
    assert.deepEqual(folder, original, 'the source is whole');
    if (server !== null) assert.deepEqual(server.counts, empty, 'the target is empty or refuses to start');
    return 'source';
  }
  if (server === null) {
    assert.ok(steps.includes(closing) || steps.at(-1) === 'step: the target has committed', 'neither starts');
    return 'closed';
  }
  assert.deepEqual(server, original, 'the target is whole');
  return 'target';
}

/** Kills one move of a copy of the trial, and finishes it. */
export async function crashOnce(
  { rig, home, trial, original }: { rig: MoveRig; home: Home; trial: Trial; original: Side },
  kill: Kill,
): Promise<{ outcome: Outcome; lastStep: string; wasKilled: boolean }> {
  const dataDir = await rig.copyOf(trial.dataDir);
  const { url, adminUrl } = await rig.target();
  const { steps, wasKilled, output } = await moveAndKill(dataDir, url, kill);
  if (kill.step !== undefined) assert.ok(wasKilled, `not killed: ${output}`);
  // A server rolls back when it notices that its client is gone.
  const outcome = judge(original, await readFolder(dataDir), await readServer(adminUrl), steps);
  const again = await home.run(
    { DATA_DIR: dataDir, PAYLINK_MASTER_KEY: masterKey },
    ...['admin', 'move', '--to', url],
  );
  assert.equal(again.code, 0, again.err);
  assert.equal(await readFolder(dataDir), null, 'the source is closed');
  assert.deepEqual(await readServer(adminUrl), original, 'the target is whole');
  return { outcome, lastStep: steps.at(-1) ?? '', wasKilled };
}

/** The number of steps of a move. */
export async function countSteps(rig: MoveRig, trial: Trial): Promise<string[]> {
  const { url } = await rig.target();
  const { steps, wasKilled, output } = await moveAndKill(await rig.copyOf(trial.dataDir), url, {});
  assert.ok(!wasKilled && steps.length > 40, output);
  return steps;
}

/** `crashOnce` after a time; after half of it if the move was faster. */
export async function crashInTime(
  of: Parameters<typeof crashOnce>[0],
  afterMs: number,
): Promise<Awaited<ReturnType<typeof crashOnce>> & { afterMs: number }> {
  const crash = await crashOnce(of, { afterMs });
  if (crash.wasKilled) return { ...crash, afterMs };
  assert.ok(afterMs > 200, 'a move takes no time');
  return await crashInTime(of, Math.round(afterMs / 2));
}

/** `count` of the steps: all that are not of a table, and tables between them. */
export function choosePoints(steps: readonly string[], count: number): string[] {
  const numbered = steps.map((step, index) => ({ index, isTable: step.startsWith('step: copied ') }));
  const others = numbered.filter(({ isTable }) => !isTable);
  const tables = numbered.filter(({ isTable }) => isTable);
  const wanted = Math.max(1, count - others.length);
  const every = tables.length / wanted;
  const chosen = Array.from({ length: wanted }, (_, i) => tables[Math.floor(i * every)]);
  const indexes = [...others, ...chosen]
    .flatMap((point) => (point ? [point.index] : []))
    .sort((a, b) => a - b);
  return indexes.flatMap((index) => steps[index] ?? []);
}

// A trial with 10,000 payments is moved and killed at 20 points: at steps, and between them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHome, type Home } from '../harness/cli.ts';
import { choosePoints, countSteps, crashInTime, crashOnce } from './crashes.ts';
import { createMoveRig, readFolder, type Side, type Trial } from './move-rig.ts';

const rig = createMoveRig();
let home: Home;
let trial: Trial;
let original: Side;

before(async () => {
  home = await createHome();
  trial = await rig.trial({ payments: 10_000, paid: 500 });
  const side = await readFolder(trial.dataDir);
  assert.ok(side);
  assert.deepEqual(side.faults, []);
  assert.equal(side.counts[0], 10_000);
  original = side;
});
after(async () => {
  await home?.remove();
  await rig.clean();
});

test('of 10,000 payments killed at 14 steps and 6 moments none is lost or on two sides', async (t) => {
  const startedAt = performance.now();
  const steps = await countSteps(rig, trial);
  const wholeMs = performance.now() - startedAt;
  t.diagnostic(`a whole move: ${Math.round(wholeMs)} ms, ${steps.length} steps`);
  const outcomes = new Set<string>();
  const of = { rig, home, trial, original };
  for (const step of choosePoints(steps, 14)) {
    const { outcome, wasKilled } = await crashOnce(of, { step });
    assert.ok(wasKilled, step);
    t.diagnostic(`${step}: ${outcome}`);
    outcomes.add(outcome);
  }
  for (const part of [0.3, 0.45, 0.6, 0.7, 0.8, 0.9]) {
    const { outcome, lastStep, afterMs } = await crashInTime(of, Math.round(wholeMs * part));
    t.diagnostic(`after ${afterMs} ms, ${lastStep}: ${outcome}`);
    outcomes.add(outcome);
  }
  assert.deepEqual([...outcomes].sort(), ['closed', 'source', 'target'], 'every state was met');
});

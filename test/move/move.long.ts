// The short form of move.campaign.ts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHome, type Home } from '../harness/cli.ts';
import { choosePoints, countSteps, crashOnce } from './crashes.ts';
import { createMoveRig, readFolder, type Side, type Trial } from './move-rig.ts';

const rig = createMoveRig();
let home: Home;
let trial: Trial;
let original: Side;

before(async () => {
  home = await createHome();
  trial = await rig.trial({ payments: 40, paid: 15 });
  const side = await readFolder(trial.dataDir);
  assert.ok(side);
  assert.deepEqual(side.faults, []);
  original = side;
});
after(async () => {
  await home?.remove();
  await rig.clean();
});

test('a move that is killed at 10 of its steps leaves one whole side, and the next run finishes it', async (t) => {
  const steps = await countSteps(rig, trial);
  const outcomes = new Set<string>();
  // The first two change nothing in the source.
  for (const step of choosePoints(steps, 12).slice(2)) {
    const { outcome, lastStep } = await crashOnce({ rig, home, trial, original }, { step });
    t.diagnostic(`${lastStep}: ${outcome}`);
    outcomes.add(outcome);
  }
  assert.deepEqual([...outcomes].sort(), ['closed', 'source', 'target'], 'every state was met');
});

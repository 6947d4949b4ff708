// What the operator sees who starts the service on the target of an interrupted move.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createHome, type Home } from '../harness/cli.ts';
import { createProcessGroup, endOf } from '../harness/process.ts';
import { createMoveRig, masterKey, moveHere, type Trial } from './move-rig.ts';

const rig = createMoveRig();
const stage = createProcessGroup();
let home: Home;
let trial: Trial;

before(async () => {
  home = await createHome();
  trial = await rig.trial({ payments: 2, paid: 1 });
});
after(async () => {
  await stage.clear();
  await home?.remove();
  await rig.clean();
});

/** A move that is interrupted at a step. */
async function interruptAt(step: string): Promise<{ url: string }> {
  const dataDir = await rig.copyOf(trial.dataDir);
  const { url } = await rig.target();
  const onStep = (name: string) => {
    if (name === step) throw new Error(name);
  };
  await assert.rejects(moveHere(dataDir, url, { onStep }), new RegExp(`The move stopped: ${step}`));
  return { url };
}

const refusal =
  /^The move of an embedded database to this database was interrupted: run the same "paylink admin move --to …" again, which finishes it\. Until then the service does not start on this database\./m;

describe('neither the service nor a command starts on the target of a move that was interrupted', () => {
  for (const step of ['the target has committed', 'closed the data folder'])
    test(`after "${step}"`, async () => {
      const { url } = await interruptAt(step);
      const settings = { DATABASE_URL: url, PAYLINK_MASTER_KEY: masterKey };
      const run = await stage.start({ through: 'server', settings });
      assert.deepEqual(await endOf(run), { code: 1, signal: null });
      assert.match(run.stderr(), refusal);
      assert.doesNotMatch(run.stderr(), /\n {4}at |secret/);
      const refused = await home.run(settings, 'ledger', 'verify');
      assert.equal(refused.code, 2, refused.err);
      assert.match(refused.err, refusal);
      assert.doesNotMatch(refused.err, /\n {4}at |secret/);
    });
});

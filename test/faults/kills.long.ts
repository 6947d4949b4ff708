// The short form of kills.campaign.ts.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type FaultRig, openFaultRig } from './fault-rig.ts';
import { runStorm } from './storm.ts';

let rig: FaultRig;
before(async () => {
  rig = await openFaultRig();
});
after(async () => await rig.close());

test('after 6 kills at random moments under load nothing is lost or charged twice', async (t) => {
  const report = await runStorm(rig, { disruptions: 6, customers: 10, seed: randomInt(2 ** 31) });
  t.diagnostic(JSON.stringify(report));
  assert.deepEqual(rig.invalidResponses, []);
  assert.deepEqual(await rig.findFaults(), []);
  assert.ok(report.charges > 0 && report.interrupted > 0, 'payments were in progress at the kills');
});

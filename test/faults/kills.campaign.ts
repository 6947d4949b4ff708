// 200 kills of the service in ten storms, each with its own database and seed. kills.long.ts is the short form.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { openFaultRig } from './fault-rig.ts';
import { runStorm } from './storm.ts';

for (let storm = 1; storm <= 10; storm++) {
  test(`storm ${storm} of 10: 20 kills at random moments under load`, async (t) => {
    const rig = await openFaultRig();
    try {
      const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
      const report = await runStorm(rig, { disruptions: 20, customers: 16, seed });
      t.diagnostic(JSON.stringify(report));
      assert.deepEqual(rig.invalidResponses, [], `seed ${seed}`);
      assert.deepEqual(await rig.findFaults(), [], `seed ${seed}`);
      assert.ok(report.charges > 0 && report.interrupted > 0, 'payments were in progress at the kills');
    } finally {
      await rig.close();
    }
  });
}

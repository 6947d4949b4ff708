// Storms in which the service is killed and the live processors fail at random moments. The campaign and its short
// form share them.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { openLiveFaultRig } from './live-fault-rig.ts';
import { runLiveStorm } from './live-storm.ts';

export function testLiveStorms({ disruptions }: { disruptions: number }): void {
  for (const hasNotices of [true, false])
    test(`a storm of ${disruptions} faults ${hasNotices ? 'with' : 'without'} webhooks loses nothing and charges nothing twice`, async (t) => {
      const rig = await openLiveFaultRig({ hasNotices });
      try {
        const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
        const report = await runLiveStorm(rig, { disruptions, customers: 6, seed });
        t.diagnostic(JSON.stringify(report));
        assert.deepEqual(rig.invalidResponses, [], `seed ${seed}`);
        assert.deepEqual(await rig.findFaults(), [], `seed ${seed}`);
        assert.ok(report.charges > 0, 'payments were charged');
      } finally {
        await rig.close();
      }
    });
}

// Lost, late or malformed responses of the live processors, and unreachable ones: no customer is charged twice, every
// payment ends, and while one is unknown, no other attempt starts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { liveMakers } from '../processors/live.ts';
import { type LiveFaultRig, openLiveFaultRig } from './live-fault-rig.ts';
import { failOnAuthorise, failOnCapture, failUnreachable, outages } from './live-outages.ts';

let faultRig: LiveFaultRig;
before(async () => {
  faultRig = await openLiveFaultRig();
});
after(async () => await faultRig?.close());

function connectedAt(place: number) {
  const connected = faultRig.processors[place];
  assert.ok(connected);
  return connected;
}

describe('missing responses', { concurrency: liveMakers.length }, () => {
  for (const [place, { name, features }] of liveMakers.entries())
    describe(`from ${name}`, { concurrency: 1 }, () => {
      for (const outage of outages) {
        test(`on creation, it ${outage.what}: unknown, then paid once`, async () => {
          await failOnAuthorise(faultRig, connectedAt(place), outage);
        });
        if (features.capturesSeparately)
          test(`on capture, it ${outage.what}: queried again, then paid once`, async () => {
            await failOnCapture(faultRig, connectedAt(place), outage);
          });
      }
    });
});

describe('an unreachable processor', () => {
  // An unreachable one refuses at once. The others get time for their responses.
  before(async () => void (await faultRig.start({ processorTimeoutMs: 10_000 })));
  for (const [place, { name }] of liveMakers.entries())
    test(`${name} is unreachable before creation: the next method is offered and paid`, async () => {
      await failUnreachable(faultRig, connectedAt(place));
    });
});

test('the oracle finds no violation', async () => {
  await faultRig.settle();
  assert.deepEqual(faultRig.invalidResponses, []);
  assert.deepEqual(await faultRig.findFaults(), []);
});

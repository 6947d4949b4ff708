// Every crash point of the live processors, and the missing responses that live-outages.long.ts leaves out.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { liveMakers } from '../processors/live.ts';
import {
  captureCrashPoints,
  redirectCrashPoints,
  refundCrashPoints,
  returnCrashPoints,
} from './crash-points.ts';
import { crashOnRedirect, crashOnReturn, crashRefunding } from './live-crashes.ts';
import { type LiveFaultRig, openLiveFaultRig } from './live-fault-rig.ts';
import { failOnAuthorise, failOnCapture, moreOutages } from './live-outages.ts';

describe('crash points', () => {
  let faultRig: LiveFaultRig;
  before(async () => {
    faultRig = await openLiveFaultRig();
  });
  after(async () => await faultRig?.close());
  for (const point of redirectCrashPoints)
    test(`before requests to the processors: ${point}`, async () => await crashOnRedirect(faultRig, point));
  for (const point of returnCrashPoints)
    test(`after responses of the processors: ${point}`, async () => await crashOnReturn(faultRig, point));
  for (const point of captureCrashPoints)
    test(`at the capture: ${point}`, async () => {
      const capturing = faultRig.processors.filter(({ features }) => features.capturesSeparately);
      await crashOnReturn(faultRig, point, capturing);
    });
  for (const point of refundCrashPoints)
    test(`during a refund: ${point}`, async () => await crashRefunding(faultRig, point));
});

describe('missing responses', { concurrency: liveMakers.length }, () => {
  let faultRig: LiveFaultRig;
  before(async () => {
    faultRig = await openLiveFaultRig();
  });
  after(async () => {
    try {
      await faultRig?.settle();
      assert.deepEqual(await faultRig?.findFaults(), []);
    } finally {
      await faultRig?.close();
    }
  });
  for (const [place, { name, features }] of liveMakers.entries())
    describe(`of ${name}`, { concurrency: 1 }, () => {
      const connectedHere = () => {
        const connected = faultRig.processors[place];
        assert.ok(connected);
        return connected;
      };
      for (const outage of moreOutages) {
        test(`on creation, it ${outage.what}`, async () => {
          await failOnAuthorise(faultRig, connectedHere(), outage);
        });
        if (features.capturesSeparately)
          test(`on capture, it ${outage.what}`, async () => {
            await failOnCapture(faultRig, connectedHere(), outage);
          });
      }
    });
});

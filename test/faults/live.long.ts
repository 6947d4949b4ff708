// Every crash point of the live processors, and the ways to give no answer that live-outages.long.ts leaves out.

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

describe('points at which the service is killed', () => {
  let field: LiveFaultRig;
  before(async () => {
    field = await openLiveFaultRig();
  });
  after(async () => await field?.close());
  for (const point of redirectCrashPoints)
    test(`on the way to the processors: ${point}`, async () => await crashOnRedirect(field, point));
  for (const point of returnCrashPoints)
    test(`on the way back: ${point}`, async () => await crashOnReturn(field, point));
  for (const point of captureCrashPoints)
    test(`where a call takes the money: ${point}`, async () => {
      const capturing = field.processors.filter(({ features }) => features.capturesSeparately);
      await crashOnReturn(field, point, capturing);
    });
  for (const point of refundCrashPoints)
    test(`while money goes back: ${point}`, async () => await crashRefunding(field, point));
});

describe('ways to give no answer', { concurrency: liveMakers.length }, () => {
  let field: LiveFaultRig;
  before(async () => {
    field = await openLiveFaultRig();
  });
  after(async () => {
    try {
      await field?.settle();
      assert.deepEqual(await field?.findFaults(), []);
    } finally {
      await field?.close();
    }
  });
  for (const [place, { name, features }] of liveMakers.entries())
    describe(`of ${name}`, { concurrency: 1 }, () => {
      const connectedHere = () => {
        const connected = field.processors[place];
        assert.ok(connected);
        return connected;
      };
      for (const silence of moreOutages) {
        test(`where a payment is begun, it ${silence.what}`, async () => {
          await failOnAuthorise(field, connectedHere(), silence);
        });
        if (features.capturesSeparately)
          test(`where money is taken, it ${silence.what}`, async () => {
            await failOnCapture(field, connectedHere(), silence);
          });
      }
    });
});

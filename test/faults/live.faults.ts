// `npm run test:faults`, the part of the live processors: every crash point, every way to give no answer that the
// short form leaves out, and storms in which the service is killed and the processors fail at random moments.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
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
import { runLiveStorm } from './live-storm.ts';

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

for (const hasNotices of [true, false])
  test(`a storm of 20 blows ${hasNotices ? 'with' : 'without'} webhooks loses nothing and charges nothing twice`, async (t) => {
    const field = await openLiveFaultRig({ hasNotices });
    try {
      const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
      const report = await runLiveStorm(field, { strikes: 20, customers: 6, seed });
      t.diagnostic(JSON.stringify(report));
      assert.deepEqual(field.misanswers, [], `seed ${seed}`);
      assert.deepEqual(await field.findFaults(), [], `seed ${seed}`);
      assert.ok(report.charges > 0, 'money was moving');
    } finally {
      await field.close();
    }
  });

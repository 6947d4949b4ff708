// Answers of the live processors that are lost, late or garbled, and processors that are down: nobody is charged
// twice, every payment ends, and while nobody knows what became of one, no other is begun.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { liveMakers } from '../processors/live.ts';
import { type LiveFaultRig, openLiveFaultRig } from './live-fault-rig.ts';
import { failOnAuthorise, failOnCapture, failUnreachable, outages } from './live-outages.ts';

let field: LiveFaultRig;
before(async () => {
  field = await openLiveFaultRig();
});
after(async () => await field?.close());

function connectedAt(place: number) {
  const connected = field.processors[place];
  assert.ok(connected);
  return connected;
}

describe('an answer that never comes', { concurrency: liveMakers.length }, () => {
  for (const [place, { name, features }] of liveMakers.entries())
    describe(`from ${name}`, { concurrency: 1 }, () => {
      for (const silence of outages) {
        test(`where a payment is begun, it ${silence.what}: unknown, then paid once`, async () => {
          await failOnAuthorise(field, connectedAt(place), silence);
        });
        if (features.capturesSeparately)
          test(`where money is taken, it ${silence.what}: asked again, then paid once`, async () => {
            await failOnCapture(field, connectedAt(place), silence);
          });
      }
    });
});

for (const [place, { name }] of liveMakers.entries())
  test(`${name} is down before anything was begun: the next is offered, and paid at once`, async () => {
    await failUnreachable(field, connectedAt(place));
  });

test('the oracle finds nothing after all this', async () => {
  await field.settle();
  assert.deepEqual(field.misanswers, []);
  assert.deepEqual(await field.findFaults(), []);
});

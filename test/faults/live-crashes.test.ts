// The service is killed while it pays and refunds with all live processors. Afterwards the oracle compares the database,
// the fakes' journals, and the responses to clients. live.faults.ts has the other crash points.

import { after, before, test } from 'node:test';
import { crashOnRedirect, crashOnReturn, crashRefunding } from './live-crashes.ts';
import { type LiveFaultRig, openLiveFaultRig } from './live-fault-rig.ts';

let faultRig: LiveFaultRig;
before(async () => {
  faultRig = await openLiveFaultRig();
});
after(async () => await faultRig?.close());

const titleOf = (point: string, what: string) => `killed ${point.replaceAll('_', ' ')}: ${what}`;

for (const point of ['after_reserve', 'after_answer_before_record'] as const)
  test(titleOf(point, 'the customer can go on, and each order is charged once'), async () => {
    await crashOnRedirect(faultRig, point);
  });

test(titleOf('after_news_before_record', 'the money is found without any visitor'), async () => {
  await crashOnReturn(faultRig, 'after_news_before_record');
});

test(titleOf('after_capture_before_record', 'the money is found, and not taken again'), async () => {
  const capturing = faultRig.processors.filter(({ features }) => features.capturesSeparately);
  await crashOnReturn(faultRig, 'after_capture_before_record', capturing);
});

test(titleOf('after_refund_answer_before_record', 'the money goes back once'), async () => {
  await crashRefunding(faultRig, 'after_refund_answer_before_record');
});

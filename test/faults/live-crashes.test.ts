// The service is killed at points of paying and refunding by the live processors, all of them at once, and must have
// settled what was under way; then the oracle reads our books, the fakes' journals, and what clients were told. The
// points that are not here are in live.faults.ts.

import { after, before, test } from 'node:test';
import { crashOnRedirect, crashOnReturn, crashRefunding } from './live-crashes.ts';
import { type LiveFaultRig, openLiveFaultRig } from './live-fault-rig.ts';

let field: LiveFaultRig;
before(async () => {
  field = await openLiveFaultRig();
});
after(async () => await field?.close());

const titleOf = (point: string, what: string) => `killed ${point.replaceAll('_', ' ')}: ${what}`;

for (const point of ['after_reserve', 'after_answer_before_record'] as const)
  test(titleOf(point, 'the customer can go on, and each order is charged once'), async () => {
    await crashOnRedirect(field, point);
  });

test(titleOf('after_news_before_record', 'the money is found without any visitor'), async () => {
  await crashOnReturn(field, 'after_news_before_record');
});

test(titleOf('after_capture_before_record', 'the money is found, and not taken again'), async () => {
  const capturing = field.processors.filter(({ features }) => features.capturesSeparately);
  await crashOnReturn(field, 'after_capture_before_record', capturing);
});

test(titleOf('after_refund_answer_before_record', 'the money goes back once'), async () => {
  await crashRefunding(field, 'after_refund_answer_before_record');
});

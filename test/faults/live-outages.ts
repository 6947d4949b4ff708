// Outages of live processors during creation or capture. While the outcome is unknown, no other attempt may start.

import assert from 'node:assert/strict';
import { chooseMethod, methodsOf, visibleText } from '../harness/payment-methods.ts';
import { until } from '../harness/process.ts';
import { visit } from '../harness/visitor.ts';
import type { Fault } from '../processors/kit/control.ts';
import { type Connected, leadOf } from '../processors/live.ts';
import { type Link, statusOf } from './fault-fixture.ts';
import type { LiveFaultRig } from './live-fault-rig.ts';

/** A fault without a usable response. */
export type InjectedOutage = { what: string; fault: Fault };

export const outages: readonly InjectedOutage[] = [
  { what: 'acts and returns 500', fault: { kind: 'status', status: 500, isPerformed: true } },
  { what: 'neither acts nor responds', fault: { kind: 'hang', isPerformed: false } },
  { what: 'acts and truncates the response', fault: { kind: 'half' } },
];

/** Used only by live.long.ts and the storms. */
export const moreOutages: readonly InjectedOutage[] = [
  { what: 'returns 500 without acting', fault: { kind: 'status', status: 500, isPerformed: false } },
  { what: 'returns 503 without acting', fault: { kind: 'status', status: 503, isPerformed: false } },
  { what: 'acts and does not respond', fault: { kind: 'hang', isPerformed: true } },
  { what: 'resets the connection without acting', fault: { kind: 'reset', isPerformed: false } },
  { what: 'acts and resets the connection', fault: { kind: 'reset', isPerformed: true } },
  { what: 'acts and returns a malformed response', fault: { kind: 'garbage', isPerformed: true } },
  { what: 'returns a malformed response without acting', fault: { kind: 'garbage', isPerformed: false } },
  {
    what: 'acts too late',
    fault: { kind: 'slow', delayMs: 4_000, waits: 'before' },
  },
  {
    what: 'acts and responds too late',
    fault: { kind: 'slow', delayMs: 4_000, waits: 'after' },
  },
];

async function makeLink(faultRig: LiveFaultRig): Promise<Link> {
  return await faultRig.createLink(faultRig.credentials);
}

/** Tries until the link is paid, on the processor's existing page or a new one. */
async function payInTheEnd(faultRig: LiveFaultRig, link: Link, connected: Connected): Promise<void> {
  for (let round = 0; round < 600; round++) {
    const page = await faultRig.look(link, `${link.link}/wait`);
    if (statusOf(page) === 'paid') return;
    if (methodsOf(page).length > 0) await faultRig.press(link, connected);
    const lead = leadOf(await visit(link.link), connected);
    if (lead) await faultRig.look(link, (await connected.rig.customer.pay(lead)).url);
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the link is paid in the end');
}

async function assertPaidOnce(faultRig: LiveFaultRig, link: Link): Promise<void> {
  assert.equal((await faultRig.statesOf(link)).payment, 'paid');
  assert.equal((await faultRig.chargesOf(link)).length, 1);
}

/**
 * A processor stops responding at the creation of a payment. Until it responds again, the attempt is unknown, and no
 * other method is offered or accepted, not even from a page opened before.
 */
export async function failOnAuthorise(
  faultRig: LiveFaultRig,
  connected: Connected,
  { fault }: InjectedOutage,
): Promise<void> {
  const { rig } = connected;
  const other = faultRig.processors.find(({ name }) => name !== connected.name);
  assert.ok(other);
  const link = await makeLink(faultRig);
  const openedBefore = await visit(link.link);
  await rig.control({ outage: { fault } });
  const page = await faultRig.press(link, connected);
  assert.deepEqual(methodsOf(page), []);
  assert.match(visibleText(page), /has not confirmed the result/);
  await chooseMethod(openedBefore, other.connectionId);
  assert.deepEqual((await faultRig.statesOf(link)).attempts, ['unknown'], 'no second attempt starts');
  await rig.control({ outage: null });
  await payInTheEnd(faultRig, link, connected);
  await assertPaidOnce(faultRig, link);
}

/** A processor does not respond to the capture. */
export async function failOnCapture(
  faultRig: LiveFaultRig,
  connected: Connected,
  { fault }: InjectedOutage,
): Promise<void> {
  const { rig } = connected;
  const link = await makeLink(faultRig);
  const { url } = await rig.customer.pay(await faultRig.goTo(link, connected));
  await rig.control({ outage: { fault, route: rig.routes?.capture ?? '', times: 1 } });
  // On a busy machine the query before the capture may time out.
  await until(async () => {
    await faultRig.look(link, url);
    return Number((await rig.control({})).hits) >= 1;
  }, 'the fault to occur');
  await rig.control({ outage: null });
  await payInTheEnd(faultRig, link, connected);
  await assertPaidOnce(faultRig, link);
}

/** A processor is unreachable, so no payment starts there. Another method is offered first and paid. */
export async function failUnreachable(faultRig: LiveFaultRig, connected: Connected): Promise<void> {
  const { rig } = connected;
  const link = await makeLink(faultRig);
  await rig.control({ outage: { fault: { kind: 'refuse' } } });
  try {
    const page = await faultRig.press(link, connected);
    assert.match(visibleText(page), /is unavailable right now\. You have not been charged\./);
    const offered = methodsOf(page);
    assert.equal(offered.at(-1), connected.connectionId, 'it is offered last');
    const other = faultRig.processors.find(({ connectionId }) => connectionId === offered[0]);
    assert.ok(other && other !== connected);
    const back = await other.rig.customer.pay(await faultRig.goTo(link, other));
    assert.equal(statusOf(await faultRig.look(link, back.url)), 'paid');
  } finally {
    await rig.control({ outage: null });
  }
  assert.deepEqual((await faultRig.statesOf(link)).attempts, ['cancelled', 'succeeded']);
  await assertPaidOnce(faultRig, link);
}

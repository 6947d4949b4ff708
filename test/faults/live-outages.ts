// How live processors fail on the live field: in the middle of beginning a payment, of taking its money, or for a
// while. While nobody knows what became of an attempt nothing else may be begun. The short and the long form share it.

import assert from 'node:assert/strict';
import { chooseMethod, methodsOf, visibleText } from '../harness/payment-methods.ts';
import { visit } from '../harness/visitor.ts';
import type { Fault } from '../processors/kit/control.ts';
import { type Connected, leadOf } from '../processors/live.ts';
import { type Link, statusOf } from './fault-fixture.ts';
import type { LiveFaultRig } from './live-fault-rig.ts';

/** A way to give no answer, for one request or until it is over. */
export type InjectedOutage = { what: string; fault: Fault };

export const outages: readonly InjectedOutage[] = [
  { what: 'does it, and answers 500', fault: { kind: 'status', status: 500, does: true } },
  { what: 'does nothing, and never answers', fault: { kind: 'hang', does: false } },
  { what: 'does it, and breaks its answer off', fault: { kind: 'half' } },
];

/** Those that only the long form plays. */
export const moreOutages: readonly InjectedOutage[] = [
  { what: 'does nothing, and answers 500', fault: { kind: 'status', status: 500, does: false } },
  { what: 'does nothing, and answers 503', fault: { kind: 'status', status: 503, does: false } },
  { what: 'does it, and never answers', fault: { kind: 'hang', does: true } },
  { what: 'does nothing, and resets the connection', fault: { kind: 'reset', does: false } },
  { what: 'does it, and resets the connection', fault: { kind: 'reset', does: true } },
  { what: 'does it, and answers with nonsense', fault: { kind: 'garbage', does: true } },
  { what: 'does nothing, and answers with nonsense', fault: { kind: 'garbage', does: false } },
  {
    what: 'does it too late',
    fault: { kind: 'slow', delayMs: 4_000, waits: 'before' },
  },
  {
    what: 'does it, and answers too late',
    fault: { kind: 'slow', delayMs: 4_000, waits: 'after' },
  },
];

async function makeLink(field: LiveFaultRig): Promise<Link> {
  return await field.createLink(field.credentials);
}

/** Goes on until the link is paid: at the page that was begun, or at a new one where nothing was. */
async function payInTheEnd(field: LiveFaultRig, link: Link, connected: Connected): Promise<void> {
  for (let round = 0; round < 600; round++) {
    const page = await field.look(link, `${link.link}/wait`);
    if (statusOf(page) === 'paid') return;
    if (methodsOf(page).length > 0) await field.press(link, connected);
    const lead = leadOf(await visit(link.link), connected);
    if (lead) await field.look(link, (await connected.rig.customer.pay(lead)).url);
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the link is paid in the end');
}

async function assertPaidOnce(field: LiveFaultRig, link: Link): Promise<void> {
  assert.equal((await field.statesOf(link)).payment, 'paid');
  assert.equal((await field.chargesOf(link)).length, 1);
}

/**
 * A processor that gives no answer to anything, from the moment when a payment is begun there. As long as that goes
 * on, the attempt is unknown, and no other way is offered or begun, also not by a page that was opened before.
 */
export async function failOnAuthorise(
  field: LiveFaultRig,
  connected: Connected,
  { fault }: InjectedOutage,
): Promise<void> {
  const { rig } = connected;
  const other = field.processors.find(({ name }) => name !== connected.name);
  assert.ok(other);
  const link = await makeLink(field);
  const openedBefore = await visit(link.link);
  await rig.control({ outage: { fault } });
  const page = await field.press(link, connected);
  assert.deepEqual(methodsOf(page), []);
  assert.match(visibleText(page), /has not confirmed the result/);
  await chooseMethod(openedBefore, other.connectionId);
  assert.deepEqual((await field.statesOf(link)).attempts, ['unknown'], 'and no second one is begun');
  await rig.control({ outage: null });
  await payInTheEnd(field, link, connected);
  await assertPaidOnce(field, link);
}

/** A processor that gives no answer when it is to take the money of what the customer has agreed to. */
export async function failOnCapture(
  field: LiveFaultRig,
  connected: Connected,
  { fault }: InjectedOutage,
): Promise<void> {
  const { rig } = connected;
  const link = await makeLink(field);
  const { url } = await rig.customer.pay(await field.goTo(link, connected));
  await rig.control({ outage: { fault, route: rig.routes?.capture ?? '', times: 1 } });
  await field.look(link, url);
  assert.ok(Number((await rig.control({})).hits) >= 1, 'the fault struck');
  await rig.control({ outage: null });
  await payInTheEnd(field, link, connected);
  await assertPaidOnce(field, link);
}

/** A processor that cannot be reached has begun nothing: the others are offered, and one of them is paid at. */
export async function failUnreachable(field: LiveFaultRig, connected: Connected): Promise<void> {
  const { rig } = connected;
  const link = await makeLink(field);
  await rig.control({ outage: { fault: { kind: 'refuse' } } });
  try {
    const page = await field.press(link, connected);
    assert.match(visibleText(page), /is unavailable right now\. You have not been charged\./);
    const offered = methodsOf(page);
    assert.equal(offered.at(-1), connected.connectionId, 'it stands last');
    const other = field.processors.find(({ connectionId }) => connectionId === offered[0]);
    assert.ok(other && other !== connected);
    const back = await other.rig.customer.pay(await field.goTo(link, other));
    assert.equal(statusOf(await field.look(link, back.url)), 'paid');
  } finally {
    await rig.control({ outage: null });
  }
  assert.deepEqual((await field.statesOf(link)).attempts, ['cancelled', 'succeeded']);
  await assertPaidOnce(field, link);
}

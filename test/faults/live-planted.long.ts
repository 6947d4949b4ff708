// Proves that the oracle detects typical bugs with live processors: each is planted around the real adapters, and the
// oracle must report its effects.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { press, visit } from '../harness/visitor.ts';
import { type Connected, leadOf } from '../processors/live.ts';
import type { Link } from './fault-fixture.ts';
import { type LiveFaultRig, openLiveFaultRig } from './live-fault-rig.ts';

let faultRig: LiveFaultRig;
before(async () => {
  faultRig = await openLiveFaultRig();
});
after(async () => await faultRig?.close());

type BugScenario = (link: Link, connected: Connected) => Promise<unknown>;

/** The processors that capture when the customer approves, or those with a separate capture call. */
const capturedBy = (whose: 'customer' | 'call'): Connected[] =>
  faultRig.processors.filter(({ features }) => features.capturesSeparately === (whose === 'call'));

/** Plays a scene at each processor on a service with a bug, and returns the oracle's faults and the links. */
async function findFaultsOf(
  plantedBug: string,
  processors: readonly Connected[],
  scene: BugScenario,
): Promise<{ faults: string; links: Link[] }> {
  await faultRig.start({ plantedBug });
  const links = await Promise.all(
    processors.map(async (connected) => {
      const link = await faultRig.createLink(faultRig.credentials);
      await scene(link, connected);
      return link;
    }),
  );
  return { faults: (await faultRig.findFaults()).join('\n'), links };
}

/** Pays a link from start to end. */
async function payWhole(link: Link, connected: Connected): Promise<void> {
  const { url } = await connected.rig.customer.pay(await faultRig.goTo(link, connected));
  await faultRig.look(link, url);
}

test('a new key for each retry is detected: a charge without an attempt', async () => {
  const { faults, links } = await findFaultsOf(
    'new_key_per_retry',
    capturedBy('customer'),
    async (link, connected) => {
      const { rig } = connected;
      const fault = { kind: 'hang', isPerformed: true } as const;
      await rig.control({ outage: { fault, route: rig.routes?.authorise ?? '', times: 1 } });
      // The attempt stays unknown, because the processor's session belongs to another key.
      const lead = leadOf(await faultRig.press(link, connected), connected);
      assert.ok(lead, `the link leads to ${connected.name}`);
      await rig.customer.pay(lead);
    },
  );
  const strange = faults.match(/charge att_\S+ was made under a key that no attempt has/g);
  assert.equal(strange?.length, links.length, faults);
});

test('a cancel that does not call the processor is detected: one link captured twice', async () => {
  const { faults, links } = await findFaultsOf(
    'cancel_unasked',
    capturedBy('customer'),
    async (link, connected) => {
      const first = await faultRig.goTo(link, connected);
      await press(await visit(link.link), { form: 0 });
      await payWhole(link, connected);
      await connected.rig.customer.pay(first);
    },
  );
  for (const { code } of links) assert.ok(faults.includes(`link ${code} was captured 2 times`), faults);
  assert.match(faults, /though its attempt is cancelled: an overpayment was not refunded/);
});

test('a timeout treated as a decline on capture is detected: one link captured twice', async () => {
  const { faults, links } = await findFaultsOf(
    'timeout_as_decline',
    capturedBy('call'),
    async (link, connected) => {
      const { rig } = connected;
      const fault = { kind: 'hang', isPerformed: true } as const;
      await rig.control({ outage: { fault, route: rig.routes?.capture ?? '', times: 1 } });
      await payWhole(link, connected);
      await payWhole(link, connected);
    },
  );
  for (const { code } of links) assert.ok(faults.includes(`link ${code} was captured 2 times`), faults);
});

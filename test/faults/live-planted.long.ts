// The oracle must see on the live field, too, what the classic bugs lead to: each is planted around the real live
// processors, and what became of the money must be named, for every one of them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { press, visit } from '../harness/visitor.ts';
import { type Connected, leadOf } from '../processors/live.ts';
import type { Link } from './fault-fixture.ts';
import { type LiveFaultRig, openLiveFaultRig } from './live-fault-rig.ts';

let field: LiveFaultRig;
before(async () => {
  field = await openLiveFaultRig();
});
after(async () => await field?.close());

type BugScenario = (link: Link, connected: Connected) => Promise<unknown>;

/** The processors that take the money when the customer says so, or those where a call of ours takes it. */
const takingBy = (whose: 'customer' | 'call'): Connected[] =>
  field.processors.filter(({ features }) => features.capturesSeparately === (whose === 'call'));

/** What the oracle finds when a scene was played at some processors with a bug in the service, and on which links. */
async function findFaultsOf(
  plantedBug: string,
  processors: readonly Connected[],
  scene: BugScenario,
): Promise<{ faults: string; links: Link[] }> {
  await field.start({ plantedBug });
  const links = await Promise.all(
    processors.map(async (connected) => {
      const link = await field.createLink(field.credentials);
      await scene(link, connected);
      return link;
    }),
  );
  return { faults: (await field.findFaults()).join('\n'), links };
}

/** A whole payment, as the service with its bug lets it be. */
async function payWhole(link: Link, connected: Connected): Promise<void> {
  const { url } = await connected.rig.customer.pay(await field.goTo(link, connected));
  await field.look(link, url);
}

test('a new key at each retry is caught: a charge that no attempt has', async () => {
  const { faults, links } = await findFaultsOf(
    'new_key_per_retry',
    takingBy('customer'),
    async (link, connected) => {
      const { rig } = connected;
      const fault = { kind: 'hang', does: true } as const;
      await rig.control({ outage: { fault, route: rig.routes?.authorise ?? '', times: 1 } });
      // The service believes nothing more of this attempt: what it asks about bears another one's marks.
      const lead = leadOf(await field.press(link, connected), connected);
      assert.ok(lead, `the link leads to ${connected.name}`);
      await rig.customer.pay(lead);
    },
  );
  const strange = faults.match(/charge att_\S+ was made under a key that no attempt has/g);
  assert.equal(strange?.length, links.length, faults);
});

test('an attempt that is given up without asking is caught: one link captured twice', async () => {
  const { faults, links } = await findFaultsOf(
    'cancel_unasked',
    takingBy('customer'),
    async (link, connected) => {
      const first = await field.goTo(link, connected);
      await press(await visit(link.link), { form: 0 });
      await payWhole(link, connected);
      await connected.rig.customer.pay(first);
    },
  );
  for (const { code } of links) assert.ok(faults.includes(`link ${code} was captured 2 times`), faults);
  assert.match(faults, /though its attempt is cancelled: a surplus was not refunded/);
});

test('silence taken for a decline is caught where a call takes the money: one link captured twice', async () => {
  const { faults, links } = await findFaultsOf(
    'timeout_as_decline',
    takingBy('call'),
    async (link, connected) => {
      const { rig } = connected;
      const fault = { kind: 'hang', does: true } as const;
      await rig.control({ outage: { fault, route: rig.routes?.capture ?? '', times: 1 } });
      await payWhole(link, connected);
      await payWhole(link, connected);
    },
  );
  for (const { code } of links) assert.ok(faults.includes(`link ${code} was captured 2 times`), faults);
});

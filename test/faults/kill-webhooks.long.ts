// The service is killed between the commit of an event and the record of its delivery, and restarted: the receiver's
// journal must contain each event with one ID.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { webhookCrashPoints } from './crash-points.ts';
import { type FaultRig, openFaultRig } from './fault-rig.ts';
import { checkArrivals } from './oracle-arrivals.ts';
import { awaitDeath } from './processes.ts';

let rig: FaultRig;
before(async () => {
  rig = await openFaultRig();
});
after(async () => await rig.close());

/** Kills the service at a crash point of a new link's first webhook, and restarts it. */
async function killAt(crashAt: string): Promise<void> {
  const service = await rig.start({ crashAt });
  // It may die at any time after its start, even before it is ready: it claims at once what the last one left.
  const play = async () => await rig.createLink(await rig.logIn());
  await play().catch(() => undefined);
  if (service) await awaitDeath(service);
  assert.ok(await rig.start(), 'the service restarts');
}

for (const point of [...webhookCrashPoints, webhookCrashPoints[0]])
  test(`killed ${point}, the service delivers each event at least once with one ID`, async () => {
    await killAt(point);
    assert.deepEqual(await rig.findFaults(), []);
    assert.ok(rig.received().length > 0);
  });

test('the oracle detects a missing event, an event with a second ID, and an unknown event', async () => {
  const received = rig.received();
  const [first] = received;
  assert.ok(first);
  const id = first.headers['webhook-id'] ?? '';
  const renamed = {
    ...first,
    headers: { ...first.headers, 'webhook-id': `${id}x` },
    body: first.body.replace(id, `${id}x`),
  };
  const faultsOf = async (modified: typeof received) => (await checkArrivals(rig.db, modified)).join('\n');
  assert.match(
    await faultsOf(received.filter(({ headers }) => headers['webhook-id'] !== id)),
    /never arrived/,
  );
  const second = await faultsOf([...received, renamed]);
  assert.match(second, /which no event has/);
  assert.match(second, /version 1, arrived under 2 ids/);
  assert.match(
    await faultsOf([{ ...first, headers: renamed.headers }, ...received]),
    /says in its body that it is/,
  );
});

test('deliveries written after the commit are detected when the process dies in between', async () => {
  const ownRig = await openFaultRig();
  try {
    await ownRig.db.asOwner.query('drop trigger events_enqueue_webhooks on events');
    const service = await ownRig.start({
      plantedBug: 'deliveries_after_commit',
      crashAt: 'after_link_commit',
    });
    await ownRig.createLink(await ownRig.logIn()).catch(() => undefined);
    await awaitDeath(service);
    await ownRig.start();
    assert.match((await ownRig.findFaults()).join('\n'), /event evt_\S+ \(payment\.created\) never arrived/);
  } finally {
    await ownRig.close();
  }
});

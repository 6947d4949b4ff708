// The connection to the acquirer is cut, slow or half open while customers pay. Unknown attempts are queried until
// their outcome is known, and no card is charged twice.

import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NetworkFaultRig, openNetworkFaultRig, runUnderNetworkFaults } from './network-fault-rig.ts';
import { breakNetwork } from './storm.ts';
import type { NetworkFault } from './tcp-proxy.ts';

let network: NetworkFaultRig;
before(async () => {
  network = await openNetworkFaultRig('acquirer');
});
after(async () => await network.close());

const faults: readonly NetworkFault[] = [
  { kind: 'cut' },
  // Half of the timeout in each direction: some responses arrive in time, others don't.
  { kind: 'slow', delayMs: 300 },
  { kind: 'half-open', loses: 'requests' },
  { kind: 'half-open', loses: 'answers' },
];

for (const fault of faults)
  test(`${fault.kind}${'loses' in fault ? `, ${fault.loses} lost` : ''}: everything completes within 60 s of the repair`, async (t) => {
    const disrupt = breakNetwork(network.proxy, [fault], async () => await sleep(1_500));
    await runUnderNetworkFaults(t, network, { disruptions: 1, customers: 8, disrupt });
  });

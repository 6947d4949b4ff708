// The network to PostgreSQL and to the acquirer fails 24 times under load, for up to 25 s each. The service is not
// restarted. network.long.ts is the short form.

import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openNetworkFaultRig, runUnderNetworkFaults } from './network-fault-rig.ts';
import { breakNetwork } from './storm.ts';
import type { NetworkFault } from './tcp-proxy.ts';

const halfOpen: readonly NetworkFault[] = [
  { kind: 'half-open', loses: 'requests' },
  { kind: 'half-open', loses: 'answers' },
  { kind: 'half-open', loses: 'both' },
];

type NetworkScenario = {
  to: 'database' | 'acquirer';
  what: string;
  faults: readonly NetworkFault[];
  lastsMs: number;
  disruptions: number;
};
const networkScenarios: readonly NetworkScenario[] = [
  {
    to: 'database',
    what: 'cut, slow and half open by turns',
    faults: [{ kind: 'cut' }, { kind: 'slow', delayMs: 80 }, ...halfOpen],
    lastsMs: 3_000,
    disruptions: 10,
  },
  // Longer than the service's timeout, so that its connections are closed during the fault, not after it.
  { to: 'database', what: 'half open for a long time', faults: halfOpen, lastsMs: 25_000, disruptions: 2 },
  {
    to: 'acquirer',
    what: 'cut, slow and half open by turns',
    faults: [{ kind: 'cut' }, { kind: 'slow', delayMs: 300 }, ...halfOpen],
    lastsMs: 3_000,
    disruptions: 10,
  },
  { to: 'acquirer', what: 'half open for a long time', faults: halfOpen, lastsMs: 15_000, disruptions: 2 },
];

for (const { to, what, faults, lastsMs, disruptions } of networkScenarios)
  test(`the network to the ${to} is ${what}, ${disruptions} times under load`, async (t) => {
    const network = await openNetworkFaultRig(to);
    try {
      const disrupt = breakNetwork(network.proxy, faults, async () => await sleep(lastsMs));
      await runUnderNetworkFaults(t, network, { disruptions, customers: 12, disrupt });
    } finally {
      await network.close();
    }
  });

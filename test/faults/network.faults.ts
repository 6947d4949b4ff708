// `npm run test:faults`, the other half of the long form: PostgreSQL killed 20 times under load, and long
// bad weather on the way to it and to the acquirer. The service is never started again by anybody.

import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '../../scripts/cluster.mjs';
import { postgresBin } from '../harness/services.ts';
import { openFaultRig } from './fault-rig.ts';
import { openNetworkFaultRig, runUnderNetworkFaults } from './network-fault-rig.ts';
import { breakNetwork, durableSettings, killPostgres } from './storm.ts';
import type { NetworkFault } from './tcp-proxy.ts';

for (let storm = 1; storm <= 2; storm++)
  test(`storm ${storm} of 2: 10 kills of PostgreSQL at random moments under load`, async (t) => {
    const cluster = await startCluster(postgresBin(), durableSettings);
    const field = await openFaultRig({ clusterUrl: cluster.url });
    try {
      const service = await field.start();
      if (!service) throw new Error('the service did not start');
      await runUnderNetworkFaults(
        t,
        { field, service },
        { strikes: 10, customers: 16, strike: killPostgres(cluster) },
      );
    } finally {
      await field.close();
      await cluster.stop();
    }
  });

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
  strikes: number;
};
const networkScenarios: readonly NetworkScenario[] = [
  {
    to: 'database',
    what: 'cut, slow and half open by turns',
    faults: [{ kind: 'cut' }, { kind: 'slow', delayMs: 80 }, ...halfOpen],
    lastsMs: 3_000,
    strikes: 10,
  },
  // Longer than the service waits for an answer: its pool dies while the way is broken, not after it.
  { to: 'database', what: 'half open for long', faults: halfOpen, lastsMs: 25_000, strikes: 2 },
  {
    to: 'acquirer',
    what: 'cut, slow and half open by turns',
    faults: [{ kind: 'cut' }, { kind: 'slow', delayMs: 300 }, ...halfOpen],
    lastsMs: 3_000,
    strikes: 10,
  },
  { to: 'acquirer', what: 'half open for long', faults: halfOpen, lastsMs: 15_000, strikes: 2 },
];

for (const { to, what, faults, lastsMs, strikes } of networkScenarios)
  test(`the network to the ${to} is ${what}, ${strikes} times under load`, async (t) => {
    const network = await openNetworkFaultRig(to);
    try {
      const strike = breakNetwork(network.proxy, faults, async () => await sleep(lastsMs));
      await runUnderNetworkFaults(t, network, { strikes, customers: 12, strike });
    } finally {
      await network.close();
    }
  });

// PostgreSQL is killed 20 times under load, in two storms, and the service is not restarted. kill-postgres.long.ts is
// the short form.

import { test } from 'node:test';
import { startCluster } from '../../scripts/cluster.mjs';
import { postgresBin } from '../harness/services.ts';
import { openFaultRig } from './fault-rig.ts';
import { runUnderNetworkFaults } from './network-fault-rig.ts';
import { durableSettings, killPostgres } from './storm.ts';

for (let storm = 1; storm <= 2; storm++)
  test(`storm ${storm} of 2: 10 kills of PostgreSQL at random moments under load`, async (t) => {
    const cluster = await startCluster(postgresBin(), durableSettings);
    const rig = await openFaultRig({ clusterUrl: cluster.url });
    try {
      const service = await rig.start();
      if (!service) throw new Error('the service did not start');
      await runUnderNetworkFaults(
        t,
        { rig, service },
        { disruptions: 10, customers: 16, disrupt: killPostgres(cluster) },
      );
    } finally {
      await rig.close();
      await cluster.stop();
    }
  });

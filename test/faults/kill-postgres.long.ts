// PostgreSQL is killed while the service runs, on this test's own server. The service is not restarted: it must recover
// by itself, and everything that it acknowledged must be on disk.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCluster } from '../../scripts/cluster.mjs';
import { until } from '../harness/process.ts';
import { postgresBin } from '../harness/services.ts';
import { openFaultRig } from './fault-rig.ts';
import { runUnderNetworkFaults } from './network-fault-rig.ts';
import { durableSettings, killPostgres, waitForDatabase } from './storm.ts';

test('after 2 kills of PostgreSQL under load nothing is lost or charged twice, and the service recovers by itself', async (t) => {
  const cluster = await startCluster(postgresBin(), durableSettings);
  const rig = await openFaultRig({ clusterUrl: cluster.url });
  try {
    const service = await rig.start();
    assert.ok(service);
    await runUnderNetworkFaults(
      t,
      { rig, service },
      { disruptions: 2, customers: 10, disrupt: killPostgres(cluster) },
    );
  } finally {
    await rig.close();
    await cluster.stop();
  }
});

test('a server that acknowledges unwritten commits is detected, and each lost commit is named', async () => {
  const settings = ['synchronous_commit=off', 'wal_writer_delay=10s', 'autovacuum=off'];
  const cluster = await startCluster(postgresBin(), settings);
  const rig = await openFaultRig({ clusterUrl: cluster.url });
  try {
    assert.ok(await rig.start());
    const credentials = await rig.logIn();
    await rig.db.asOwner.query('checkpoint');
    let faults: string[] = [];
    // The server writes every 10 s. A kill right after that loses nothing, so try again.
    for (let round = 0; round < 3 && faults.length === 0; round++) {
      // Right after a kill the service still responds that the database is unavailable.
      await until(
        async () =>
          await rig.createLink(credentials).then(
            () => true,
            () => false,
          ),
        'the service to accept an order',
      );
      await cluster.crash();
      await cluster.restart();
      await waitForDatabase(rig);
      faults = await rig.findFaults();
    }
    assert.match(faults.join('\n'), /^link \S+ was acknowledged and is not stored$/m);
  } finally {
    await rig.close();
    await cluster.stop();
  }
});

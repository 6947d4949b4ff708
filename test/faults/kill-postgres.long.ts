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
  const field = await openFaultRig({ clusterUrl: cluster.url });
  try {
    const service = await field.start();
    assert.ok(service);
    await runUnderNetworkFaults(
      t,
      { field, service },
      { strikes: 2, customers: 10, strike: killPostgres(cluster) },
    );
  } finally {
    await field.close();
    await cluster.stop();
  }
});

test('a server that acknowledges unwritten commits is detected, and each lost commit is named', async () => {
  const settings = ['synchronous_commit=off', 'wal_writer_delay=10s', 'autovacuum=off'];
  const forgetful = await startCluster(postgresBin(), settings);
  const forgotten = await openFaultRig({ clusterUrl: forgetful.url });
  try {
    assert.ok(await forgotten.start());
    const credentials = await forgotten.logIn();
    await forgotten.db.asOwner.query('checkpoint');
    let faults: string[] = [];
    // The server writes every 10 s. A kill right after that loses nothing, so try again.
    for (let round = 0; round < 3 && faults.length === 0; round++) {
      // Right after a kill the service still responds that the database is unavailable.
      await until(
        async () =>
          await forgotten.createLink(credentials).then(
            () => true,
            () => false,
          ),
        'the service to accept an order',
      );
      await forgetful.crash();
      await forgetful.restart();
      await waitForDatabase(forgotten);
      faults = await forgotten.findFaults();
    }
    assert.match(faults.join('\n'), /^link \S+ was acknowledged and is not stored$/m);
  } finally {
    await forgotten.close();
    await forgetful.stop();
  }
});

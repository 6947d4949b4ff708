// PostgreSQL is killed under a running service, on a server of this test's own. The service is never
// started again: it must come back by itself, and what it has acknowledged must be on the disk.

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
    // Every 10 s the server does write; a kill right after that forgets nothing.
    for (let round = 0; round < 3 && faults.length === 0; round++) {
      // After a kill the service says for a moment that it has no database.
      await until(
        async () =>
          await forgotten.createLink(credentials).then(
            () => true,
            () => false,
          ),
        'the service to take an order',
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

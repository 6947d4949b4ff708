// A service on its own PostgreSQL that counts the pages of each statement and never analyses by itself.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startCluster } from '../../scripts/cluster.mjs';
import { listGrownTables } from '../../src/db/auto-analyze.ts';
import { logIn } from '../harness/client.ts';
import { createFromTemplate } from '../harness/database-templates.ts';
import { manualClock } from '../harness/manual-clock.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { postgresBin } from '../harness/services.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { startReceiver } from '../receiver/receiver.ts';
import { readSizes, type Size } from './restored.ts';

const settings = [
  'fsync=off',
  'full_page_writes=off',
  // With wal_level=minimal, building an index writes no WAL.
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=2GB',
  'shared_buffers=256MB',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=all',
  // Only the test analyses tables, so that cached plans are not replaced.
  'autovacuum=off',
];

export type PlanFixture = {
  paylink: Paylink;
  clock: ReturnType<typeof manualClock>;
  /** The superuser's connection. Its statements are not counted. */
  admin: pg.Client;
  /** The recorded sizes without rows. */
  emptySizes: readonly Size[];
  /** One company without and one with a webhook endpoint. */
  merchants: readonly [Merchant, Merchant];
  stop(): Promise<void>;
};

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Creates the service's role, and returns its address. */
async function makeRole(admin: pg.Client, databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  const role = `paylink_${randomBytes(4).toString('hex')}`;
  // safe: the names are ours.
  await admin.query(`create role ${role} login superuser`);
  await admin.query(`alter database ${name} owner to ${role}`);
  url.username = role;
  return url.href;
}

/** `prepare` runs on the empty database before the service connects. */
export async function openPlanFixture(prepare: (admin: pg.Client) => Promise<void>): Promise<PlanFixture> {
  const cluster = await startCluster(postgresBin(), settings);
  const { url } = await createFromTemplate(cluster.url);
  const admin = await connect(url);
  await admin.query('create extension pg_stat_statements');
  const emptySizes = await readSizes(admin);
  await prepare(admin);
  const receiver = await startReceiver();
  const clock = manualClock();
  const paylink = await startPaylink('server', {
    clock,
    settings: {
      ...loopbackSettings,
      DATABASE_URL: await makeRole(admin, url),
      // Few connections, so that each has run every statement before the tables grow.
      DATABASE_POOL_SIZE: '2',
      RATE_LIMIT_PROCESS_PER_SECOND: '100000',
      RATE_LIMIT_LOGIN_PER_MINUTE: '100000',
      RATE_LIMIT_API_PER_SECOND: '100000',
      RATE_LIMIT_REFUSALS_PER_MINUTE: '100000',
    },
    firstReconcileSeconds: 1,
    workTimings: { pollMs: 500 },
    isSearched: false,
  });
  const listening = await paylink.createMerchant();
  await createTestEndpoint(paylink, await logIn(paylink, listening), { url: receiver.at('shop') });
  return {
    paylink,
    clock,
    admin,
    emptySizes,
    merchants: [paylink.merchant, listening],
    stop: async () => {
      await paylink.stop();
      await receiver.close();
      await admin.end();
      await cluster.stop();
    },
  };
}

/** Waits until the service has updated its statistics. */
export async function untilAnalysed({ paylink }: PlanFixture): Promise<void> {
  const { db } = paylink.app.deps;
  await until(
    async () => (await listGrownTables(db.asOwner)).length === 0,
    'the statistics to be up to date',
  );
}

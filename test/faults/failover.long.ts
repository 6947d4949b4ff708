// The primary is killed and its streaming standby promoted. The service, which has both addresses or that of HAProxy,
// switches to the standby by itself, and nothing that it acknowledged is lost. The short form of failover.campaign.ts.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster } from '../../scripts/cluster.mjs';
import { type Credentials, logIn, orderOf, processPayment } from '../harness/client.ts';
import { createFromTemplate } from '../harness/database-templates.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { runSql } from '../harness/run-sql.ts';
import { postgresBin } from '../harness/services.ts';
import { type Fleet, loseUnderLoad, openFleet } from './fleet.ts';
import { leadsToPrimary } from './proxies.ts';
import { durableSettings, waitForDatabase } from './storm.ts';

/** A database URL with the hosts of several clusters. */
function onAll(databaseUrl: string, urls: readonly string[]): string {
  const url = new URL(databaseUrl);
  const hosts = urls.map((one) => new URL(one).host).join(',');
  return databaseUrl.replace(url.host, hosts).concat('?target_session_attrs=read-write');
}

/** A commit is acknowledged only when it is on both. Set after the copy, so that only the primary has the setting. */
async function requireStandby(primary: Cluster): Promise<void> {
  await runSql(primary.url, "alter system set synchronous_standby_names = '*'");
  await runSql(primary.url, 'select pg_reload_conf()');
}

/** Creates links until `stop` is called, and collects the acknowledged codes. */
function keepCreating(paylink: Paylink, credentials: Credentials) {
  const acknowledged: string[] = [];
  const invalidResponses: string[] = [];
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      const { status, headers, body } = await processPayment(paylink, credentials, orderOf());
      if (status === 200) acknowledged.push(String(body.PaymentLinkCode));
      else if (status !== 503 || !headers.has('retry-after'))
        invalidResponses.push(`${status} ${JSON.stringify(body)}`);
      else await sleep(50);
    }
  };
  const works = Array.from({ length: 4 }, work);
  const stop = async () => {
    isOver = true;
    await Promise.all(works);
  };
  return { acknowledged, invalidResponses, stop };
}

test('after the primary is killed, the service switches to the standby, was not ready meanwhile, and lost nothing', async (t) => {
  const primary = await startCluster(postgresBin(), durableSettings);
  const database = await createFromTemplate(primary.url);
  const standby = await startCluster(postgresBin(), durableSettings, primary.url);
  const standbyDatabase = database.url.replace(new URL(primary.url).host, new URL(standby.url).host);
  await requireStandby(primary);
  // The standby is listed first: only `target_session_attrs` keeps the service from using it.
  const address = onAll(database.url, [standby.url, primary.url]);
  const paylink = await startPaylink('server', { settings: { DATABASE_URL: address }, isSearched: false });
  try {
    const isReady = async () => (await fetch(`${paylink.baseUrl}/readyz`)).status;
    assert.equal(await isReady(), 200);
    const creating = keepCreating(paylink, await logIn(paylink));
    await until(async () => creating.acknowledged.length > 50, 'links to be made');
    await primary.crash();
    await until(async () => (await isReady()) === 503, 'it to be unready');
    const before = creating.acknowledged.length;
    await runSql(standby.url, 'select pg_promote()');
    const promotedAt = performance.now();
    await until(async () => creating.acknowledged.length > before + 50, 'links to be made again');
    t.diagnostic(`creates again ${Math.round(performance.now() - promotedAt)} ms after the promotion`);
    assert.equal(await isReady(), 200);
    await creating.stop();
    assert.deepEqual(creating.invalidResponses, []);
    const stored = new Set(
      (await runSql(standbyDatabase, 'select code from payments')).map(({ code }) => code),
    );
    assert.deepEqual(
      creating.acknowledged.filter((code) => !stored.has(code)),
      [],
    );
    // The service probes the database once a second, and reports the end of the outage after the first success.
    await until(
      async () => paylink.log().includes('"the database is back'),
      'the end of the outage in the log',
    );
    const reported = paylink.log().match(/"the database is (unavailable|back)/g) ?? [];
    assert.deepEqual(reported, ['"the database is unavailable', '"the database is back']);
  } finally {
    await paylink.stop();
    await standby.stop();
    await primary.stop();
  }
});

/** Answers `GET /primary` for a cluster as Patroni does: 200 only while it is the primary. */
async function answerChecks({ url }: Cluster): Promise<{ port: number; close(): void }> {
  const isPrimary = async () => {
    const [row] = await runSql(`${url}?connect_timeout=1`, 'select pg_is_in_recovery() as "isStandby"');
    return row?.isStandby === false;
  };
  const server = createServer(async (_, response) => {
    const found = await isPrimary().catch(() => false);
    response.writeHead(found ? 200 : 503).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close().closeAllConnections() };
}

type Replicated = { fleet: Fleet; primary: Cluster; standby: Cluster; close(): Promise<void> };

/** A fleet on a primary with a streaming standby. */
async function openReplicated(): Promise<Replicated> {
  const primary = await startCluster(postgresBin(), durableSettings);
  const standby = await startCluster(postgresBin(), durableSettings, primary.url);
  const checks = [await answerChecks(primary), await answerChecks(standby)] as const;
  const memberOf = (cluster: Cluster, { port: checkPort }: { port: number }) => ({
    port: Number(new URL(cluster.url).port),
    checkPort,
  });
  const close = async () => {
    for (const check of checks) check.close();
    await standby.stop();
    await primary.stop();
  };
  try {
    const fleet = await openFleet([memberOf(primary, checks[0]), memberOf(standby, checks[1])]);
    const closeAll = async () => await fleet.close().finally(close);
    return { fleet, primary, standby, close: closeAll };
  } catch (error) {
    await close();
    throw error;
  }
}

test('two processes behind HAProxy, and behind them HAProxy with a primary and its standby: the primary is killed under load, the standby promoted, writes resume, and callers see nothing but 503 with Retry-After', async (t) => {
  const { fleet, primary, standby, close } = await openReplicated();
  try {
    await requireStandby(primary);
    const lose = async () => {
      const lostAt = performance.now();
      await primary.crash();
      await sleep(3_000);
      const promotedAt = performance.now();
      await runSql(standby.url, 'select pg_promote()');
      return { lostAt, promotedAt };
    };
    // On an idle machine less than 5 s, which the campaign asserts.
    await loseUnderLoad(t, fleet, { lose, losses: 1, customers: 8, resumeLimitMs: 30_000 });
  } finally {
    await close();
  }
});

test('planted: a standby that is promoted without what the primary acknowledged is detected, and each lost link is named', async () => {
  const { fleet, primary, standby, close } = await openReplicated();
  const { rig } = fleet;
  try {
    const credentials = await rig.logIn();
    await rig.payWell(await rig.createLink(credentials));
    // The primary does not wait for its standby, which receives nothing more.
    await runSql(standby.url, "alter system set primary_conninfo = ''");
    await runSql(standby.url, 'select pg_reload_conf()');
    await until(
      async () => (await runSql(standby.url, 'select from pg_stat_wal_receiver')).length === 0,
      'the standby to receive nothing',
    );
    const lost = await rig.createLink(credentials);
    await primary.crash();
    await runSql(standby.url, 'select pg_promote()');
    await until(() => leadsToPrimary(fleet.databaseUrl), 'HAProxy to lead to the standby');
    await waitForDatabase(rig);
    const faults = await rig.findFaults();
    assert.ok(faults.includes(`link ${lost.code} was acknowledged and is not stored`), faults.join('\n'));
  } finally {
    await close();
  }
});

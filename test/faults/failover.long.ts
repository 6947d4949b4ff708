// The primary is killed and its streaming standby promoted. The service, which has both addresses, switches to the
// standby by itself, and nothing that it acknowledged is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startCluster } from '../../scripts/cluster.mjs';
import { type Credentials, logIn, orderOf, processPayment } from '../harness/client.ts';
import { createFromTemplate } from '../harness/database-templates.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { postgresBin } from '../harness/services.ts';
import { durableSettings } from './storm.ts';

async function run(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** A database URL with the hosts of several clusters. */
function onAll(databaseUrl: string, urls: readonly string[]): string {
  const url = new URL(databaseUrl);
  const hosts = urls.map((one) => new URL(one).host).join(',');
  return databaseUrl.replace(url.host, hosts).concat('?target_session_attrs=read-write');
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
  // A commit is acknowledged only when it is on both. Set after the standby was copied, so that only the primary has it.
  await run(primary.url, `alter system set synchronous_standby_names = '*'`);
  await run(primary.url, 'select pg_reload_conf()');
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
    await run(standby.url, 'select pg_promote()');
    const promotedAt = performance.now();
    await until(async () => creating.acknowledged.length > before + 50, 'links to be made again');
    t.diagnostic(`creates again ${Math.round(performance.now() - promotedAt)} ms after the promotion`);
    assert.equal(await isReady(), 200);
    await creating.stop();
    assert.deepEqual(creating.invalidResponses, []);
    const stored = new Set((await run(standbyDatabase, 'select code from payments')).map(({ code }) => code));
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

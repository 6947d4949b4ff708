// The database is away, so no process is ready. Behind each proxy of deploy/proxies, callers still get 503 with
// Retry-After, and customers the page of Paylink.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, startCluster } from '../../scripts/cluster.mjs';
import { proxyNames, type RunningProxy, startProxy } from '../faults/proxies.ts';
import { type Credentials, createLinkAs, credentialHeaders, logIn, orderOf } from '../harness/client.ts';
import { createFromTemplate } from '../harness/database-templates.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { postgresBin } from '../harness/services.ts';
import { ask } from './encrypted.ts';

let cluster: Cluster;
let paylink: Paylink;
let credentials: Credentials;
let code = '';

before(async () => {
  cluster = await startCluster(postgresBin());
  const { url } = await createFromTemplate(cluster.url);
  paylink = await startPaylink('server', {
    settings: { DATABASE_URL: url, TRUSTED_PROXIES: 'loopback' },
    isSearched: false,
  });
  credentials = await logIn(paylink);
  code = (await createLinkAs(paylink, credentials)).code;
});
after(async () => {
  await paylink.stop();
  await cluster.stop();
});

/** A merchant's call and a customer's visit. */
async function askBoth(url: string) {
  const headers = { 'content-type': 'application/json', ...credentialHeaders(credentials) };
  const body = JSON.stringify(orderOf());
  const called = await ask(`${url}/v1/payment/process`, null, { method: 'POST', headers, body });
  return { called, visited: await ask(`${url}/pay/${code}`, null) };
}

describe('while the database is away', () => {
  for (const name of proxyNames)
    test(`callers behind ${name} get 503 with Retry-After and customers a page, and their answers again right after`, async () => {
      const port = Number(new URL(paylink.baseUrl).port);
      const proxy: RunningProxy = await startProxy(name, [port, port]);
      let isAway = false;
      try {
        await cluster.crash();
        isAway = true;
        // Longer than the proxies take to notice that no process is ready.
        for (const end = performance.now() + 6_000; performance.now() < end; await sleep(200)) {
          const { called, visited } = await askBoth(proxy.url);
          assert.match(visited.text, /<html/);
          for (const { status, headers, text } of [called, visited]) {
            assert.deepEqual([status, Boolean(headers['retry-after'])], [503, true], text);
            // Caddy answers calls with a body itself.
            assert.match(text, /responseMessage|<html|^Temporarily unavailable\. Try again in a minute\.$/);
          }
        }
        await cluster.restart();
        isAway = false;
        const restartedAt = performance.now();
        await until(async () => {
          const { called, visited } = await askBoth(proxy.url);
          return called.status === 200 && visited.status === 200;
        }, 'the first answers');
        // A few seconds on an idle machine.
        assert.ok(performance.now() - restartedAt < 40_000);
      } finally {
        // The next proxy needs the database, too.
        if (isAway) await cluster.restart();
        await proxy.stop();
      }
    });
});

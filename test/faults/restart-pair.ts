// Two processes behind a proxy, restarted in turn under load. No request may fail; as a counter-check, kills must make
// requests fail. The campaign and its short form share this file.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { logIn } from '../harness/client.ts';
import { freePort, password } from '../harness/paylink.ts';
import { createProcessGroup, endOf, type ServiceProcess, until } from '../harness/process.ts';
import { createDatabase } from '../harness/services.ts';
import { type ProxyName, proxyNames, type RunningProxy, startProxy } from './proxies.ts';
import { startTraffic, type Traffic } from './traffic.ts';

const stage = createProcessGroup();
after(() => stage.clear());

const email = 'owner@example.com';

type ProxiedServices = {
  proxy: RunningProxy;
  traffic: Traffic;
  databaseUrl: string;
  running(index: 0 | 1): ServiceProcess;
  /** Starts one of the two again on its port, and waits until the proxy has noticed it, and sends it requests. */
  start(index: 0 | 1): Promise<void>;
  close(): Promise<void>;
};

/** Opens two processes on one database, a proxy in front of them, and traffic through it. */
async function openPair(name: ProxyName): Promise<ProxiedServices> {
  const database = await createDatabase();
  const ports = [await freePort(), await freePort()] as const;
  const settings = {
    DATABASE_URL: database.url,
    PAYLINK_MASTER_KEY: randomBytes(32).toString('base64'),
    BASE_URL: 'http://pay.example',
    BOOTSTRAP_EMAIL: email,
    BOOTSTRAP_PASSWORD: password,
    TRUSTED_PROXIES: 'loopback',
    DRAIN_SECONDS: '5',
    LOG_LEVEL: 'info',
    RATE_LIMIT_PROCESS_PER_SECOND: '0',
    RATE_LIMIT_API_PER_SECOND: '0',
  };
  const startOne = async (index: 0 | 1) => {
    const own = { ...settings, PORT: String(ports[index]) };
    const run = await stage.start({ through: 'server', settings: own });
    await run.ready();
    assert.equal((await fetch(`${run.url}/readyz`)).status, 200);
    return run;
  };
  const runs: [ServiceProcess, ServiceProcess] = [await startOne(0), await startOne(1)];
  const proxy = await startProxy(name, ports);
  const merchant = { email, companyId: '', accountId: '' };
  const traffic = await startTraffic(proxy.url, await logIn({ baseUrl: proxy.url, merchant }));
  return {
    ...{ proxy, traffic, databaseUrl: database.url },
    running: (index) => runs[index],
    start: async (index) => {
      const run = await startOne(index);
      runs[index] = run;
      // Probes are not logged.
      await until(() => run.stdout().includes('"msg":"answered"'), `a request behind ${name}`);
    },
    close: async () => {
      await traffic.stop();
      await proxy.stop();
      for (const run of runs) run.kill('SIGKILL');
      for (const run of runs) await run.ended;
      await database.drop();
    },
  };
}

/** Requests /readyz through the proxy until a process has ended, as docs/operations.md requires for nginx. */
async function askUntilEnded(url: string, run: ServiceProcess): Promise<void> {
  while (!run.hasEnded()) {
    const { status } = await fetch(`${url}/readyz`);
    assert.equal(status, 200, 'the other process is ready, and nginx sends requests to it');
    await sleep(200);
  }
}

async function restart(name: ProxyName, pair: ProxiedServices, index: 0 | 1): Promise<void> {
  const run = pair.running(index);
  run.kill('SIGTERM');
  if (name === 'nginx') await askUntilEnded(pair.proxy.url, run);
  assert.deepEqual(await endOf(run), { code: 0, signal: null });
  await pair.start(index);
}

async function countPayments(databaseUrl: string, orders: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const text = 'select count(*)::int as count from payments where customer_order_id = any($1)';
    const { rows } = await client.query<{ count: number }>(text, [orders]);
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

export type RestartPlan = {
  restarts: number;
  leastRequests: number;
  /** The proxies behind which processes are also killed. */
  kills: readonly ProxyName[];
};

function testRestarts(name: ProxyName, { restarts, leastRequests }: Omit<RestartPlan, 'kills'>): void {
  test(`${restarts} restarts in turn behind ${name} fail none of ${leastRequests} requests`, async (t) => {
    const pair = await openPair(name);
    const { traffic } = pair;
    try {
      for (let count = 0; count < restarts; count++) await restart(name, pair, (count % 2) as 0 | 1);
      await until(() => traffic.sent() >= leastRequests, 'the last requests', 600_000);
      await traffic.stop();
      const [sent, orders] = [traffic.sent(), traffic.orders()];
      t.diagnostic(`${sent} requests, ${orders.length} orders, ${traffic.failures().length} failures`);
      assert.deepEqual(traffic.failures(), []);
      assert.equal(await countPayments(pair.databaseUrl, orders), orders.length);
    } finally {
      await pair.close();
    }
  });
}

function testKills(name: ProxyName): void {
  test(`planted: processes behind ${name} that are killed without a drain fail requests`, async (t) => {
    const pair = await openPair(name);
    const { traffic } = pair;
    let kills = 0;
    try {
      while (traffic.failures().length === 0 && kills < 20) {
        const index = (kills % 2) as 0 | 1;
        await sleep(1_000);
        pair.running(index).kill('SIGKILL');
        kills += 1;
        await pair.running(index).ended;
        await pair.start(index);
      }
      t.diagnostic(`${kills} kills, ${traffic.failures().length} failures of ${traffic.sent()}`);
      assert.ok(traffic.failures().length > 0, 'no failure was noticed');
    } finally {
      await pair.close();
    }
  });
}

/** Declares the tests of all proxies. They run one after the other: on two cores, two pairs under load would time out. */
export function testProxiedRestarts(plan: RestartPlan): void {
  describe('two processes behind a proxy', () => {
    for (const name of proxyNames) {
      describe(name, () => {
        testRestarts(name, plan);
        if (plan.kills.includes(name)) testKills(name);
      });
    }
  });
}

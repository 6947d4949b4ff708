// Two processes of the service behind PgBouncer, which has fewer sessions than they have connections. Under load one of
// them is killed and restarted, so that the other gets its sessions. The campaign and its short form share this file.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credentials, credentialHeaders } from '../harness/client.ts';
import { freePort } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { type FaultRig, openFaultRig } from './fault-rig.ts';
import {
  keepsStatements,
  openBalancer,
  type Pooler,
  type PoolMode,
  poolerVersion,
  startPooler,
} from './pooler.ts';
import type { Running } from './processes.ts';
import { awaitWorkInFlight, countCharges, type Disruption, runStorm } from './storm.ts';

type PoolerScenario = {
  what: string;
  mode: PoolMode;
  /** The pooler's sessions on the server. In session mode each connection needs one. */
  poolSize: number;
  /** How many prepared statements the pooler keeps; 0 turns the support off. */
  preparedStatements: number;
  settings: Record<string, string>;
};

const unnamed = { DATABASE_PREPARED_STATEMENTS: 'off' };
const poolerScenarios: PoolerScenario[] = [
  {
    what: 'session mode, with prepared statements',
    mode: 'session',
    poolSize: 30,
    preparedStatements: 0,
    settings: {},
  },
  {
    what: 'transaction mode, without prepared statements',
    mode: 'transaction',
    poolSize: 6,
    preparedStatements: 0,
    settings: unnamed,
  },
];
if (keepsStatements())
  poolerScenarios.push({
    what: 'transaction mode, with prepared statements',
    mode: 'transaction',
    poolSize: 6,
    preparedStatements: 200,
    settings: {},
  });

type Pooled = { rig: FaultRig; pooler: Pooler; restart: Disruption; close(): Promise<void> };

/** A rig with two processes behind a pooler, and a load balancer in front of them. */
async function openPooled(scenario: PoolerScenario): Promise<Pooled> {
  const poolers: Pooler[] = [];
  const ports = [await freePort(), await freePort()] as const;
  const rig = await openFaultRig({
    settings: scenario.settings,
    reroute: async (to, port) => {
      if (to !== 'database') return port;
      const pooler = await startPooler({ ...scenario, databasePort: port });
      poolers.push(pooler);
      return pooler.port;
    },
  });
  const [pooler] = poolers;
  assert.ok(pooler);
  const balancer = await openBalancer(Number(new URL(rig.baseUrl).port), ports);
  const close = async () => {
    balancer.close();
    await rig.close();
    await pooler.close();
  };
  const start = async (place: 0 | 1) =>
    place === 0
      ? await rig.start({ settings: { PORT: String(ports[0]) } })
      : await rig.startBeside({ PORT: String(ports[1]) });
  const running: (Running | null)[] = [await start(0), await start(1)];
  let turn: 0 | 1 = 0;
  const restart: Disruption = async (_, random) => {
    await sleep(3_000);
    const interrupted = await awaitWorkInFlight(rig, random);
    turn = turn === 0 ? 1 : 0;
    await running[turn]?.kill();
    running[turn] = await start(turn);
    return interrupted;
  };
  if (running.every(Boolean)) return { rig, pooler, restart, close };
  await close();
  throw new Error(`the service did not start behind its pooler: ${pooler.log()}`);
}

/**
 * Lists payments repeatedly. `awaitLists` waits until the given number of lists were read, however slow the machine is.
 * `end` stops it, and returns the counts and the invalid responses.
 */
function keepListing(rig: FaultRig, credentials: Credentials) {
  const counted = { lists: 0, busy: 0, faults: [] as string[] };
  let isOver = false;
  const listing = (async () => {
    while (!isOver) {
      const answer = await fetch(`${rig.baseUrl}/v1/payments?limit=20`, {
        headers: credentialHeaders(credentials),
      }).catch(() => null);
      // Without a response, the process was killed during the request.
      if (answer?.status === 200) counted.lists += 1;
      else if (answer?.status === 503 && answer.headers.has('retry-after')) counted.busy += 1;
      else if (answer) counted.faults.push(`a list answered ${answer.status}`);
      await answer?.arrayBuffer().catch(() => null);
      await sleep(20);
    }
  })();
  return {
    awaitLists: async (count: number) => {
      const wanted = counted.lists + count;
      for (const end = performance.now() + 60_000; counted.lists < wanted; await sleep(20))
        assert.ok(
          performance.now() < end,
          `${count} lists were not read in 60 s: ${JSON.stringify(counted)}`,
        );
    },
    end: async () => {
      isOver = true;
      await listing;
      return counted;
    },
  };
}

/** Waits until so many more charges were made, however slow the machine is. */
async function awaitCharges(rig: FaultRig, count: number): Promise<void> {
  const wanted = countCharges(rig) + count;
  await until(async () => {
    await sleep(200);
    return countCharges(rig) >= wanted;
  }, `${count} charges`);
}

async function runAndCheck(
  t: TestContext,
  { rig, pooler, restart }: Pooled,
  disruptions: number,
): Promise<void> {
  const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
  const listing = keepListing(rig, await rig.logIn());
  const disrupt: Disruption = async (...round) => {
    await listing.awaitLists(20);
    await awaitCharges(rig, 20);
    return await restart(...round);
  };
  const report = await runStorm(rig, { disruptions, customers: 16, seed, disrupt });
  const { lists, busy, faults } = await listing.end();
  const found = [...rig.invalidResponses, ...faults, ...(await rig.findFaults())];
  const messages = rig.received().length;
  t.diagnostic(
    JSON.stringify({ version: poolerVersion().join('.'), ...report, lists, busy, messages, found }),
  );
  assert.deepEqual(found, [], `seed ${seed}\n${pooler.log().slice(-2_000)}`);
  assert.ok(
    report.charges > 50 && report.interrupted > 0,
    'payments were in progress when a process was killed',
  );
  assert.ok(messages > 50, `webhooks were delivered meanwhile: ${messages}`);
  const link = await rig.createLink(await rig.logIn());
  assert.equal(await rig.payWell(link), 'paid');
}

/** Declares one test for each mode. */
export function testPoolers({ disruptions }: { disruptions: number }): void {
  for (const scenario of poolerScenarios)
    test(`PgBouncer in ${scenario.what}: two processes under load lose nothing and do nothing twice`, async (t) => {
      const pooled = await openPooled(scenario);
      try {
        await runAndCheck(t, pooled, disruptions);
      } finally {
        await pooled.close();
      }
    });
}

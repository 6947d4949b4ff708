// An installation as operators have it: HAProxy, two processes, PgBouncer, PostgreSQL. It starts with the last release and
// can be upgraded and restarted, one process after the other.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '../../scripts/cluster.mjs';
import { startPooler } from '../faults/pooler.ts';
import { startProxy } from '../faults/proxies.ts';
import { durableSettings } from '../faults/storm.ts';
import { createHome } from '../harness/cli.ts';
import { freePort, password } from '../harness/paylink.ts';
import { createProcessGroup, endOf, root, type ServiceProcess } from '../harness/process.ts';
import { installRelease, lastRelease } from '../harness/releases.ts';
import { createDatabase, postgresBin } from '../harness/services.ts';

export type Site = {
  baseUrl: string;
  email: string;
  password: string;
  /** The superuser's address of the database, without the pooler. */
  databaseUrl: string;
  pids(): number[];
  /** What the present processes logged: warnings and errors. */
  log(): string;
  /** Migrates the database, and replaces both processes of the last release by this code, one after the other. */
  upgrade(): Promise<void>;
  /** Restarts one process after the other. */
  restart(): Promise<void>;
  /** Stops the processes and the pooler, but not the database. */
  stopProcesses(): Promise<void>;
  close(): Promise<void>;
};

type Place = 0 | 1;
type Version = 'old' | 'new';

const email = 'owner@example.com';
/** How long HAProxy takes to notice a process: two checks. */
const noticeMs = 3_500;

function settingsOf(at: { baseUrl: string; directUrl: string; pooledUrl: string }, version: Version) {
  const shared = {
    BASE_URL: at.baseUrl,
    PAYLINK_MASTER_KEY: masterKey,
    BOOTSTRAP_EMAIL: email,
    BOOTSTRAP_PASSWORD: password,
    TRUSTED_PROXIES: 'loopback',
    RATE_LIMIT_PROCESS_PER_SECOND: '0',
    RATE_LIMIT_API_PER_SECOND: '0',
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    RATE_LIMIT_REFUSALS_PER_MINUTE: '0',
    MAX_CONNECTIONS_PER_CLIENT: '0',
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    LOG_LEVEL: 'warn',
  };
  // The last release neither waits before it stops nor works behind a pooler in transaction mode.
  if (version === 'old') return { ...shared, DATABASE_URL: at.directUrl };
  const pooled = { DATABASE_URL: at.pooledUrl, DATABASE_DIRECT_URL: at.directUrl };
  return { ...shared, ...pooled, DATABASE_PREPARED_STATEMENTS: 'off', DRAIN_SECONDS: '5' };
}

const masterKey = randomBytes(32).toString('base64');

async function migrate(settings: Record<string, string>): Promise<void> {
  const home = await createHome(join(root, 'src', 'cli', 'main.ts'));
  try {
    const { code, out, err } = await home.run({ ...settings, DATA_DIR: home.folder }, 'admin', 'migrate');
    assert.equal(code, 0, out + err);
  } finally {
    await home.remove();
  }
}

/** The last release in a folder of its own. */
async function installLastRelease(): Promise<{ code: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-release-'));
  const code = join(folder, 'release');
  await installRelease(lastRelease(), code);
  return { code, remove: async () => await rm(folder, { recursive: true, force: true }) };
}

/** Opens the site with two processes of the last release. */
export async function openSite(): Promise<Site> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    return { ...(await buildSite(closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function buildSite(closing: (() => Promise<unknown>)[]): Promise<Omit<Site, 'close'>> {
  const release = await installLastRelease();
  closing.push(release.remove);
  const cluster = await startCluster(postgresBin(), durableSettings);
  closing.push(cluster.stop);
  const { url: directUrl } = await createDatabase({ clusterUrl: cluster.url });
  const databasePort = Number(new URL(directUrl).port);
  const pooler = await startPooler({ databasePort, mode: 'transaction', poolSize: 20 });
  closing.push(pooler.close);
  const pooledUrl = directUrl.replace(`:${databasePort}/`, `:${pooler.port}/`);
  const port = await freePort();
  const at = { baseUrl: `http://127.0.0.1:${port}`, directUrl, pooledUrl };
  const ports = [await freePort(), await freePort()] as const;
  const stage = createProcessGroup();
  closing.push(stage.clear);
  const start = async (place: Place, version: Version): Promise<ServiceProcess> => {
    const code = version === 'old' ? release.code : root;
    const settings = { ...settingsOf(at, version), PORT: String(ports[place]) };
    const run = await stage.start({ through: 'server', code, settings });
    await run.ready();
    return run;
  };
  const runs: [ServiceProcess, ServiceProcess] = [await start(0, 'old'), await start(1, 'old')];
  const proxy = await startProxy('haproxy', ports, { port });
  closing.push(proxy.stop);
  const stopOne = async (place: Place) => {
    runs[place].kill('SIGTERM');
    assert.deepEqual(await endOf(runs[place]), { code: 0, signal: null });
  };
  return {
    ...{ baseUrl: at.baseUrl, email, password, databaseUrl: directUrl },
    pids: () => runs.map(({ pid }) => pid),
    log: () => runs.map((run) => run.stdout().slice(-3_000)).join('\n'),
    upgrade: async () => {
      await migrate(settingsOf(at, 'new'));
      for (const place of [0, 1] as const) {
        const server = `paylink/${['one', 'two'][place]}`;
        await proxy.command(`set server ${server} state drain`);
        await sleep(noticeMs);
        await stopOne(place);
        runs[place] = await start(place, 'new');
        await proxy.command(`set server ${server} state ready`);
        await sleep(noticeMs);
      }
    },
    restart: async () => {
      for (const place of [0, 1] as const) {
        await stopOne(place);
        runs[place] = await start(place, 'new');
        await sleep(noticeMs);
      }
    },
    stopProcesses: async () => {
      for (const place of [0, 1] as const) await stopOne(place);
      await pooler.close();
    },
  };
}

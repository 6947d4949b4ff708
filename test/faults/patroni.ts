// Two PostgreSQL servers under Patroni, with one etcd, in a temporary folder. Patroni itself finds the loss of the primary
// and promotes the standby.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unprivileged } from '../../scripts/cluster.mjs';
import { freePort } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { etcdPath, patroniPath, postgresBin } from '../harness/services.ts';
import type { DatabaseMember } from './proxies.ts';

export type PatroniMember = DatabaseMember & { name: string };

export type PatroniCluster = {
  members: readonly [PatroniMember, PatroniMember];
  /** The primary by Patroni's API, and the other one. */
  roles(): Promise<{ primary: PatroniMember; standby: PatroniMember }>;
  /** Kills a member's Patroni and PostgreSQL, as if its machine were lost. */
  lose(member: PatroniMember): Promise<void>;
  /** Starts a lost member again, and waits until it is a synchronous standby. */
  returnMember(member: PatroniMember): Promise<void>;
  close(): Promise<void>;
};

/** The shortest that Patroni accepts, so that it promotes after about 20 s. */
const dcs = {
  ...{ ttl: 20, loop_wait: 2, retry_timeout: 3 },
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', max_connections: 200 },
  },
};

/** JSON is YAML, too. */
function settingsOf(member: PatroniMember, at: { folder: string; etcdPort: number }): string {
  const address = `127.0.0.1:${member.port}`;
  const check = `127.0.0.1:${member.checkPort}`;
  return JSON.stringify({
    ...{ scope: 'paylink', name: member.name },
    restapi: { listen: check, connect_address: check },
    etcd3: { host: `127.0.0.1:${at.etcdPort}` },
    bootstrap: { dcs, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }] },
    postgresql: {
      ...{ listen: address, connect_address: address, bin_dir: postgresBin() },
      data_dir: join(at.folder, member.name),
      pgpass: join(at.folder, `${member.name}.pgpass`),
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      authentication: Object.fromEntries(
        ['superuser', 'replication', 'rewind'].map((use) => [
          use,
          { username: 'postgres', password: 'unused' },
        ]),
      ),
      parameters: { unix_socket_directories: at.folder },
    },
  });
}

type Daemon = { log(): string; kill(signal: NodeJS.Signals): Promise<void> };

function startDaemon(file: string, args: string[], folder: string): Daemon {
  const child = spawn(file, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C.UTF-8', PYTHONWARNINGS: 'ignore' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...unprivileged(),
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-20_000);
    });
  const ended = once(child, 'exit');
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  return {
    log: () => log,
    kill: async (signal) => {
      process.off('exit', end);
      child.kill(signal);
      await ended;
    },
  };
}

/** Kills the PostgreSQL of a data folder, if it runs. */
function killPostgres(dataFolder: string): void {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return;
  try {
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
  } catch {
    // It has ended, and left its file.
  }
}

/** Whether `GET path` of a member's API answers 200. */
export async function answers({ checkPort }: DatabaseMember, path: string): Promise<boolean> {
  const limit = { signal: AbortSignal.timeout(2_000) };
  return await fetch(`http://127.0.0.1:${checkPort}${path}`, limit).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** A folder that the account of PostgreSQL may write to. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp('/tmp/paylink-patroni-');
  await chmod(folder, 0o700);
  const account = unprivileged();
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

async function startEtcd(folder: string): Promise<Daemon & { port: number }> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = [
    ...[
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
    ],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`, '--unsafe-no-fsync'],
  ];
  const daemon = startDaemon(etcdPath(), args, folder);
  await until(
    async () =>
      await fetch(`${client}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'etcd to answer',
  );
  return { ...daemon, port };
}

/** Starts etcd and two members, and waits until one is the primary and the other its synchronous standby. */
export async function startPatroni(): Promise<PatroniCluster> {
  const folder = await makeFolder();
  const etcd = await startEtcd(folder);
  const memberOf = async (name: string) => ({ name, port: await freePort(), checkPort: await freePort() });
  const members = [await memberOf('db1'), await memberOf('db2')] as const;
  const running = new Map<string, Daemon>();
  const start = async (member: PatroniMember) => {
    const file = join(folder, `${member.name}.yml`);
    await writeFile(file, settingsOf(member, { folder, etcdPort: etcd.port }), { mode: 0o644 });
    running.set(member.name, startDaemon(patroniPath(), [file], folder));
  };
  const lose = async ({ name }: PatroniMember) => {
    await running.get(name)?.kill('SIGKILL');
    running.delete(name);
    killPostgres(join(folder, name));
  };
  const close = async () => {
    for (const member of members) await lose(member);
    await etcd.kill('SIGTERM');
    // PostgreSQL's processes end when they notice that the first is gone.
    await sleep(1_000);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const awaitRole = async (member: PatroniMember, role: string) => {
    const log = () => running.get(member.name)?.log().slice(-3_000);
    await until(async () => await answers(member, role), `${member.name} to be ${role}`).catch(
      (error: Error) => assert.fail(`${error.message}: ${log()}`),
    );
  };
  const returnMember = async (member: PatroniMember) => {
    await start(member);
    await awaitRole(member, '/synchronous');
  };
  try {
    await start(members[0]);
    await awaitRole(members[0], '/primary');
    await returnMember(members[1]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    members,
    roles: async () => {
      const [first, second] = members;
      return (await answers(first, '/primary'))
        ? { primary: first, standby: second }
        : { primary: second, standby: first };
    },
    ...{ lose, returnMember, close },
  };
}

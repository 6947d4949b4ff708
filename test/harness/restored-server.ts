// A PostgreSQL server on a data folder that a test has restored. Must not: change the folder before it starts.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unprivileged } from '../../scripts/cluster.mjs';
import { freePort } from './paylink.ts';
import { runSql } from './run-sql.ts';
import { postgresBin } from './services.ts';

const limitMs = 60_000;

export type RestoredServer = { url: string; stop(): Promise<void> };

/** Starts it on a free port. Resolves when its recovery is complete. */
export async function startRestoredServer(dataFolder: string): Promise<RestoredServer> {
  const account = unprivileged();
  if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, dataFolder]);
  chmodSync(dataFolder, 0o700);
  const port = await freePort();
  // Recovery refuses fewer connections than the server had, which got them on its command line.
  const own = ['max_connections=200', 'archive_mode=off'];
  const options = ['listen_addresses=127.0.0.1', `unix_socket_directories=${dataFolder}`, ...own];
  const args = ['-D', dataFolder, '-p', String(port), ...options.flatMap((option) => ['-c', option])];
  const child = spawn(join(postgresBin(), 'postgres'), args, {
    cwd: dataFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const stop = async () => await stopServer(child);
  try {
    await untilRecovered(url, child);
    return { url, stop };
  } catch (error) {
    await stop();
    throw new Error(`the restored server did not start:\n${log}`, { cause: error });
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}

async function untilRecovered(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = performance.now() + limitMs; ; await sleep(100)) {
    const rows = await runSql(url, 'select pg_is_in_recovery() as recovering').catch((error: unknown) => {
      if (child.exitCode !== null || performance.now() > deadline) throw error;
      return [];
    });
    if (rows[0]?.recovering === false) return;
    if (performance.now() > deadline) throw new Error('its recovery did not end');
  }
}

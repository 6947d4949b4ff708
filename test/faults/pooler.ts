// Starts PgBouncer in front of PostgreSQL, and a load balancer in front of several processes of the service. Each test
// has its own pooler.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../harness/paylink.ts';
import { pgbouncerPath } from '../harness/services.ts';

export type PoolMode = 'session' | 'transaction';

export type Pooler = { port: number; log(): string; close(): Promise<void> };

const startLimitMs = 10_000;

/** The version of PgBouncer, as [major, minor]. */
export function poolerVersion(): [number, number] {
  const text = execFileSync(pgbouncerPath(), ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major), Number(minor)];
}

/** Whether PgBouncer supports prepared statements (1.21 or newer). */
export function keepsStatements(): boolean {
  const [major, minor] = poolerVersion();
  return major > 1 || minor >= 21;
}

function configure(options: {
  port: number;
  databasePort: number;
  mode: PoolMode;
  poolSize: number;
  preparedStatements: number;
}): string {
  const { port, databasePort, mode, poolSize, preparedStatements } = options;
  return [
    '[databases]',
    `* = host=127.0.0.1 port=${databasePort} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    // All clients connect as the user above; the test cluster trusts local connections.
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    ...(keepsStatements() ? [`max_prepared_statements = ${preparedStatements}`] : []),
    '',
  ].join('\n');
}

async function untilListens(port: number, hasEnded: () => boolean, log: () => string): Promise<void> {
  for (const deadline = performance.now() + startLimitMs; ; await sleep(25)) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    assert.ok(!hasEnded() && performance.now() < deadline, `PgBouncer did not start: ${log()}`);
  }
}

/** Starts a pooler in front of the server at `databasePort`. */
export async function startPooler(options: {
  databasePort: number;
  mode: PoolMode;
  poolSize: number;
  preparedStatements?: number;
}): Promise<Pooler> {
  const port = await freePort();
  // PgBouncer drops root's rights, and must still be able to read its folder.
  const folder = await mkdtemp('/tmp/paylink-pooler-');
  await chmod(folder, 0o755);
  const file = `${folder}/pgbouncer.ini`;
  await writeFile(file, configure({ preparedStatements: 0, ...options, port }), { mode: 0o644 });
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(pgbouncerPath(), [...account, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  let hasEnded = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-20_000);
  });
  const ended = once(child, 'exit').finally(() => {
    hasEnded = true;
  });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const close = async () => {
    process.off('exit', end);
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(5_000, undefined, { ref: false })]);
    end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilListens(
      port,
      () => hasEnded,
      () => log,
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { port, log: () => log, close };
}

/** Forwards each new connection to the next of `targets` that accepts it. */
export async function openBalancer(port: number, targets: readonly number[]): Promise<{ close(): void }> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  let turn = 0;
  const server = createServer((client) => {
    keep(client);
    const first = turn++;
    const tryNext = (tried: number) => {
      const target = targets[(first + tried) % targets.length];
      if (tried === targets.length || target === undefined) return void client.destroy();
      const upstream = connect(target, '127.0.0.1');
      const isRefused = () => tryNext(tried + 1);
      upstream.once('error', isRefused).once('connect', () => {
        upstream.off('error', isRefused);
        keep(upstream).once('close', () => client.destroy());
        client.once('close', () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      });
    };
    tryNext(0);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

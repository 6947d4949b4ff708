// A proxy in front of two processes or two databases, with the example file from deploy/proxies; only addresses and
// certificates are replaced. It listens only on the loopback interface.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, type TlsFiles } from '../deploy/encrypted.ts';
import { freePort } from '../harness/paylink.ts';
import { root, until } from '../harness/process.ts';
import { runSql } from '../harness/run-sql.ts';
import { proxyPath } from '../harness/services.ts';

export const proxyNames = ['caddy', 'haproxy', 'nginx'] as const;
export type ProxyName = (typeof proxyNames)[number];

export type RunningProxy = {
  url: string;
  /** The address without TLS, which redirects; Caddy's is on the port 80, so tests have none. */
  plainUrl: string;
  /** Sends HAProxy a command on its control socket. */
  command(text: string): Promise<void>;
  stop(): Promise<void>;
};

type Place = {
  port: number;
  plainPort: number;
  processes: readonly [number, number];
  folder: string;
  tls: TlsFiles | null;
};

/** The text of an example with replacements, each of which must be needed. */
function adapt(file: string, replacements: readonly (readonly [shown: string, own: string])[]): string {
  let text = readFileSync(join(root, 'deploy', 'proxies', file), 'utf8');
  for (const [shown, own] of replacements) {
    assert.ok(text.includes(shown), `deploy/proxies/${file} has "${shown}"`);
    text = text.replaceAll(shown, own);
  }
  return text;
}

const addressesOf = ({ processes }: Place) =>
  [
    ['10.0.0.11:3000', `127.0.0.1:${processes[0]}`],
    ['10.0.0.12:3000', `127.0.0.1:${processes[1]}`],
  ] as const;

const controlSocket = (folder: string) => join(folder, 'control');

function haproxySettings(place: Place): string {
  const { port, plainPort, tls, folder } = place;
  const encrypted = 'ssl crt /etc/haproxy/paylink.pem alpn h2,http/1.1';
  return adapt('haproxy.cfg', [
    ...addressesOf(place),
    ['\nglobal\n', `\nglobal\n    stats socket ${controlSocket(folder)} level admin\n`],
    ['bind :80\n', `bind 127.0.0.1:${plainPort}\n`],
    [
      `bind :443 ${encrypted}`,
      `bind 127.0.0.1:${port} ${tls ? encrypted.replace('/etc/haproxy/paylink.pem', tls.bothFile) : ''}`,
    ],
  ]);
}

function nginxSettings(place: Place): string {
  const { port, plainPort, folder, tls } = place;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const text = adapt('nginx.conf', [
    ...addressesOf(place),
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port}${tls ? ' ssl' : ''};`],
    ['/etc/nginx/paylink.crt', tls?.certFile ?? ''],
    ['/etc/nginx/paylink.key', tls?.keyFile ?? ''],
  ]);
  return `daemon off;
${process.getuid?.() === 0 ? 'user root root;' : ''}
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 1024; }
http {
access_log off;
${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${tls ? text : text.replaceAll(/^ +ssl_.*\n/gm, '')}
}
`;
}

function caddySettings(place: Place): string {
  const { port, tls } = place;
  const own = tls ? `tls ${tls.certFile} ${tls.keyFile}` : '';
  return adapt('Caddyfile', [
    ...addressesOf(place),
    ['pay.example.com', tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`],
    ['# tls /etc/caddy/paylink.crt /etc/caddy/paylink.key', own],
    // The ports 80 and 2019 may be taken.
    [
      '\tgrace_period',
      '\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n\tgrace_period',
    ],
  ]);
}

const programs = {
  caddy: {
    settings: caddySettings,
    args: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: { settings: haproxySettings, args: (file: string) => ['-db', '-f', file] },
  nginx: {
    settings: nginxSettings,
    args: (file: string, folder: string) => ['-p', folder, '-e', 'stderr', '-c', file],
  },
};

/** Runs a proxy with the settings that `settingsIn` writes for its folder, until `isUp`. */
async function runProxy(
  name: ProxyName,
  settingsIn: (folder: string) => string,
  isUp: () => Promise<boolean>,
): Promise<{ folder: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-proxy-'));
  await mkdir(join(folder, 'logs'));
  const file = join(folder, 'settings');
  await writeFile(file, settingsIn(folder));
  const child = spawn(proxyPath(name), programs[name].args(file, folder), {
    cwd: folder,
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorText = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-10_000);
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  await until(async () => {
    assert.ok(child.exitCode === null, `${name} ended:\n${errorText}`);
    return await isUp();
  }, `${name} to answer`);
  return { folder, stop };
}

/**
 * Starts a proxy in front of two loopback ports, and waits until `/readyz` answers 200 behind it. It listens on `port`,
 * or on a free one.
 */
export async function startProxy(
  name: ProxyName,
  processes: readonly [number, number],
  { tls = null, port = 0 }: { tls?: TlsFiles | null; port?: number } = {},
): Promise<RunningProxy> {
  const place = { port: port || (await freePort()), plainPort: await freePort(), processes, tls };
  const url = tls ? `https://localhost:${place.port}` : `http://127.0.0.1:${place.port}`;
  const isUp = async () =>
    await ask(`${url}/readyz`, tls).then(
      ({ status }) => status === 200,
      () => false,
    );
  const settings = (folder: string) => programs[name].settings({ ...place, folder });
  const { folder, stop } = await runProxy(name, settings, isUp);
  const command = async (text: string) => {
    const socket = connect(controlSocket(folder));
    socket.end(`${text}\n`);
    let answer = '';
    for await (const part of socket) answer += String(part);
    assert.equal(answer.trim(), '', text);
  };
  return { url, plainUrl: `http://127.0.0.1:${place.plainPort}`, command, stop };
}

/** A database server, and the port where `GET /primary` says whether it is the primary. */
export type DatabaseMember = { port: number; checkPort: number };

/**
 * Whether a proxy with this address leads to the primary only. HAProxy takes its two servers in turn until the checks of
 * one of them have failed, and others connect too, so two successes do not suffice.
 */
export async function leadsToPrimary(databaseUrl: string): Promise<boolean> {
  for (let connection = 0; connection < 10; connection++) {
    const [row] = await runSql(databaseUrl, 'select pg_is_in_recovery() as "isStandby"').catch(() => []);
    if (row?.isStandby !== false) return false;
  }
  return true;
}

/** Starts HAProxy in front of two databases, and waits until it has found the primary. Returns its port. */
export async function startDatabaseProxy(
  members: readonly [DatabaseMember, DatabaseMember],
): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort();
  const address = ({ port: own, checkPort }: DatabaseMember) => `127.0.0.1:${own} port ${checkPort}`;
  const settings = () =>
    adapt('haproxy-postgres.cfg', [
      ['bind 127.0.0.1:5000\n', `bind 127.0.0.1:${port}\n`],
      // Here each server has its own port for checks.
      ['default-server check port 8008 ', 'default-server check '],
      ['10.0.0.21:5432', address(members[0])],
      ['10.0.0.22:5432', address(members[1])],
    ]);
  const isUp = async () => await leadsToPrimary(`postgres://postgres@127.0.0.1:${port}/postgres`);
  return { port, ...(await runProxy('haproxy', settings, isUp)) };
}

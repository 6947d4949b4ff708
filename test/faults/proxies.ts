// A proxy in front of two processes, with the configuration from docs/operations.md; only the addresses are replaced. It
// listens only on the loopback interface.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../harness/paylink.ts';
import { root, until } from '../harness/process.ts';
import { proxyPath } from '../harness/services.ts';

export type ProxyName = 'haproxy' | 'nginx';
export type RunningProxy = { url: string; stop(): Promise<void> };

/** The document's block that begins with a line, with the addresses of the test's processes. */
function linesOfDocument(firstLine: string, ports: readonly [number, number]): string {
  const text = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  const block = text.split(/^```/m).find((part) => part.startsWith(`text\n${firstLine}\n`));
  assert.ok(block, `docs/operations.md has a block that begins with "${firstLine}"`);
  return block
    .slice('text\n'.length)
    .replace('10.0.0.11:3000', `127.0.0.1:${ports[0]}`)
    .replace('10.0.0.12:3000', `127.0.0.1:${ports[1]}`);
}

function haproxySettings(port: number, ports: readonly [number, number]): string {
  return `defaults
    mode http
    timeout client 60s
    timeout http-keep-alive 60s
frontend test
    bind 127.0.0.1:${port}
    default_backend paylink
${linesOfDocument('backend paylink', ports)}`;
}

function nginxSettings(port: number, ports: readonly [number, number], folder: string): string {
  const lines = linesOfDocument('upstream paylink {', ports);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
${process.getuid?.() === 0 ? 'user root root;' : ''}
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 1024; }
http {
access_log off;
${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${lines.replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)}
}
`;
}

/** Starts a proxy in front of two loopback ports, and waits until it accepts connections. */
export async function startProxy(name: ProxyName, ports: readonly [number, number]): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-proxy-'));
  await mkdir(join(folder, 'logs'));
  const port = await freePort();
  const file = join(folder, 'settings');
  const settings = name === 'nginx' ? nginxSettings(port, ports, folder) : haproxySettings(port, ports);
  await writeFile(file, settings);
  const args = name === 'nginx' ? ['-p', folder, '-e', 'stderr', '-c', file] : ['-db', '-f', file];
  const child = spawn(proxyPath(name), args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let errorText = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText += text;
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    assert.ok(child.exitCode === null, `${name} ended:\n${errorText}`);
    return await fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }, `${name} to answer`);
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

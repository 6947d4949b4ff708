// Clients with many silent connections, against a process with few file descriptors. Each client has its own
// loopback address.

import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createProcessGroup, type ServiceProcess, until } from './harness/process.ts';

const stage = createProcessGroup();
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await stage.clear();
});

/** The target of a descriptor; empty if closed. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** The number of socket descriptors of a process. */
function openSocketsOf(run: ServiceProcess): number {
  const folder = `/proc/${run.pid}/fd`;
  return readdirSync(folder).filter((name) => targetOf(`${folder}/${name}`).startsWith('socket:')).length;
}

type Silent = { received(): string; isOver(): boolean };

/** A connection that never sends and never closes. */
function openSilent(run: ServiceProcess, localAddress: string): Silent {
  const state = { text: '', isOver: false };
  const socket = connect({ port: run.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  sockets.push(socket);
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    state.text += chunk;
  });
  socket.on('error', () => undefined);
  for (const event of ['end', 'close']) socket.on(event, () => (state.isOver = true));
  return { received: () => state.text, isOver: () => state.isOver };
}

/** The status of a request on a new connection; 0 if it broke. */
async function statusFor(run: ServiceProcess, localAddress: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  const socket = connect({ port: run.port, host: '127.0.0.1', localAddress });
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(text));
  socket.write('GET /healthz HTTP/1.1\r\nHost: pay.example\r\nConnection: close\r\n\r\n');
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(await promise)?.[1] ?? 0);
}

async function startWith(settings: Record<string, string>, maxOpenFiles: number): Promise<ServiceProcess> {
  const run = await stage.start({ through: 'server', settings, maxOpenFiles });
  await run.ready();
  return run;
}

test('silent connections beyond the descriptor limit do not block other clients', async () => {
  const maxOpenFiles = 800;
  const run = await startWith({}, maxOpenFiles);
  const silent = Array.from({ length: maxOpenFiles * 1.6 }, () => openSilent(run, '127.0.0.1'));
  // Connections above 256 are closed at once. One that the kernel accepts late may replace one that timed out.
  const open = () => silent.filter(({ isOver }) => !isOver()).length;
  await until(() => open() <= 256, 'the connections beyond 256 to be closed');
  for (let request = 1; request <= 30; request++) assert.equal(await statusFor(run, '127.0.0.2'), 200);
  const noted = run.stdout().match(/connections were closed/g) ?? [];
  assert.equal(noted.length, 1);
});

test('a timed-out connection frees its descriptor, even if the client does not close it', async () => {
  const run = await startWith({ MAX_CONNECTIONS_PER_CLIENT: '0' }, 800);
  assert.equal(await statusFor(run, '127.0.0.1'), 200);
  const before = openSocketsOf(run);
  const silent = Array.from({ length: 200 }, () => openSilent(run, '127.0.0.1'));
  // Meanwhile the service may have closed some connections to the database.
  await until(() => openSocketsOf(run) >= silent.length, 'all connections to be accepted');
  await until(() => silent.every(({ isOver }) => isOver()), 'all connections to time out');
  for (const { received } of silent) assert.match(received(), /^HTTP\/1\.1 408 /);
  await until(() => openSocketsOf(run) <= before + 2, 'the descriptors to be released');
});

test('a connection without HTTP frees its descriptor, even if the client does not close it', async () => {
  const run = await startWith({ MAX_CONNECTIONS_PER_CLIENT: '0' }, 800);
  assert.equal(await statusFor(run, '127.0.0.1'), 200);
  const before = openSocketsOf(run);
  const broken = Array.from({ length: 100 }, () => openSilent(run, '127.0.0.1'));
  for (const socket of sockets.slice(-100)) socket.write('garbage\r\n\r\n');
  await until(() => broken.every(({ isOver }) => isOver()), 'all connections to be ended');
  for (const { received } of broken) assert.match(received(), /^HTTP\/1\.1 400 /);
  await until(() => openSocketsOf(run) <= before + 2, 'the descriptors to be released');
});

test('a trusted proxy may open more connections than a client', async () => {
  const settings = { MAX_CONNECTIONS_PER_CLIENT: '5', TRUSTED_PROXIES: '127.0.0.8/30' };
  const run = await startWith(settings, 800);
  const proxied = Array.from({ length: 20 }, () => openSilent(run, '127.0.0.9'));
  const others = Array.from({ length: 20 }, () => openSilent(run, '127.0.0.12'));
  await until(() => others.filter(({ isOver }) => isOver()).length === 15, '15 connections to be closed');
  // Before the request, during which silent connections may time out.
  assert.ok(!proxied.some(({ isOver }) => isOver()));
  assert.equal(await statusFor(run, '127.0.0.9'), 200);
});

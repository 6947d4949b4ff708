// Tests the TCP proxy itself, on whose faults other tests rely.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCleaner } from '../harness/engines.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const cleaner = createCleaner();
after(async () => await cleaner.clean());

/** A proxy in front of an echo server, which records what it receives. */
async function openEcho(): Promise<{ proxy: TcpProxy; echoed(): string }> {
  let text = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += String(chunk);
      socket.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const proxy = await openTcpProxy(typeof address === 'object' ? (address?.port ?? 0) : 0);
  cleaner.add(async () => {
    await proxy.close();
    server.close();
  });
  return { proxy, echoed: () => text };
}

type Caller = { socket: Socket; received(): string; waitFor(text: string): Promise<void> };

async function call(port: number): Promise<Caller> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(socket, 'connect');
  const waitFor = async (wanted: string) => {
    while (!text.endsWith(wanted)) await once(socket, 'data');
  };
  return { socket, received: () => text, waitFor };
}

test('a cut ends every connection and refuses new ones until it is repaired', async () => {
  const { proxy } = await openEcho();
  const caller = await call(proxy.port);
  caller.socket.write('a');
  await caller.waitFor('a');
  const closed = once(caller.socket, 'close');
  await proxy.breakDown({ kind: 'cut' });
  await closed;
  await assert.rejects(call(proxy.port), { code: 'ECONNREFUSED' });
  await proxy.heal();
  const next = await call(proxy.port);
  next.socket.write('b');
  await next.waitFor('b');
});

test('delayed data arrives before data sent after the repair', async () => {
  const { proxy } = await openEcho();
  const caller = await call(proxy.port);
  await proxy.breakDown({ kind: 'slow', delayMs: 100 });
  caller.socket.write('a');
  // Once a later connection has been served, the proxy has read the first byte.
  const other = await call(proxy.port);
  other.socket.write('x');
  await other.waitFor('x');
  await proxy.heal();
  caller.socket.write('b');
  await caller.waitFor('b');
  assert.equal(caller.received(), 'ab');
});

for (const [loses, echoed] of [
  ['requests', 'ad'],
  ['answers', 'abcd'],
  ['both', 'ad'],
] as const)
  test(`a connection that has lost ${loses} stays silent and open, and a new one works`, async () => {
    const echo = await openEcho();
    const { proxy } = echo;
    const caller = await call(proxy.port);
    caller.socket.write('a');
    await caller.waitFor('a');
    await proxy.breakDown({ kind: 'half-open', loses });
    caller.socket.write('b');
    while (loses === 'answers' && !echo.echoed().endsWith('b')) await nextTurn();
    // Everything is in one process: when this connection opens, the bytes before it have been read.
    const witness = await call(proxy.port);
    witness.socket.destroy();
    await proxy.heal();
    caller.socket.write('c');
    const next = await call(proxy.port);
    next.socket.write('d');
    await next.waitFor('d');
    assert.equal(caller.received(), 'a');
    assert.equal(caller.socket.destroyed, false);
    assert.equal(echo.echoed(), echoed);
  });

for (const [loses, echoed] of [
  ['request', 'a'],
  ['answer', 'acommit'],
  ['silence', 'acommit'],
] as const)
  test(`a request with the text loses ${loses === 'silence' ? 'its answer and stays open' : `its ${loses} and its connection`}, and others do not`, async () => {
    const echo = await openEcho();
    const { proxy } = echo;
    const caller = await call(proxy.port);
    const closed = once(caller.socket, 'close');
    await proxy.breakDown({ kind: 'at-text', text: 'commit', loses });
    caller.socket.write('a');
    await caller.waitFor('a');
    caller.socket.write('commit');
    if (loses === 'silence') while (!echo.echoed().endsWith('commit')) await nextTurn();
    else await closed;
    assert.equal(echo.echoed(), echoed);
    const next = await call(proxy.port);
    next.socket.write(' commit');
    await next.waitFor(' commit');
    assert.equal(caller.received(), 'a');
    assert.equal(caller.socket.destroyed, loses !== 'silence');
  });

// Connections during a stop: every request that has arrived gets its response.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { createLogger } from '../telemetry.ts';
import { buildServer } from './server.ts';

async function openServer(isStopping: () => boolean) {
  const log = createLogger({ level: 'silent' });
  const app = await buildServer({
    ...{ baseUrl: 'http://localhost', log, clock: systemClock, trustedProxies: [] },
    ...{ connectionsPerClient: 0, databaseWait: null, isStopping },
  });
  let done = 0;
  app.get('/work', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    done += 1;
    return { done };
  });
  await app.listen({ port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
    const answered = async (count: number) => {
      while ((text.match(/HTTP\/1\.1/g) ?? []).length < count) await once(socket, 'data');
    };
    return { send: (bytes: string) => void socket.write(bytes), ended, answered };
  };
  return { app, open, done: () => done };
}

const request = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const statuses = (text: string) => text.match(/HTTP\/1\.1 \d+/g);
const connections = (text: string) =>
  [...text.matchAll(/^connection: ([\w-]+)\r$/gim)].map(([, value]) => String(value).toLowerCase());

test('pipelined requests all get responses while the process stops', async () => {
  let isStopping = false;
  const { app, open, done } = await openServer(() => isStopping);
  try {
    const [fresh, kept, unreadable] = [await open(), await open(), await open()];
    kept.send(request('/work'));
    await kept.answered(1);
    isStopping = true;
    for (const { send } of [fresh, kept]) send(request('/work') + request('/nowhere') + request('/work'));
    unreadable.send(request('/%') + request('/work'));
    const texts = [await fresh.ended, await kept.ended, await unreadable.ended];
    assert.deepEqual(texts.map(statuses), [
      ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'],
      ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'],
      ['HTTP/1.1 400', 'HTTP/1.1 200'],
    ]);
    for (const text of texts) {
      assert.equal(connections(text).at(-1), 'close');
      assert.equal(connections(text).filter((value) => value === 'close').length, 1, text);
    }
    assert.equal(done(), 6);
  } finally {
    await app.close();
  }
});

test('a received but unread request gets its response when the listener closes', async () => {
  let isStopping = false;
  const { app, open } = await openServer(() => isStopping);
  const kept = await Promise.all(Array.from({ length: 20 }, open));
  for (const { send } of kept) send(request('/work'));
  for (const { answered } of kept) await answered(1);
  isStopping = true;
  for (const { send } of kept) send(request('/work'));
  await app.close();
  for (const { ended } of kept) assert.deepEqual(statuses(await ended), ['HTTP/1.1 200', 'HTTP/1.1 200']);
});

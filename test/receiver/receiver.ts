// A webhook receiver whose behaviour depends on the path. Must record each message before it responds.

import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from './journal.ts';

/** The response to a message, or a misbehaviour. */
export type Behaviour =
  | { status: number; headers?: Record<string, string>; body?: string; after?: () => Promise<unknown> }
  | 'silent'
  | 'drip'
  | 'reset'
  | 'huge';

export type Receiver = {
  port: number;
  received: Received[];
  /** The URL with this behaviour from now on. */
  at(name: string, behaviour?: Behaviour): string;
  /** Waits until this many messages have arrived at a name. */
  waitFor(name: string, count: number): Promise<Received[]>;
  /** The same for all names. */
  waitForAll(count: number): Promise<void>;
  messages(name: string): Received[];
  close(): Promise<void>;
};

const accepted: Behaviour = { status: 204 };
const hangGuardMs = 60_000;

async function drip(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain' });
  while (!response.destroyed) {
    response.write('.');
    await sleep(50);
  }
}

async function flood(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const block = 'x'.repeat(64 * 1024);
  for (let blocks = 0; blocks < 1_000 && !response.destroyed; blocks++)
    if (!response.write(block)) await sleep(1);
  response.end();
}

async function behave(response: ServerResponse, behaviour: Behaviour): Promise<void> {
  if (behaviour === 'silent') return;
  if (behaviour === 'drip') return await drip(response);
  if (behaviour === 'huge') return await flood(response);
  if (behaviour === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  await behaviour.after?.();
  response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body ?? '');
}

async function waitUntil(countNow: () => number, count: number, name: string): Promise<void> {
  const deadline = performance.now() + hangGuardMs;
  while (countNow() < count) {
    if (performance.now() > deadline)
      throw new Error(`${countNow()} of ${count} messages arrived at ${name}`);
    await sleep(5);
  }
}

/** Starts a receiver on a free port. `record` is called with each message before the response. */
export async function startReceiver(
  record: (message: Received) => void = () => undefined,
): Promise<Receiver> {
  const received: Received[] = [];
  const behaviours = new Map<string, Behaviour>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const message = { path: request.url ?? '', headers, body, atMs: performance.now() };
      record(message);
      received.push(message);
      void behave(response, behaviours.get(message.path) ?? accepted);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  const messages = (name: string) => received.filter(({ path }) => path === `/${name}`);
  return {
    port,
    received,
    at: (name, behaviour = accepted) => {
      behaviours.set(`/${name}`, behaviour);
      return `http://127.0.0.1:${port}/${name}`;
    },
    messages,
    waitFor: async (name, count) => {
      await waitUntil(() => messages(name).length, count, name);
      return messages(name);
    },
    waitForAll: async (count) => await waitUntil(() => received.length, count, 'all names'),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

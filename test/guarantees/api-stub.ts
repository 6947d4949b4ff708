// A server on loopback that stands where a processor's API is, and answers what a test wants: for adapters that are to
// read one answer after another. It must never keep a state of its own.

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it came; `path` is without its query. */
export type StubRequest = { method: string; path: string; body: string };
export type StubResponse = { status: number; body?: unknown };

export type ApiStub = {
  url: string;
  /** What it was asked since `answer` was set. */
  asked: StubRequest[];
  /** Sets what it answers. Nothing is answered with 404. */
  answer(say: (asked: StubRequest) => StubResponse | null): void;
  close(): Promise<void>;
};

async function readAsked(request: IncomingMessage): Promise<StubRequest> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  return { method: request.method ?? '', path, body: await text(request) };
}

export async function openApiStub(): Promise<ApiStub> {
  let say: (asked: StubRequest) => StubResponse | null = () => null;
  const asked: StubRequest[] = [];
  const server = createServer((request, response) => {
    void readAsked(request).then((one) => {
      asked.push(one);
      const { status, body } = say(one) ?? { status: 404, body: {} };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (next) => {
      asked.length = 0;
      say = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

// A server on loopback that replaces a processor's API. It returns the responses of a test and keeps no state.

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received request; `path` has no query. */
export type StubRequest = { method: string; path: string; body: string };
export type StubResponse = { status: number; body?: unknown };

export type ApiStub = {
  url: string;
  /** Requests since `answer` was set. */
  asked: StubRequest[];
  /** Sets the responses. Null stands for 404. */
  answer(respond: (asked: StubRequest) => StubResponse | null): void;
  close(): Promise<void>;
};

async function readAsked(request: IncomingMessage): Promise<StubRequest> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  return { method: request.method ?? '', path, body: await text(request) };
}

export async function openApiStub(): Promise<ApiStub> {
  let respond: (asked: StubRequest) => StubResponse | null = () => null;
  const asked: StubRequest[] = [];
  const server = createServer((request, response) => {
    void readAsked(request).then((one) => {
      asked.push(one);
      const { status, body } = respond(one) ?? { status: 404, body: {} };
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
      respond = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

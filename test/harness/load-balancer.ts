// A small round-robin load balancer. It never repeats a request, and notes every response that no client may get.

import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Backend = { name: string; port: number };

export type LoadBalancer = {
  url: string;
  add(behind: Backend): void;
  /** Sends it no more requests, and waits for those in progress. */
  retire(behind: Backend): Promise<void>;
  /** The number of responses by name. */
  served(): Readonly<Record<string, number>>;
  /** Counts of forbidden responses: a 5xx other than 503 with Retry-After. */
  misanswers(): string[];
  close(): Promise<void>;
};

const drainTimeoutMs = 60_000;

/** A request without IDs and query, for counting. */
export function kindOf(method = '', url = ''): string {
  const path = url.split('?')[0] ?? '';
  return `${method} ${path.replaceAll(/(?<=\/)(?=[\w-]*[A-Z\d]|[a-z]{16})[\w-]{6,}/g, '…')}`;
}

function isInvalidResponse({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 500 && !(statusCode === 503 && headers['retry-after'] !== undefined);
}

/** Forwards a request and its response. Resolves when both are complete; `judge` gets the response, or null. */
async function pass(
  [request, response]: [IncomingMessage, ServerResponse],
  port: number,
  judge: (answer: IncomingMessage | null) => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('close', resolve);
  const { method, url: path, headers } = request;
  // A new connection for each request, because an idle one could be closed during a request.
  const passed = send({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    judge(answer);
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
    answer.once('error', () => response.destroy());
  });
  passed.once('error', () => {
    if (!response.headersSent && !response.destroyed) judge(null);
    response.destroy();
  });
  // If the client has disconnected, the request is aborted.
  response.once('close', () => passed.destroy());
  request.pipe(passed);
  await promise;
}

/** Starts a load balancer without services on a free port. */
export async function startLoadBalancer(): Promise<LoadBalancer> {
  const behind: Backend[] = [];
  const underWay = new Map<Backend, number>();
  const served: Record<string, number> = {};
  const invalidResponses = new Map<string, number>();
  let turn = 0;
  const note = (what: string) => invalidResponses.set(what, (invalidResponses.get(what) ?? 0) + 1);
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    turn += 1;
    const chosen = behind[turn % behind.length];
    if (!chosen) {
      note('nobody was there to answer');
      response.destroy();
      return;
    }
    underWay.set(chosen, (underWay.get(chosen) ?? 0) + 1);
    await pass([request, response], chosen.port, (answer) => {
      served[chosen.name] = (served[chosen.name] ?? 0) + 1;
      if (!answer) note(`${chosen.name} gave no answer to ${kindOf(request.method, request.url)}`);
      else if (isInvalidResponse(answer))
        note(`${chosen.name} answered ${answer.statusCode} to ${kindOf(request.method, request.url)}`);
    });
    underWay.set(chosen, (underWay.get(chosen) ?? 0) - 1);
  };
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (added) => void behind.push(added),
    retire: async (retired) => {
      behind.splice(behind.indexOf(retired), 1);
      const until = performance.now() + drainTimeoutMs;
      while ((underWay.get(retired) ?? 0) > 0) {
        if (performance.now() > until) throw new Error(`${retired.name} does not answer what is under way`);
        await sleep(10);
      }
    },
    served: () => ({ ...served }),
    misanswers: () => [...invalidResponses].map(([what, count]) => `${what}, ${count} times`),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

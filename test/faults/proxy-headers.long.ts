// The examples in deploy/proxies remove the request IDs that a client sends. The service logs the IDs of
// a trusted proxy, so a proxy that passed them on would let clients write into the log.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { proxyNames, startProxy } from './proxies.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a server that responds with the received headers. Returns its port. */
async function startEcho(): Promise<number> {
  const server = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  servers.push(server);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

const sent = {
  'x-request-id': 'of-the-client',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

for (const name of proxyNames)
  test(`${name} does not pass on X-Request-Id or traceparent of a client`, async () => {
    const proxy = await startProxy(name, [await startEcho(), await startEcho()]);
    try {
      for (const path of ['/v1/payments', '/readyz']) {
        const response = await fetch(proxy.url + path, { headers: { ...sent, 'x-kept': 'yes' } });
        const got = (await response.json()) as Record<string, string>;
        assert.equal(got['x-kept'], 'yes');
        assert.notEqual(got['x-request-id'], sent['x-request-id'], path);
        assert.equal(got.traceparent, undefined, path);
      }
    } finally {
      await proxy.stop();
    }
  });

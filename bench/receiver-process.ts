// A fast receiver of webhooks: accepts every POST at once, and returns by GET what came and when. Must not:
// respond before it has counted.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Times are milliseconds since 1970, so that other processes can compare them with their own. */
export type Count = { messages: number; distinct: number; firstAtMs: number; lastAtMs: number };

const seen = new Set<string>();
const count: Count = { messages: 0, distinct: 0, firstAtMs: 0, lastAtMs: 0 };

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.method === 'GET') {
      response.end(JSON.stringify(count));
      return;
    }
    const atMs = Date.now();
    seen.add(`${request.url} ${request.headers['webhook-id']}`);
    count.firstAtMs ||= atMs;
    count.lastAtMs = atMs;
    count.messages += 1;
    count.distinct = seen.size;
    response.writeHead(204).end();
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
process.stdin.on('end', () => process.exit(0)).resume();

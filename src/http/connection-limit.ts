// Limits the open connections of one client, so that nobody uses up all file descriptors. A client is an IPv4
// address or an IPv6 /64, as in client-network.ts. Trusted proxies are exempt, because many clients use them.

import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { networkOf } from './client-network.ts';
import type { HttpServer } from './http-server.ts';
import { createProxyCheck } from './trusted-proxies.ts';

export type ConnectionLimitOptions = {
  log: FastifyBaseLogger;
  trustedProxies: readonly string[];
  /** 0: no limit. */
  connectionsPerClient: number;
};

/** Refused connections are logged at most this often. */
export const logIntervalMs = 60_000;

/** Logs refused connections: the first at once, then their number once a minute at most. */
function createNotes(log: FastifyBaseLogger) {
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    if (count === 0) return;
    log.warn({ count }, 'connections were closed: their client had too many open');
    count = 0;
    timer = setTimeout(report, logIntervalMs).unref();
  };
  return {
    note: () => {
      count += 1;
      if (!timer) report();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Closes connections above a client's limit. Call it before the server listens. */
export function limitConnections(app: HttpServer, options: ConnectionLimitOptions): void {
  const { log, trustedProxies, connectionsPerClient } = options;
  if (connectionsPerClient === 0) return;
  const isProxy = createProxyCheck(trustedProxies);
  const open = new Map<string, number>();
  const notes = createNotes(log);
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const client = networkOf(address);
    const count = open.get(client) ?? 0;
    if (count >= connectionsPerClient) {
      socket.destroy();
      notes.note();
      return;
    }
    open.set(client, count + 1);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    });
  });
  app.addHook('onClose', async () => notes.stop());
}

// Closes connections once the listener is closed. Each stays open for a request that may be arriving, and
// none delays a stop. Connections with a request under way stay open here.

import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lastExchangeOf } from './exchanges.ts';
import type { HttpServer } from './http-server.ts';

/** A connection without a byte for this long was opened in advance, as browsers do. */
const youngMs = 2_000;
const checkIntervalMs = 50;

/** Reads the bytes that have arrived. Otherwise their connection would count as idle, and the request would be lost. */
async function readAll(): Promise<void> {
  // A turn that began with network events may end without polling the network again.
  await nextTurn();
  await nextTurn();
}

/** Makes the server end its unused connections when it closes. Call it before the server listens. */
export function closeUnusedConnectionsOnStop(app: HttpServer): void {
  const openedAt = new Map<Socket, number>();
  let timer: NodeJS.Timeout | undefined;
  app.server.on('connection', (socket: Socket) => {
    openedAt.set(socket, performance.now());
    socket.once('close', () => openedAt.delete(socket));
  });
  const closeUnused = async () => {
    await readAll();
    // Node closes idle connections only once. A response that began before the stop leaves its connection open.
    app.server.closeIdleConnections();
    const isYoung = (at: number) => performance.now() - at < youngMs;
    // Node counts a connection without any bytes neither as idle nor as busy.
    for (const [socket, at] of openedAt) if (socket.bytesRead === 0 && !isYoung(at)) socket.destroy();
  };
  app.addHook('preClose', async () => {
    timer = setInterval(() => void closeUnused(), checkIntervalMs);
    await readAll();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

/** During a stop, a response closes its connection unless another request has arrived on it. Then calls `done`. */
export type MarkLastResponse = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** A client may send requests without waiting. Closing with an earlier response would drop the later ones. */
export function createLastResponseMark(isStopping: () => boolean): MarkLastResponse {
  return (request, reply, done) => {
    if (!isStopping()) return done();
    // By then pipelined requests are read. A refusal may be ready before the next request is read.
    setImmediate(() => {
      const last = lastExchangeOf(request.raw.socket);
      if (last === undefined || last.request === request.raw) void reply.header('connection', 'close');
      // Fastify sets the header itself once the listener is closed.
      else if (!reply.raw.headersSent && reply.raw.hasHeader('connection'))
        reply.raw.removeHeader('connection');
      done();
    });
  };
}

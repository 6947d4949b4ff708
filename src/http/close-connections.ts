// Closes connections once the listener is closed, so that each lasts for the request that may be on its way, and
// none holds up a stop. A connection with a request under way is not touched here.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpServer } from './http-server.ts';

/** A connection that has been open for so long without a byte was opened ahead of need, as browsers do. */
const youngMs = 2_000;
const checkIntervalMs = 50;

/** What has come and was not read yet is read: its connection would count as idle, and the request be lost. */
async function readAll(): Promise<void> {
  // A turn may end without a look at the network when it began with one.
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
    // Node closes idle connections only once. A response that began before the stop has kept its own open.
    app.server.closeIdleConnections();
    const isYoung = (at: number) => performance.now() - at < youngMs;
    // One on which nothing was sent yet counts neither as idle nor as busy.
    for (const [socket, at] of openedAt) if (socket.bytesRead === 0 && !isYoung(at)) socket.destroy();
  };
  app.addHook('preClose', async () => {
    timer = setInterval(() => void closeUnused(), checkIntervalMs);
    await readAll();
  });
  app.addHook('onClose', async () => clearInterval(timer));
}

export type LastResponse = {
  /** Call it before the server listens. */
  follow(app: HttpServer): void;
  /** While stopping, has a response close its connection unless another request has come on that. Then calls `done`. */
  mark(request: FastifyRequest, reply: FastifyReply, done: () => void): void;
};

/**
 * Closes connections by the last of their responses. A client may send requests without waiting for responses, and
 * those behind a response that closes would be worked on and never answered.
 */
export function createLastResponse(isStopping: () => boolean): LastResponse {
  const latest = new WeakMap<Socket, IncomingMessage>();
  return {
    follow: (app) => {
      // Before whoever answers: that may be done at once.
      app.server.prependListener('request', (message: IncomingMessage) =>
        latest.set(message.socket, message),
      );
    },
    mark: (request, reply, done) => {
      if (!isStopping()) return done();
      // What came together is read by then; a refusal is ready before the next request is.
      setImmediate(() => {
        const last = latest.get(request.raw.socket);
        if (last === undefined || last === request.raw) void reply.header('connection', 'close');
        // The framework sets it by itself once the listener is closed.
        else if (!reply.raw.headersSent && reply.raw.hasHeader('connection'))
          reply.raw.removeHeader('connection');
        done();
      });
    },
  };
}

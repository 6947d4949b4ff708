// The last request of each connection and its response, for what ends connections.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpServer } from './http-server.ts';

export type Exchange = { request: IncomingMessage; response: ServerResponse };

const exchanges = new WeakMap<Socket, Exchange>();

/** Remembers the last exchange of each connection. Call it before the server listens. */
export function rememberExchanges(app: HttpServer): void {
  // Run before the handler, which may respond at once.
  app.server.prependListener('request', (request, response) => {
    exchanges.set(request.socket, { request, response });
  });
}

/** The last exchange of a connection; none before its first request. */
export function lastExchangeOf(socket: Socket): Exchange | undefined {
  return exchanges.get(socket);
}

// Responds to input that never becomes a request: no HTTP, headers that are too large or too late, CONNECT. The socket
// is destroyed soon after: an open one costs a file descriptor.

import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { type ApiError, errors } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { lastExchangeOf } from './exchanges.ts';
import type { HttpServer } from './http-server.ts';
import { toProblem } from './problem.ts';

export type RawResponseOptions = {
  baseUrl: string;
  clock: Clock;
  log: FastifyBaseLogger;
  securityHeaders: Readonly<Record<string, string>>;
};

/** For the peer to read the response. Destroying a socket with unread bytes resets it and loses the response. */
const lingerMs = 500;

/** Sends `text` as the last bytes of a socket, and destroys it soon after. */
function endSocket(socket: Socket, text = ''): void {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Whether the parser refuses the rest of a request that already has its response: a second one would be taken for the next. */
function hasResponse(socket: Socket): boolean {
  const last = lastExchangeOf(socket);
  return last !== undefined && !last.request.complete && last.response.headersSent;
}

function writeProblem(socket: Socket, apiError: ApiError, options: RawResponseOptions): void {
  const requestId = newId('req', options.clock.now());
  options.log.info({ reqId: requestId, code: apiError.code, status: apiError.status }, apiError.title);
  const body = JSON.stringify(toProblem(apiError, requestId, options.baseUrl));
  const headers = {
    ...options.securityHeaders,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'x-response-code': String(apiError.status),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  endSocket(socket, `HTTP/1.1 ${apiError.status} ${apiError.title}\r\n${lines.join('')}\r\n${body}`);
}

function errorOf(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? errors.requestTimeout() : errors.badRequest();
}

/** Fastify's handler for input that its parser refuses, and for requests that do not arrive in time. */
export function handleClientError(
  error: Error & { code?: string },
  socket: Socket,
  options: RawResponseOptions,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (hasResponse(socket)) endSocket(socket);
  else writeProblem(socket, errorOf(error.code), options);
}

/** Without a listener Node closes the socket of a CONNECT without a response. */
export function rejectConnect(app: HttpServer, options: RawResponseOptions): void {
  app.server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    writeProblem(
      socket,
      errors.badRequest({ detail: 'This service is not a proxy and does not support CONNECT.' }),
      options,
    );
  });
}

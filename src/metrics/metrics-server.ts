// Serves /metrics on a port of its own, so that it is never public by mistake and answers while the service is full.

import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../base/operator-error.ts';

export type MetricsSettings = {
  port: number;
  host: string;
  /** The bearer token that scrapes must send; null: none is needed. */
  token: string | null;
};

export type MetricsServer = {
  url: string;
  close(): Promise<void>;
};

type ServerOptions = {
  settings: MetricsSettings;
  contentType: string;
  scrape(): Promise<string>;
  log: { error(fields: object, message: string): void };
};

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares digests, which have one length, in constant time. */
function hasToken(request: IncomingMessage, token: string | null): boolean {
  if (token === null) return true;
  const [, given = ''] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(`${status}\n`);
}

async function answer(
  { settings, contentType, scrape, log }: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url?.split('?', 1)[0] !== '/metrics') return refuse(response, 404);
  if (request.method !== 'GET') return refuse(response, 405, { allow: 'GET' });
  if (!hasToken(request, settings.token)) return refuse(response, 401, { 'www-authenticate': 'Bearer' });
  try {
    const text = await scrape();
    response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' });
    response.end(text);
  } catch (err) {
    log.error({ err }, 'metrics could not be written');
    refuse(response, 500);
  }
}

const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** One sentence for the operator. */
function describeFailure(error: unknown, { port, host }: MetricsSettings): OperatorError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const unknownHost = `METRICS_HOST names ${host}, which is not an address of this machine: set it to 127.0.0.1, or to 0.0.0.0 for all interfaces.`;
  const sentences: Record<string, string> = {
    EADDRNOTAVAIL: unknownHost,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
    EADDRINUSE: `Port ${port} on ${host} is in use by another program: stop that program, or set METRICS_PORT to a free port.`,
    EACCES: `Port ${port} is reserved for administrators: set METRICS_PORT to a number above 1023.`,
  };
  const other = `Port ${port} on ${host} cannot be opened for metrics (${code || String(error)}): set METRICS_PORT to another port, or unset it.`;
  return new MetricsPortError(sentences[code] ?? other, { cause: error });
}

/** The metrics cannot be served on their port. */
export class MetricsPortError extends OperatorError {
  override readonly name = 'MetricsPortError';
}

/** Listens. Throws MetricsPortError with one sentence if the port or the address cannot be used. */
export async function openMetricsServer(options: ServerOptions): Promise<MetricsServer> {
  const { port, host } = options.settings;
  const server = createServer(
    // A connection is kept from one scrape to the next.
    { requestTimeout: 30_000, headersTimeout: 30_000, keepAliveTimeout: 90_000, maxHeaderSize: 8 * 1024 },
    (request, response) => void answer(options, request, response),
  );
  try {
    server.listen({ port, host });
    await once(server, 'listening');
  } catch (error) {
    throw describeFailure(error, options.settings);
  }
  return {
    url: `http://${urlHost(host)}:${(server.address() as AddressInfo).port}/metrics`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

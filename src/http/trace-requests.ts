// The span of each request, and the time that it took. Must not: put an address, a header or a body into them. The path
// of a payment page is a secret, so only the pattern of its route is recorded.

import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { loggersWithSpan, runInSpan, type Span, type SpanAttributes, type Tracing } from '../base/spans.ts';
import type { HttpServer } from './http-server.ts';
import { remoteSpanOf } from './request-ids.ts';
import type { IsTrusted } from './trusted-proxies.ts';

export type RequestTracer = {
  /** Starts the span of a request, and makes the logger of the request, whose lines have the IDs of its trace. */
  createLogger(
    logger: FastifyBaseLogger,
    bindings: Record<string, unknown>,
    options: object,
    request: IncomingMessage,
  ): FastifyBaseLogger;
  /** Ends the span when the response was sent, or the connection is gone. */
  endOnClose(request: FastifyRequest, reply: FastifyReply): void;
  /** The span that the work of a request is part of; null for a probe. */
  spanOf(request: FastifyRequest): Span | null;
  /** Whether anything is recorded. */
  isOn: boolean;
};

/** The methods of the conventions. Node accepts others. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

/** Probes come every second, and nobody looks at them. */
const isProbe = ({ routeOptions }: FastifyRequest) => routeOptions.config?.logged === false;

const methodOf = (method: string | undefined) => (methods.has(method ?? '') ? String(method) : '_OTHER');

/** What a request was, in the names of OpenTelemetry's conventions for HTTP. */
function describe(request: FastifyRequest, reply: FastifyReply): SpanAttributes {
  const route = request.is404 ? undefined : request.routeOptions.url;
  const isAnswered = reply.raw.headersSent;
  const error = !isAnswered ? 'aborted' : reply.raw.statusCode >= 500 ? String(reply.raw.statusCode) : null;
  return {
    'http.request.method': methodOf(request.method),
    'url.scheme': request.protocol === 'https' ? 'https' : 'http',
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(isAnswered ? { 'http.response.status_code': reply.raw.statusCode } : {}),
    ...(error === null ? {} : { 'error.type': error }),
  };
}

/** The public address. The Host of a request could be any text. */
function addressOf(baseUrl: string): SpanAttributes {
  const { hostname, port } = new URL(baseUrl);
  return { 'server.address': hostname, ...(port === '' ? {} : { 'server.port': Number(port) }) };
}

export function createRequestTracer(
  { startTrace, metrics }: Tracing,
  { isTrusted, baseUrl }: { isTrusted: IsTrusted; baseUrl: string },
): RequestTracer {
  const address = addressOf(baseUrl);
  const spans = new WeakMap<IncomingMessage, Span>();
  const end = (request: FastifyRequest, reply: FastifyReply, startedAtMs: number) => {
    const attributes = describe(request, reply);
    metrics?.requestTook((performance.now() - startedAtMs) / 1_000, attributes);
    const span = spans.get(request.raw);
    if (!span) return;
    const { 'http.request.method': method, 'http.route': route, 'error.type': error } = attributes;
    const shown = method === '_OTHER' ? 'HTTP' : method;
    span.rename(route === undefined ? String(shown) : `${shown} ${route}`);
    span.set(attributes);
    if (error !== undefined) span.fail(String(error));
    span.end();
  };
  return {
    isOn: startTrace !== null || metrics !== null,
    createLogger: (logger, bindings, options, request) => {
      const remote = remoteSpanOf(request, isTrusted);
      if (!startTrace)
        return logger.child(remote ? { ...bindings, traceId: remote.traceId } : bindings, options);
      const span = startTrace(
        { name: methodOf(request.method), kind: 'server', attributes: address },
        remote,
      );
      spans.set(request, span);
      const { traceId, spanId } = span;
      const child = logger.child({ ...bindings, traceId, spanId }, options);
      loggersWithSpan.add(child);
      return child;
    },
    endOnClose: (request, reply) => {
      if (isProbe(request)) return;
      const startedAtMs = performance.now();
      reply.raw.once('close', () => end(request, reply, startedAtMs));
    },
    spanOf: (request) => (isProbe(request) ? null : (spans.get(request.raw) ?? null)),
  };
}

/** Makes the work of each request a part of its span. The body parser leaves the async context of the earlier hooks. */
export function traceRequests(app: HttpServer, tracer: RequestTracer): void {
  if (!tracer.isOn) return;
  app.addHook('onRequest', (request, reply, done) => {
    tracer.endOnClose(request, reply);
    runInSpan(tracer.spanOf(request), done);
  });
  app.addHook('preValidation', (request, _reply, done) => runInSpan(tracer.spanOf(request), done));
}

// Builds the bare HTTP server: limits, parsers, headers, error handling, request logging. It knows no
// route; app.ts registers them. Nothing here may coerce a value or drop a field in silence.

import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Clock } from '../base/clock.ts';
import { errors, type Refusal } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { parseJsonBody } from './json-body.ts';
import { problemHandler, toProblem } from './problem.ts';

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False keeps a route out of the request log: probes that come every second. */
    logged?: boolean;
  }
}

export type ServerOptions = {
  baseUrl: string;
  log: FastifyBaseLogger;
  clock: Clock;
  /** Addresses of proxies whose X-Forwarded-For is believed; empty: nobody's. */
  trustedProxies: readonly string[];
  /** Whether the process has been told to stop: answers then close their connections. */
  isStopping: () => boolean;
};

export const limits = {
  bodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
} as const;

/** The server with everything that all routes share. The caller registers routes and listens. */
export async function buildServer(options: ServerOptions): Promise<HttpServer> {
  const { baseUrl, log, clock } = options;
  const app: HttpServer = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req', clock.now()),
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // A request that comes while the process stops is answered; its connection is closed after it.
    return503OnClosing: false,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      // Node looks for requests that are late only this often; its default is 30 s.
      connectionsCheckingInterval: 1_000,
      // Node would answer a missing Host with a bare 400; requireHost answers with a problem document.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, { baseUrl, clock, log }),
    frameworkErrors: problemHandler(baseUrl),
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        verbose: true,
        keywords: ['x-hint'],
      },
    },
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorateRequest('principal', null);
  useJsonBodies(app);
  useErrorAnswers(app, baseUrl);
  await useSecurityHeaders(app);
  requireHost(app);
  ignoreExpectations(app);
  useCommonHeaders(app, options.isStopping);
  dropUnusedConnections(app);
  logRequests(app);
  return app;
}

function useJsonBodies(app: HttpServer): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw errors.unsupportedMediaType({ detail: 'Send the body as it is, without a Content-Encoding.' });
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function useErrorAnswers(app: HttpServer, baseUrl: string): void {
  app.setErrorHandler(problemHandler(baseUrl));
}

// API answers are no documents: nothing in them may load, run or be framed. The hosted pages replace
// the policy with their own, which is as strict but for their stylesheet, script and form.
const securityHeaders = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
  },
  crossOriginResourcePolicy: { policy: 'same-origin' as const },
  frameguard: { action: 'deny' as const },
  referrerPolicy: { policy: 'no-referrer' as const },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
};

/** They are the same for every answer: helmet tells them once, and not again for each request. */
async function useSecurityHeaders(app: HttpServer): Promise<void> {
  const probe = Fastify();
  await probe.register(helmet, securityHeaders);
  probe.get('/', async (_request, reply) => reply.raw.getHeaders());
  const fixed = (await probe.inject('/')).json<Record<string, string>>();
  await probe.close();
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(fixed);
    done();
  });
}

/** RFC 9112 section 3.2: a request of HTTP/1.1 without a Host is refused. */
function requireHost(app: HttpServer): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isMissing = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    done(isMissing ? errors.badRequest({ detail: 'Send a Host header.' }) : undefined);
  });
}

/** Node would answer an unknown `Expect` with a bare 417; RFC 9110 section 10.1.1 lets it be passed over. */
function ignoreExpectations(app: HttpServer): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

/**
 * Browsers open connections ahead of need. One on which nothing has been sent yet counts neither as
 * idle nor as busy, and would hold up a stop; when the server closes, nothing is lost by ending it.
 */
function dropUnusedConnections(app: HttpServer): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}

function useCommonHeaders(app: HttpServer, isStopping: () => boolean): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    // The interface carries the response code in a header; the status line is the authority.
    void reply.header('x-response-code', String(reply.statusCode));
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
    if (isStopping()) void reply.header('connection', 'close');
    done(null, payload);
  });
}

function logRequests(app: HttpServer): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.logged !== false)
      request.log.info(
        {
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          status: reply.statusCode,
          tookMs: Math.round(reply.elapsedTime * 10) / 10,
          companyId: request.principal?.companyId,
        },
        'answered',
      );
    done();
  });
}

/** Answers bytes that are no HTTP request; Fastify never sees those. */
function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  options: { baseUrl: string; clock: Clock; log: FastifyBaseLogger },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? errors.headersTooLarge()
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? errors.requestTimeout()
        : errors.badRequest();
  const reqId = newId('req', options.clock.now());
  options.log.info({ reqId, code: refusal.code, status: refusal.status }, refusal.title);
  const body = JSON.stringify(toProblem(refusal, reqId, options.baseUrl));
  socket.end(
    `HTTP/1.1 ${refusal.status} ${refusal.title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Response-Code: ${refusal.status}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Answers 405 with `Allow` for every method that a known address does not take, and 404 for every
 * other address. Call it after the last route; `seen` is what `collectRoutes` gathered.
 */
export function refuseOtherMethods(app: HttpServer, seen: ReadonlyMap<string, Set<string>>): void {
  const known = [...seen].map(([url, methods]) => ({
    pattern: new RegExp(
      `^${url
        .replaceAll(/[.]/g, '\\.')
        .replaceAll(/:[^/]+/g, '[^/]+')
        .replaceAll('*', '.*')}/?$`,
    ),
    methods,
  }));
  const refusalOf = (request: FastifyRequest): Refusal => {
    const path = request.url.split('?', 1)[0] ?? '';
    const match = known.find(({ pattern }) => pattern.test(path));
    // A route that takes the method and still ends here has looked, and there is nothing: a folder of files.
    if (!match || match.methods.has(request.method)) return errors.notFound();
    const allow = [...match.methods].sort().join(', ');
    return errors.methodNotAllowed({ detail: `Use one of: ${allow}.`, headers: { allow } });
  };
  // Before a body is read: nobody has asked for it.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? refusalOf(request) : undefined));
  app.setNotFoundHandler((request) => {
    throw refusalOf(request);
  });
}

/** Notes the methods of each address as routes are registered. */
export function collectRoutes(app: HttpServer): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const methods = seen.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) methods.add(method);
    seen.set(route.url, methods);
  });
  return seen;
}

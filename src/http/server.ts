// Builds the bare HTTP server: limits, parsers, headers, error handling, request logging. It knows no route;
// app.ts registers them. Must not: coerce a value or drop a field silently.

import helmet from '@fastify/helmet';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from 'fastify';
import { type Clock, runInTestTime } from '../base/clock.ts';
import { type ApiError, errors, type FieldError, maxFieldErrors } from '../base/errors.ts';
import { noTracing, type Tracing } from '../base/spans.ts';
import { createTimeBudget, runWithBudget, type TimeBudget } from '../base/time-budget.ts';
import { handleClientError, rejectConnect } from './client-errors.ts';
import {
  closeUnusedConnectionsOnStop,
  createLastResponseMark,
  type MarkLastResponse,
} from './close-connections.ts';
import { limitConnections } from './connection-limit.ts';
import { rememberExchanges } from './exchanges.ts';
import type { HttpServer } from './http-server.ts';
import { parseJsonBody } from './json-body.ts';
import { lazyCompilers } from './lazy-compilers.ts';
import { type AnswerListener, logRequests, reportAnswer } from './log-requests.ts';
import { rejectMalformedRequests } from './malformed-requests.ts';
import { problemHandler, toApiError } from './problem.ts';
import { requestIdOf } from './request-ids.ts';
import { createRequestTracer, traceRequests } from './trace-requests.ts';
import { createProxyTrust } from './trusted-proxies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a handler that calls `bodyErrorsOf` itself and adds its own faults to the same response. */
    reportsAllErrors?: boolean;
    /** True for a route with an optional body; a missing body is an empty object. */
    isBodyOptional?: boolean;
    /** True for a route with long database work: it has no budget, and waits as workers do. */
    hasNoTimeBudget?: boolean;
  }
  interface FastifyRequest {
    /** The faults that `parseJsonBody` found in the body; null without faults. */
    bodyErrors: FieldError[] | null;
    /** How long it may wait for the database; null: within the database's own limits. */
    timeBudget: TimeBudget | null;
  }
}

export type DatabaseWaitLimit = { limitMs: number; noteSpent: TimeBudget['noteSpent'] };

export type ServerOptions = {
  baseUrl: string;
  log: FastifyBaseLogger;
  clock: Clock;
  /** Proxies whose X-Forwarded-For and request IDs are trusted; empty: none. */
  trustedProxies: readonly string[];
  /** The largest number of open connections per client; 0: no limit. */
  connectionsPerClient: number;
  /** The database waits of a request in total, and who is notified of an exceeded limit; null: no limit. */
  databaseWait: DatabaseWaitLimit | null;
  /** Responses then close their connections. */
  isStopping: () => boolean;
  /** Counts requests. */
  onAnswer?: AnswerListener;
  /** Where traces and metrics go; unset: nowhere. */
  tracing?: Tracing;
};

export const limits = {
  bodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
} as const;

const validationOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
  verbose: true,
  keywords: ['x-hint'],
};

/** The server with everything that all routes share. The caller registers routes and listens. */
export async function buildServer(options: ServerOptions): Promise<HttpServer> {
  const { baseUrl, log, clock } = options;
  const security = await renderSecurityHeaders();
  const isTrusted = createProxyTrust(options.trustedProxies);
  const tracer = createRequestTracer(options.tracing ?? noTracing, { isTrusted, baseUrl });
  const wire = { baseUrl, clock, log, securityHeaders: security.ofJson };
  const markLastResponse = createLastResponseMark(options.isStopping);
  const app: HttpServer = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestIdOf(request, { isTrusted, now: clock.now() }),
    requestIdHeader: false,
    childLoggerFactory: tracer.createLogger,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // A request that comes during a stop is still processed; its connection is closed afterwards.
    return503OnClosing: false,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      // How often Node checks for late requests; its default is 30 s.
      connectionsCheckingInterval: 1_000,
      // Node would respond to a missing Host with a bare 400, not with a problem document.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => handleClientError(error, socket, wire),
    // Hooks do not run for addresses that the router cannot parse, such as `GET /%`.
    frameworkErrors: (error, request, reply) => {
      if (tracer.isOn) tracer.endOnClose(request, reply);
      void reply
        .headers(security.ofJson)
        .headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
        .header('x-response-code', String(toApiError(error).status));
      markLastResponse(request, reply, () => {
        problemHandler(baseUrl)(error, request, reply);
        reportAnswer(request, reply, options.onAnswer);
      });
    },
    ajv: { customOptions: validationOptions },
    schemaController: { compilersFactory: lazyCompilers },
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorateRequest('principal', null);
  app.decorateRequest('bodyErrors', null);
  traceRequests(app, tracer);
  limitWaiting(app, options.databaseWait);
  useTestTime(app);
  useJsonBodies(app);
  useOptionalBodies(app);
  useErrorResponses(app, baseUrl);
  useSecurityHeaders(app, security);
  rejectMalformedRequests(app);
  rejectConnect(app, wire);
  limitConnections(app, options);
  ignoreExpectations(app);
  useCommonHeaders(app, markLastResponse);
  rememberExchanges(app);
  closeUnusedConnectionsOnStop(app);
  logRequests(app, options.onAnswer);
  return app;
}

function needsBody({ routeOptions: { schema, config } }: FastifyRequest): boolean {
  return schema?.body !== undefined && config.isBodyOptional !== true;
}

/** Gives each request its budget. The body parser leaves the async context of the earlier hooks. */
function limitWaiting(app: HttpServer, wait: DatabaseWaitLimit | null): void {
  app.decorateRequest('timeBudget', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (wait && request.routeOptions.config.hasNoTimeBudget !== true)
      request.timeBudget = createTimeBudget(wait.limitMs, wait.noteSpent);
    runWithBudget(request.timeBudget, done);
  });
  app.addHook('preValidation', (request, _reply, done) => runWithBudget(request.timeBudget, done));
}

/** Handles a call of a company whose test clock is ahead in its time. The credentials were verified in real time. */
function useTestTime(app: HttpServer): void {
  app.addHook('preValidation', (request, _reply, done) =>
    runInTestTime(request.principal?.testTime ?? null, done),
  );
}

function useJsonBodies(app: HttpServer): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw errors.unsupportedMediaType({ detail: 'Send the body as it is, without a Content-Encoding.' });
      // Many clients set the header on every POST, even without a body.
      if (body.length === 0 && !needsBody(request)) return done(null, undefined);
      const value = parseJsonBody(body as Buffer, (faults) => {
        request.bodyErrors = faults;
      });
      done(null, value);
    } catch (error) {
      done(error as Error);
    }
  });
}

function useOptionalBodies(app: HttpServer): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.isBodyOptional) request.body ??= {};
    done();
  });
}

function useErrorResponses(app: HttpServer, baseUrl: string): void {
  app.setErrorHandler(problemHandler(baseUrl));
  // After the validation: its faults and these are reported together.
  app.addHook('preHandler', (request, _reply, done) => {
    const { bodyErrors } = request;
    const isRefused = bodyErrors !== null && !request.routeOptions.config.reportsAllErrors;
    done(isRefused ? errors.invalidFields({ errors: bodyErrors.slice(0, maxFieldErrors) }) : undefined);
  });
}

// The policy of documents that have none of their own: nothing in them may load, run or be framed. The hosted pages use
// their own, as strict except for their stylesheet, script and form.
const securityPolicy = {
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

/** What JSON needs: no other site may read it, no browser may take it for a document, and the next call uses TLS. */
const namesForJson = [
  'x-content-type-options',
  'cross-origin-resource-policy',
  'strict-transport-security',
] as const;

type SecurityHeaders = Record<'ofDocuments' | 'ofJson', Record<string, string>>;

/** The headers that helmet sets. They are the same for every response of a kind, so they are computed once. */
async function renderSecurityHeaders(): Promise<SecurityHeaders> {
  const probe = Fastify();
  await probe.register(helmet, securityPolicy);
  probe.get('/', async (_request, reply) => reply.raw.getHeaders());
  const ofDocuments = (await probe.inject('/')).json<Record<string, string>>();
  await probe.close();
  const ofJson = Object.fromEntries(namesForJson.map((name) => [name, ofDocuments[name] ?? '']));
  return { ofDocuments, ofJson };
}

const isJson = /^application\/(problem\+)?json\b/;

/** Sets them unless the route has set its own. */
function useSecurityHeaders(app: HttpServer, { ofDocuments, ofJson }: SecurityHeaders): void {
  const entries = { document: Object.entries(ofDocuments), json: Object.entries(ofJson) };
  app.addHook('onSend', (_request, reply, payload, done) => {
    const kind = isJson.test(String(reply.getHeader('content-type'))) ? 'json' : 'document';
    for (const [name, value] of entries[kind]) if (!reply.hasHeader(name)) void reply.header(name, value);
    done(null, payload);
  });
}

/** Node would respond to an unknown `Expect` with a bare 417; RFC 9110 section 10.1.1 allows ignoring it. */
function ignoreExpectations(app: HttpServer): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

function useCommonHeaders(app: HttpServer, markLastResponse: MarkLastResponse): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    // The interface repeats the status code in a header; the status line is authoritative.
    void reply.header('x-response-code', String(reply.statusCode));
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
    markLastResponse(request, reply, () => done(null, payload));
  });
}

/** 405 with `Allow` for a known address, else 404. Call it after the last route; `seen` comes from `collectRoutes`. */
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
  const refusalOf = (request: FastifyRequest): ApiError => {
    const path = request.url.split('?', 1)[0] ?? '';
    // Several routes may match, such as one with a fixed segment and one with a parameter in the same place.
    const methods = new Set(
      known.flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : [])),
    );
    // A matching route found nothing, such as a folder of files.
    if (methods.size === 0 || methods.has(request.method)) return errors.notFound();
    const allow = [...methods].sort().join(', ');
    return errors.methodNotAllowed({ detail: `Use one of: ${allow}.`, headers: { allow } });
  };
  // Before the body is read: nothing needs it.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? refusalOf(request) : undefined));
  app.setNotFoundHandler((request) => {
    throw refusalOf(request);
  });
}

export function collectRoutes(app: HttpServer): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const methods = seen.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) methods.add(method);
    seen.set(route.url, methods);
  });
  return seen;
}

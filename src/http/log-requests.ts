// One log line for each request, when its response was sent. What a handler has to say about the request goes into the
// same line. Only a failure of the service has a line of its own, with its cause.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../base/errors.ts';
import type { HttpServer } from './http-server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False keeps a route out of the log: probes that come every second. */
    logged?: boolean;
  }
  interface FastifyRequest {
    /** False keeps a single request out of the log: one of a flood, which is logged as a count. */
    isLogged: boolean;
    /** Further fields of its log line. */
    logFields: Readonly<Record<string, unknown>> | null;
    /** The error that its response describes. */
    apiError: ApiError | null;
  }
}

/** A request whose response was sent, for metrics. `route` is its pattern; null if none matches. */
export type AnsweredRequest = {
  method: string;
  route: string | null;
  status: number;
  tookMs: number;
  apiError: ApiError | null;
};

/** Receives every request when its response was sent. Must not throw. */
export type AnswerListener = (answered: AnsweredRequest) => void;

/** Adds fields to the log line of a request. They must be in `loggedFields` of `src/telemetry.ts`. */
export function addToLog(request: FastifyRequest, fields: Readonly<Record<string, unknown>>): void {
  request.logFields = { ...request.logFields, ...fields };
}

function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  // Both are undefined for a request that Fastify's router refused.
  if (request.routeOptions.config?.logged === false || request.isLogged === false) return;
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      tookMs: Math.round(reply.elapsedTime * 10) / 10,
      companyId: request.principal?.companyId,
      ...request.logFields,
    },
    'answered',
  );
}

/** Logs a request whose response was sent, and reports it. */
export function reportAnswer(request: FastifyRequest, reply: FastifyReply, onAnswer?: AnswerListener): void {
  logAnswer(request, reply);
  onAnswer?.({
    method: request.method,
    route: request.is404 ? null : (request.routeOptions.url ?? null),
    status: reply.statusCode,
    tookMs: reply.elapsedTime,
    apiError: request.apiError ?? null,
  });
}

export function logRequests(app: HttpServer, onAnswer?: AnswerListener): void {
  app.decorateRequest('isLogged', true);
  app.decorateRequest('logFields', null);
  app.decorateRequest('apiError', null);
  app.addHook('onResponse', (request, reply, done) => {
    reportAnswer(request, reply, onAnswer);
    done();
  });
}

// One log line for each request, when its response was sent. What a handler has to say about the request goes into the
// same line. Only a failure of the service has a line of its own, with its cause.

import type { FastifyReply, FastifyRequest } from 'fastify';
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
  }
}

/** Adds fields to the log line of a request. They must be in `loggedFields` of `src/telemetry.ts`. */
export function addToLog(request: FastifyRequest, fields: Readonly<Record<string, unknown>>): void {
  request.logFields = { ...request.logFields, ...fields };
}

export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
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

export function logRequests(app: HttpServer): void {
  app.decorateRequest('isLogged', true);
  app.decorateRequest('logFields', null);
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply);
    done();
  });
}

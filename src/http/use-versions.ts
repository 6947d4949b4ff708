// The header Paylink-Version of requests and responses under /v1, and what responses say about deprecation. Handlers
// return the newest shape. Must not: change a response of the newest version.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { errors } from '../base/errors.ts';
import {
  type ApiDeprecation,
  type ApiVersion,
  apiVersions,
  deprecationAt,
  deprecationOf,
  findVersion,
  newestOf,
  presentAs,
} from './api-versions.ts';
import type { HttpServer } from './http-server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What is deprecated in its parameters, its body and its response. */
    deprecation?: ApiDeprecation | null;
  }
  interface FastifyRequest {
    /** The version of the API that it wants. */
    apiVersion: string;
  }
}

const isApi = (url: string) => url.startsWith('/v1/');
const header = 'paylink-version';

function refuseVersion(versions: readonly ApiVersion[]): Error {
  const detail = `This must be one of: ${versions.map(({ date }) => date).join(', ')}. Leave it out for the newest.`;
  return errors.unknownVersion({
    detail,
    errors: [{ field: 'Paylink-Version', code: 'not_allowed', detail }],
  });
}

type RouteSchemas = { body?: unknown; querystring?: unknown; response?: Record<string, unknown> };

/** The JSON of a successful response in an older version. Files and streams have no versions. */
function presentPayload(
  request: FastifyRequest,
  reply: FastifyReply,
  { payload, versions }: { payload: unknown; versions: readonly ApiVersion[] },
): unknown {
  const { response } = (request.routeOptions.schema ?? {}) as RouteSchemas;
  const schema = response?.[reply.statusCode];
  const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
  if (!schema || !isJson || typeof payload !== 'string' || payload === '') return payload;
  return JSON.stringify(presentAs(request.apiVersion, schema as TSchema, JSON.parse(payload), versions));
}

function addDeprecation(reply: FastifyReply, { since, sunsetAt }: ApiDeprecation, baseUrl: string): void {
  const relations = sunsetAt ? 'deprecation sunset' : 'deprecation';
  // RFC 9745 and RFC 8594.
  void reply.headers({
    deprecation: `@${since.getTime() / 1000}`,
    ...(sunsetAt ? { sunset: sunsetAt.toUTCString() } : {}),
    link: `<${baseUrl}/openapi.json>; rel="${relations}"; type="application/json"`,
  });
}

/**
 * Call it before registering routes, and after `useIdempotency`: that stores responses in the newest shape, so that a
 * repetition gets the version that it asks for.
 */
export function useVersions(
  app: HttpServer,
  { baseUrl, versions = apiVersions }: { baseUrl: string; versions?: readonly ApiVersion[] },
): void {
  const newest = newestOf(versions);
  app.decorateRequest('apiVersion', newest);
  app.addHook('onRoute', (route) => {
    if (!isApi(route.url)) return;
    const { body, querystring, response = {} } = (route.schema ?? {}) as RouteSchemas;
    const deprecation = deprecationOf([body, querystring, response[200]]);
    route.config = { ...route.config, deprecation } as NonNullable<typeof route.config>;
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const wanted = request.headers[header];
    if (wanted === undefined || !isApi(request.url)) return done();
    const found = findVersion(versions, wanted);
    if (found === null) return done(refuseVersion(versions));
    request.apiVersion = found;
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isApi(request.url)) return done(null, payload);
    const { apiVersion } = request;
    void reply.header(header, apiVersion);
    if (reply.statusCode >= 400) return done(null, payload);
    const deprecation = deprecationAt(versions, apiVersion, request.routeOptions.config?.deprecation ?? null);
    if (deprecation) addDeprecation(reply, deprecation, baseUrl);
    if (apiVersion === newest) return done(null, payload);
    done(null, presentPayload(request, reply, { payload, versions }));
  });
}

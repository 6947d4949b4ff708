// The API description, from the schemas that validate requests and filter responses. Common parts (credentials,
// limits, Idempotency-Key, errors) are added here, so that no route can forget them.

import swagger from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { type ErrorName, errorCatalogue } from '../base/errors.ts';
import { apiVersions, newestVersion } from './api-versions.ts';
import { type EncodedContent, encodeContent, sendEncoded } from './content-encoding.ts';
import type { HttpServer } from './http-server.ts';
import { nameComponents } from './openapi-components.ts';
import { isServiceKeyScope, type Right } from './roles.ts';

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'An address that describes the error', format: 'uri' }),
    title: Type.String({ description: 'A short summary of the error' }),
    status: Type.Integer({ description: 'The HTTP status' }),
    detail: Type.String({ description: 'What to do about it' }),
    instance: Type.String({ description: 'This occurrence of the error' }),
    code: Type.String({
      description: 'The stable error code, for programs',
      enum: Object.values(errorCatalogue).map((e) => e.code),
    }),
    requestId: Type.String({ description: 'The request ID, as in the log' }),
    errors: Type.Array(
      Type.Object(
        { field: Type.String(), code: Type.String(), detail: Type.String() },
        { title: 'FieldError' },
      ),
      { description: 'The invalid fields or headers' },
    ),
    responseCode: Type.String({ description: 'Deprecated. The HTTP status as text', deprecated: true }),
    responseMessage: Type.String({ description: 'Same as title' }),
  },
  { description: 'A problem document (RFC 9457)' },
);

const accountSecurity = [
  { bearer: [], apiKey: [], companyId: [] },
  { session: [], csrf: [] },
];

/**
 * The credentials of a route that needs a right (null: an account): the three headers, the cookie and header of a
 * browser, or a service key with the right as its scope.
 */
export function securityFor(right: Right | null): Record<string, string[]>[] {
  return isServiceKeyScope(right) ? [...accountSecurity, { serviceKey: [right] }] : accountSecurity;
}

/** The credentials of a route that every caller may call, whatever its rights. */
export const securityOfAnyCaller: Record<string, string[]>[] = [...accountSecurity, { serviceKey: [] }];

const problemContent = { 'application/problem+json': { schema: { $ref: 'Problem#' } } };

type ProblemResponse = { description: string; content: typeof problemContent; 'x-codes': string[] };

// Errors that routes do not declare, because all routes of a kind have them.
const errorsOfEveryRoute: readonly ErrorName[] = [
  'badRequest',
  'requestTimeout',
  'headersTooLarge',
  'internalError',
  'unavailable',
];
const errorsOfEveryBody: readonly ErrorName[] = [
  'malformedJson',
  'bodyTooLarge',
  'unsupportedMediaType',
  'invalidFields',
];
const errorsOfEveryCredential: readonly ErrorName[] = [
  'missingCredentials',
  'invalidToken',
  'expiredToken',
  'invalidApiKey',
  'invalidCompanyId',
  'invalidServiceKey',
  'serviceKeyNotAlone',
  'addressNotAllowed',
  'sessionEnded',
  'credentialsMismatch',
  'csrfRefused',
  'noKeyOfMode',
  'rateLimited',
];
const errorsOfEveryPost: readonly ErrorName[] = [
  'idempotencyInProgress',
  'invalidIdempotencyKey',
  'idempotencyKeyReused',
];

/** The error responses of a route, by name in the catalogue. Errors of all routes of a kind are added later. */
export function problemResponses(refusals: readonly ErrorName[]): Record<number, object> {
  const byStatus = new Map<number, Set<string>>();
  for (const name of refusals) {
    const { status, code } = errorCatalogue[name];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, describeCodes([...codes])]));
}

/** The same, with the schema of the successful response. */
export const responses = <Success extends object>(success: Success, refusals: readonly ErrorName[] = []) => ({
  200: success,
  ...problemResponses(refusals),
});

function describeCodes(codes: readonly string[]): ProblemResponse {
  const entries = Object.values(errorCatalogue).filter(({ code }) => codes.includes(code));
  const description = entries.map(({ code }) => `\`${code}\``).join(', ');
  return { description, content: problemContent, 'x-codes': entries.map(({ code }) => code) };
}

declare module 'fastify' {
  interface FastifySchema {
    /** Whether the route refuses callers without a right. */
    needsRight?: boolean;
  }
}

type RouteSchema = {
  summary?: string;
  description?: string;
  security?: readonly Record<string, readonly string[]>[];
  hide?: boolean;
  needsRight?: boolean;
  headers?: TSchema;
  response?: Record<string, Partial<ProblemResponse> & { headers?: object }>;
};

const versionHeaders = {
  'Paylink-Version': Type.Optional(
    // No enum: some generators would write a type for each operation.
    Type.String({
      description: `The version of the API that the program was written for, one of ${apiVersions.map(({ date }) => date).join(', ')}. Default: the newest`,
      examples: [newestVersion],
    }),
  ),
};
const idempotencyHeaders = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]+$',
      description:
        'Makes the request safe to repeat: for 48 hours, the same request with the same key returns the first response. Use a UUID',
      examples: ['5d6a1f0e-8e2a-4f0c-9f0e-0d5b3f2c7a11'],
    }),
  ),
};
const replayed = {
  'Idempotent-Replayed': Type.String({
    enum: ['true'],
    description: 'Sent if this is the stored first response, and nothing new was done',
  }),
};

type RouteKind = {
  method: string;
  url: string;
  isSecured: boolean;
  takesServiceKey: boolean;
  needsScope: boolean;
  needsRight: boolean;
  takesKey: boolean;
};

function commonErrors(kind: RouteKind): ErrorName[] {
  const { method, url, isSecured, takesServiceKey, needsScope, needsRight, takesKey } = kind;
  return [
    ...errorsOfEveryRoute,
    ...(method === 'GET' ? [] : errorsOfEveryBody),
    ...(isSecured ? errorsOfEveryCredential : []),
    ...(isSecured && !takesServiceKey ? (['serviceKeyNotAllowed'] as const) : []),
    ...(needsScope ? (['scopeNotAllowed'] as const) : []),
    ...(needsRight ? (['roleNotAllowed'] as const) : []),
    ...(takesKey ? errorsOfEveryPost : []),
    ...(url.includes(':') ? (['notFound'] as const) : []),
    ...(url.startsWith('/v1/') ? (['unknownVersion'] as const) : []),
  ];
}

/** Adds the errors of a route's kind, and merges the codes of each status. */
function completeResponses(schema: RouteSchema, common: readonly ErrorName[]): RouteSchema['response'] {
  const responses = { ...schema.response };
  for (const [status, { 'x-codes': codes }] of Object.entries(problemResponses(common)) as [
    string,
    ProblemResponse,
  ][]) {
    const own = responses[status]?.['x-codes'] ?? [];
    responses[status] = describeCodes([...own, ...codes]);
  }
  return responses;
}

function completeSchema(routeSchema: RouteSchema, url: string, route: RouteOptions): RouteSchema {
  const { needsRight = false, ...schema } = routeSchema;
  if (schema.hide) return schema;
  const isSecured = schema.security !== undefined;
  const takesServiceKey = schema.security?.some((needed) => 'serviceKey' in needed) === true;
  const needsScope = schema.security?.some(({ serviceKey = [] }) => serviceKey.length > 0) === true;
  const method = [route.method].flat()[0] ?? 'GET';
  const takesKey = isSecured && method === 'POST' && !route.config?.changesNothing;
  const kind = { method, url, isSecured, takesServiceKey, needsScope, needsRight, takesKey };
  const hasVersion = url.startsWith('/v1/');
  const response = completeResponses(schema, commonErrors(kind));
  const success = response?.[200];
  if (takesKey && response && success)
    response[200] = { ...success, headers: { ...success.headers, ...replayed } };
  const codes = Object.values(response ?? {}).flatMap((entry) => entry['x-codes'] ?? []);
  return {
    ...schema,
    // An empty list states that the route is public.
    security: schema.security ?? [],
    description: schema.description ?? `${schema.summary ?? ''}.`,
    ...(hasVersion
      ? { headers: Type.Object({ ...(takesKey ? idempotencyHeaders : {}), ...versionHeaders }) }
      : {}),
    ...(response ? { response } : {}),
    ...{ 'x-error-codes': codes },
  };
}

const description = `Payment links: one call gives a link, the customer pays, the merchant gets a signed result.

Every response has \`X-Request-Id\` and \`X-Response-Code\`. Calls under \`/v1\` take the version of the API in
\`Paylink-Version\`, and responses repeat it; what is deprecated in them has \`Deprecation\` and, once it ends, \`Sunset\`. Every error is a problem document (RFC 9457); branch on its
\`code\`. Calls with credentials are rate limited, and \`RateLimit\` and \`RateLimit-Policy\` report the rest.`;

const tags = [
  { name: 'account', description: 'The account that calls: its password and its sessions' },
  { name: 'auth', description: 'Login and published keys' },
  {
    name: 'bank',
    description: 'Bank statements, manual review, and manual refunds',
  },
  { name: 'company', description: 'The company’s details, settings and branding' },
  { name: 'developers', description: 'The log of calls' },
  { name: 'events', description: 'Events, as a feed and as the history of a payment' },
  { name: 'keys', description: 'Service keys and API keys' },
  { name: 'ledger', description: 'Balances and the entries behind them' },
  { name: 'members', description: 'Members of a company, and their invitations' },
  { name: 'operations', description: 'Probes and the catalogue of problems' },
  { name: 'payments', description: 'Payment links, refunds, and cases for manual review' },
  { name: 'processors', description: 'Payment processors, and your connections to them' },
  { name: 'session', description: 'Signing in with a browser' },
  { name: 'test-mode', description: 'Test clocks, and states and events on request. In test mode only' },
  { name: 'webhook-messages', description: 'The messages that your webhook endpoints receive' },
  { name: 'webhooks', description: 'Your webhook endpoints and their deliveries' },
];

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of the login, valid for 60 minutes',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'The API key of the company, as the login returned it',
  },
  companyId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-COMPANY-ID',
    description: 'The identifier of the company, as the login returned it',
  },
  serviceKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A service key (pls_test_… or pls_live_…), alone: without X-API-KEY and X-COMPANY-ID. The operation names the scope that it needs',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-paylink',
    description: 'The cookie of POST /v1/session; over plain http it is named paylink',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Paylink-Csrf',
    description:
      'The csrfToken of GET /v1/session, together with the cookie. A GET does not need it, but rejects that of another session',
  },
} as const;

/** Collects the schemas of all routes registered later, and serves the description. */
export async function describeApi(
  app: HttpServer,
  options: { version: string; baseUrl: string; webhooks: Record<string, object> },
): Promise<void> {
  const { version, baseUrl, webhooks } = options;
  app.addSchema({ $id: 'Problem', ...Problem });
  await app.register(swagger, {
    // Components are named by the $id that routes refer to.
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `Schema${index}`),
    },
    transformObject: (result) => ('openapiObject' in result ? nameComponents(result.openapiObject) : {}),
    transform: ({ schema, url, route }) => ({
      schema: completeSchema((schema ?? {}) as RouteSchema, url, route),
      url,
    }),
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Paylink',
        version,
        description,
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
        contact: { name: 'The operator of this service', url: baseUrl },
      },
      servers: [{ url: baseUrl, description: 'This service' }],
      tags,
      webhooks,
      components: {
        securitySchemes,
      },
    },
  });
  serveDescription(app);
}

/** Compressed at its first request: it never changes while the process runs. */
function serveDescription(app: HttpServer): void {
  let content: Promise<EncodedContent> | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    content ??= encodeContent('application/json; charset=utf-8', Buffer.from(JSON.stringify(app.swagger())));
    void reply.header('cache-control', 'public, max-age=60');
    return sendEncoded(request, reply, await content);
  });
}

// The API's description, drawn from the same schemas that validate requests and filter answers.

import swagger from '@fastify/swagger';
import { Type } from 'typebox';
import { errorCatalogue } from '../base/errors.ts';
import type { HttpServer } from './server.ts';

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'An address that names the problem' }),
    title: Type.String({ description: 'The problem in a few words' }),
    status: Type.Integer({ description: 'The HTTP status' }),
    detail: Type.String({ description: 'What to do about it' }),
    instance: Type.String({ description: 'This very occurrence' }),
    code: Type.String({
      description: 'What a program branches on',
      enum: Object.values(errorCatalogue).map((e) => e.code),
    }),
    requestId: Type.String({ description: 'The request, as the log knows it' }),
    errors: Type.Array(Type.Object({ field: Type.String(), code: Type.String(), detail: Type.String() }), {
      description: 'The fields or headers that do not pass',
    }),
    responseCode: Type.String({ description: 'Deprecated. The HTTP status as text', deprecated: true }),
    responseMessage: Type.String({ description: 'The same as title' }),
  },
  { description: 'A problem document (RFC 9457)' },
);

const problemContent = { 'application/problem+json': { schema: { $ref: 'Problem#' } } };

/** Response declarations for the refusals of a route, with the codes that each status can carry. */
export function problemResponses(statuses: readonly number[]): Record<number, object> {
  const entries = statuses.map((status) => {
    const codes = Object.values(errorCatalogue).filter((entry) => entry.status === status);
    const description = codes.map((entry) => `${entry.code}: ${entry.title}.`).join(' ');
    return [status, { description, content: problemContent }];
  });
  return Object.fromEntries([...entries, ...[500, 503].map((status) => unforeseen(status))]);
}

function unforeseen(status: number): [number, object] {
  const entry = Object.values(errorCatalogue).find((candidate) => candidate.status === status);
  return [status, { description: entry?.title ?? '', content: problemContent }];
}

/** Collects the schemas of the routes that are registered after it. */
export async function describeApi(
  app: HttpServer,
  options: { version: string; baseUrl: string },
): Promise<void> {
  app.addSchema({ $id: 'Problem', ...Problem });
  await app.register(swagger, {
    // Components are named by the $id that routes refer to.
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? `Schema${index}`),
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Paylink',
        version: options.version,
        description:
          'Payment links: one call gives a link, the customer pays, the merchant gets a signed result.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: options.baseUrl }],
      tags: [
        { name: 'auth', description: 'Login and published keys' },
        { name: 'keys', description: 'API keys' },
        { name: 'account', description: 'The account that calls: its password and its sessions' },
        { name: 'members', description: 'The people of a company, and their invitations' },
        { name: 'company', description: 'What a company says about itself and how its pages look' },
        { name: 'payments', description: 'Payment links' },
        { name: 'operations', description: 'Probes' },
      ],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
          companyId: { type: 'apiKey', in: 'header', name: 'X-COMPANY-ID' },
        },
      },
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=60');
    return app.swagger();
  });
}

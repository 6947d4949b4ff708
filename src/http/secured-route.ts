// The options of a route that requires credentials. Must not: let a caller without them, or without the right, read
// anything of a company.

import type { FastifySchema } from 'fastify';
import { requireCredentials, type VerifyCredentials } from './authentication.ts';
import { securityFor } from './openapi.ts';
import { checkRight, type Right, refuseServiceKeys } from './roles.ts';

/**
 * The options of the routes under one tag of the API description. `right` is null for routes of the caller's own
 * account, which every role may call and no service key. The description gets the errors of every such route, so `schema` has only those
 * of its own.
 */
export function describeSecuredRoutes(tag: string) {
  return <Schema extends FastifySchema>(
    { verifyCredentials }: { verifyCredentials: VerifyCredentials },
    right: Right | null,
    schema: Schema,
  ) => ({
    onRequest: [
      requireCredentials(verifyCredentials),
      right === null ? refuseServiceKeys : checkRight(right),
    ],
    schema: { security: securityFor(right), tags: [tag], needsRight: right !== null, ...schema },
  });
}

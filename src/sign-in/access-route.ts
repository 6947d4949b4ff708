// What the credentials of a call may do. Every caller may ask, also a service key with any scope.

import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses, securityOfAnyCaller } from '../http/openapi.ts';
import { heldRights } from '../http/roles.ts';
import { AccessResponse } from './schema.ts';

export function registerAccessRoute(
  app: HttpServer,
  { verifyCredentials }: { verifyCredentials: VerifyCredentials },
): void {
  app.get(
    '/v1/access',
    {
      onRequest: requireCredentials(verifyCredentials),
      schema: {
        security: securityOfAnyCaller,
        tags: ['keys'],
        operationId: 'getAccess',
        summary: 'Retrieve what the credentials of this call may do',
        description:
          'A program with a service key learns from it which scopes the key has, and whether it moves real money.',
        response: responses(AccessResponse),
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const { companyId, mode } = principal;
      return {
        companyId,
        mode,
        accountId: 'accountId' in principal ? principal.accountId : null,
        serviceKeyId: 'serviceKeyId' in principal ? principal.serviceKeyId : null,
        rights: heldRights(principal),
      };
    },
  );
}

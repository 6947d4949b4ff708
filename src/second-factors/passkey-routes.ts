// The routes of the caller's passkeys. The sign-in with a passkey is in sign-in/session-routes.ts.

import { accountPrincipalOf, type VerifyCredentials } from '../http/authentication.ts';
import { networksOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, responses } from '../http/openapi.ts';
import { Done } from '../http/schema-parts.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import type { PasswordDeps } from '../passwords/confirm-password.ts';
import { addPasskey, beginPasskey, removePasskey } from './change-passkeys.ts';
import { PasskeyOptions, PasskeyParams, PasskeyRequest, PasskeyResponse } from './passkey-schema.ts';
import type { PasskeyDeps } from './passkeys.ts';
import { ConfirmationRequest } from './schema.ts';

export type PasskeyRouteDeps = PasswordDeps & PasskeyDeps & { verifyCredentials: VerifyCredentials };

export function registerPasskeyRoutes(app: HttpServer, deps: PasskeyRouteDeps): void {
  const secured = describeSecuredRoutes('account');
  app.post(
    '/v1/me/passkeys/options',
    secured(deps, null, {
      operationId: 'beginPasskey',
      summary: 'Create the options for a new passkey',
      body: ConfirmationRequest,
      response: responses(PasskeyOptions, ['loginPaused']),
    }),
    async (request) => {
      const confirmation = { ...request.body, client: { networks: networksOf(request.ip) } };
      return { options: await beginPasskey(deps, accountPrincipalOf(request), confirmation) };
    },
  );
  app.post(
    '/v1/me/passkeys',
    secured(deps, null, {
      operationId: 'addPasskey',
      summary: 'Add a passkey',
      body: PasskeyRequest,
      response: responses(PasskeyResponse),
    }),
    async (request) => {
      const { createdAt, ...added } = await addPasskey(deps, accountPrincipalOf(request), request.body);
      return { ...added, createdAt: createdAt.toISOString() };
    },
  );
  app.post(
    '/v1/me/passkeys/:passkeyId/remove',
    secured(deps, null, {
      operationId: 'removePasskey',
      summary: 'Remove a passkey',
      params: PasskeyParams,
      body: ConfirmationRequest,
      response: { 204: Done, ...problemResponses(['loginPaused']) },
    }),
    async (request, reply) => {
      const order = { ...request.body, ...request.params, client: { networks: networksOf(request.ip) } };
      await removePasskey(deps, accountPrincipalOf(request), order);
      return reply.code(204).send(null);
    },
  );
}

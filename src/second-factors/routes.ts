// The routes of the caller's second factors.

import type { FastifyRequest } from 'fastify';
import { accountPrincipalOf, type VerifyCredentials } from '../http/authentication.ts';
import { networksOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, responses } from '../http/openapi.ts';
import { Done } from '../http/schema-parts.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import type { Confirmation, PasswordDeps } from '../passwords/confirm-password.ts';
import { beginTotp, finishTotp, regenerateRecoveryCodes, removeTotp } from './change-second-factor.ts';
import { listPasskeys, type Passkey } from './passkey-store.ts';
import {
  ConfirmationRequest,
  ConfirmedResponse,
  OtpRequest,
  RecoveryCodesResponse,
  SecondFactors,
  TotpResponse,
} from './schema.ts';
import { readSecondFactors } from './store.ts';

export type FactorRouteDeps = PasswordDeps & { verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('account');

const confirmationOf = (request: FastifyRequest<{ Body: { currentPassword: string } }>): Confirmation => ({
  ...request.body,
  client: { networks: networksOf(request.ip) },
});

const presentPasskey = ({ passkeyId, name, createdAt, lastUsedAt }: Passkey) => ({
  passkeyId,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

export function registerSecondFactorRoutes(app: HttpServer, deps: FactorRouteDeps): void {
  app.get(
    '/v1/me/second-factors',
    secured(deps, null, {
      operationId: 'getSecondFactors',
      summary: 'Retrieve the second factors of the account',
      response: responses(SecondFactors),
    }),
    async (request) => {
      const { companyId, accountId } = accountPrincipalOf(request);
      const { factors, passkeys } = await deps.db.inCompany(companyId, async (tx) => ({
        factors: await readSecondFactors(tx, accountId),
        passkeys: await listPasskeys(tx, accountId),
      }));
      const confirmedAt = factors.totpConfirmedAt?.toISOString();
      return {
        totp: confirmedAt ? { confirmedAt } : null,
        passkeys: passkeys.map(presentPasskey),
        recoveryCodesLeft: factors.recoveryCodesLeft,
      };
    },
  );
  app.post(
    '/v1/me/recovery-codes',
    secured(deps, null, {
      operationId: 'makeRecoveryCodes',
      summary: 'Generate ten recovery codes, which replace all earlier ones',
      body: ConfirmationRequest,
      response: responses(RecoveryCodesResponse, ['noSecondFactor', 'loginPaused']),
    }),
    async (request) =>
      await regenerateRecoveryCodes(deps, accountPrincipalOf(request), confirmationOf(request)),
  );
  app.post(
    '/v1/me/totp',
    secured(deps, null, {
      operationId: 'beginTotp',
      summary: 'Create a secret for an authenticator app. Logins require a code once the app is confirmed',
      body: ConfirmationRequest,
      response: responses(TotpResponse, ['secondFactorOn', 'loginPaused']),
    }),
    async (request) => await beginTotp(deps, accountPrincipalOf(request), confirmationOf(request)),
  );
  app.post(
    '/v1/me/totp/confirm',
    secured(deps, null, {
      operationId: 'confirmTotp',
      summary: 'Confirm the authenticator app with one of its codes',
      body: OtpRequest,
      response: responses(ConfirmedResponse, ['secondFactorOn', 'noSecondFactor']),
    }),
    async (request) => await finishTotp(deps, accountPrincipalOf(request), request.body.otp),
  );
  app.post(
    '/v1/me/totp/remove',
    secured(deps, null, {
      operationId: 'removeTotp',
      summary: 'Remove the authenticator app',
      body: ConfirmationRequest,
      response: { 204: Done, ...problemResponses(['loginPaused']) },
    }),
    async (request, reply) => {
      await removeTotp(deps, accountPrincipalOf(request), confirmationOf(request));
      return reply.code(204).send(null);
    },
  );
}

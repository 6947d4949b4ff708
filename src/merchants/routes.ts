// Everything that merchants do for themselves: here the login and the public key set that tokens and payment
// results are verified with; keys, account, members and company have files of their own.

import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { VerifyCredentials } from '../http/authentication.ts';
import { networksOf } from '../http/client.ts';
import { problemResponses } from '../http/openapi.ts';
import { enforceClientLimit } from '../http/rate-limit.ts';
import type { HttpServer } from '../http/server.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { readApiKey } from './api-keys.ts';
import type { LoginDeps } from './check-login.ts';
import { registerCompanyRoutes } from './company-routes.ts';
import { registerKeyRoutes } from './key-routes.ts';
import { logIn } from './log-in.ts';
import { registerMemberRoutes } from './member-routes.ts';
import { registerPasskeyRoutes } from './passkey-routes.ts';
import { registerPasswordResetRoutes } from './password-reset-routes.ts';
import { KeySet, LoginRequest, LoginResponse } from './schema.ts';
import { registerSecondFactorRoutes } from './second-factor-routes.ts';
import { loginLimit, registerSessionRoutes } from './session-routes.ts';

export type MerchantRouteDeps = LoginDeps & {
  verifyCredentials: VerifyCredentials;
  loginsPerMinute: number;
  /** Whether mails leave the service. */
  sendsMail: boolean;
};

/** Registers the routes of merchants. */
export function registerMerchantRoutes(app: HttpServer, deps: MerchantRouteDeps): void {
  registerLogin(app, deps);
  registerSessionRoutes(app, deps);
  registerPasswordResetRoutes(app, deps);
  registerKeySet(app, deps);
  registerKeyRoutes(app, deps);
  registerAccountRoutes(app, deps);
  registerSecondFactorRoutes(app, deps);
  registerPasskeyRoutes(app, deps);
  registerMemberRoutes(app, deps);
  registerCompanyRoutes(app, deps);
}

/** The API key that a login brought, by which a client may be known; null for none and for one that is not ours. */
function keyIdOf({ keyring }: Pick<LoginDeps, 'keyring'>, request: FastifyRequest): string | null {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' ? (readApiKey(keyring, key.trim())?.keyId ?? null) : null;
}

function registerLogin(app: HttpServer, deps: MerchantRouteDeps): void {
  const limit = loginLimit(deps.loginsPerMinute);
  app.post(
    '/v1/auth/login',
    {
      onRequest: async (request, reply) =>
        await enforceClientLimit(deps.db, { limit, ip: request.ip, reply }),
      schema: {
        operationId: 'logIn',
        tags: ['auth'],
        summary: 'Authenticate and retrieve a bearer token and the credential headers',
        description:
          'Every login opens a session of 60 minutes. It takes no Idempotency-Key: repeating it only opens another session.',
        body: LoginRequest,
        response: {
          200: {
            ...LoginResponse,
            headers: {
              'X-API-KEY': Type.String({ description: 'The merchant API key, used in later payment calls' }),
              'X-COMPANY-ID': Type.String({
                description: 'The merchant company identifier, used in later payment calls',
              }),
            },
          },
          ...problemResponses([
            'wrongLogin',
            'secondFactorRequired',
            'wrongSecondFactor',
            'noKeyOfMode',
            'invalidFields',
            'rateLimited',
            'loginPaused',
          ]),
        },
      },
    },
    async (request, reply) => {
      const client = { networks: networksOf(request.ip), keyId: keyIdOf(deps, request) };
      const login = await logIn(deps, { ...request.body, client });
      void reply.headers({ 'x-api-key': login.apiKey, 'x-company-id': login.companyId });
      return {
        email: login.account.email,
        accountId: login.account.accountId,
        roles: login.account.roles,
        token: login.token,
        redirectPath: '/dashboard',
        expiresAt: login.expiresAt.toISOString(),
        mode: login.mode,
      };
    },
  );
}

function registerKeySet(app: HttpServer, deps: Pick<MerchantRouteDeps, 'keyring'>): void {
  app.get(
    '/.well-known/jwks.json',
    {
      schema: {
        operationId: 'getKeySet',
        tags: ['auth'],
        summary: 'The public keys (RFC 7517) that verify tokens and payment results',
        description: 'They may be kept for 5 minutes.',
        response: {
          200: KeySet,
        },
      },
    },
    async (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=300');
      return { keys: deps.keyring.jwks.keys as Record<string, string>[] };
    },
  );
}

// The login and the public key set. Registers the other routes of signing in.

import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { parseApiKey } from '../api-keys/api-keys.ts';
import type { VerifyCredentials } from '../http/authentication.ts';
import { networksOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses } from '../http/openapi.ts';
import { enforceClientLimit } from '../http/rate-limit.ts';
import type { LoginDeps } from '../passwords/deps.ts';
import { registerPasskeyRoutes } from '../second-factors/passkey-routes.ts';
import { registerSecondFactorRoutes } from '../second-factors/routes.ts';
import { registerAccessRoute } from './access-route.ts';
import { registerAccountRoutes } from './account-routes.ts';
import { logIn } from './log-in.ts';
import { registerPasswordResetRoutes } from './password-reset-routes.ts';
import { KeySet, LoginRequest, LoginResponse } from './schema.ts';
import { loginLimit, registerSessionRoutes, type SessionRouteDeps } from './session-routes.ts';

export type SignInRouteDeps = LoginDeps & {
  verifyCredentials: VerifyCredentials;
  loginsPerMinute: number;
  isOperator: SessionRouteDeps['isOperator'];
};

export function registerSignInRoutes(app: HttpServer, deps: SignInRouteDeps): void {
  registerLogin(app, deps);
  registerSessionRoutes(app, deps);
  registerPasswordResetRoutes(app, deps);
  registerKeySet(app, deps);
  registerAccessRoute(app, deps);
  registerAccountRoutes(app, deps);
  registerSecondFactorRoutes(app, deps);
  registerPasskeyRoutes(app, deps);
}

/** The ID of the API key that a login used, by which a client may be known; null for none or an invalid one. */
function keyIdOf({ keyring }: Pick<LoginDeps, 'keyring'>, request: FastifyRequest): string | null {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' ? (parseApiKey(keyring, key.trim())?.keyId ?? null) : null;
}

function registerLogin(app: HttpServer, deps: SignInRouteDeps): void {
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
          'Each login opens a session of 60 minutes. An Idempotency-Key is not needed: repeating the call only opens another session.',
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

function registerKeySet(app: HttpServer, deps: Pick<SignInRouteDeps, 'keyring'>): void {
  app.get(
    '/.well-known/jwks.json',
    {
      schema: {
        operationId: 'getKeySet',
        tags: ['auth'],
        summary: 'Retrieve the public keys (RFC 7517) that verify tokens and payment results',
        description: 'You may cache them for 5 minutes.',
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

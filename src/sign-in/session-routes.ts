// Sign-in and sign-out with a browser. Must not show the cookie to scripts.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { findAccount } from '../companies/account-store.ts';
import { findCompany } from '../companies/store.ts';
import { acceptCookie, accountPrincipalOf, type VerifyCredentials } from '../http/authentication.ts';
import { networksOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, responses } from '../http/openapi.ts';
import { enforceClientLimit, type RateLimit } from '../http/rate-limit.ts';
import { rightsOf } from '../http/roles.ts';
import { Done } from '../http/schema-parts.ts';
import { csrfTokenOf } from '../http/session-cookie.ts';
import type { LoginDeps } from '../passwords/deps.ts';
import { checkPasskey } from '../second-factors/check-passkey.ts';
import type { Login } from '../second-factors/check-second-factor.ts';
import { PasskeyOptions, PasskeySignIn } from '../second-factors/passkey-schema.ts';
import { authenticationOptions } from '../second-factors/passkeys.ts';
import {
  browserSessionTtlSeconds,
  findSession,
  idleExpiryOf,
  type OpenedSession,
  openBrowserSession,
} from './browser-session.ts';
import { checkLogin } from './check-login.ts';
import { endOneSession } from './end-sessions.ts';
import { SessionResponse, SignInRequest } from './schema.ts';

export type SessionRouteDeps = LoginDeps & {
  verifyCredentials: VerifyCredentials;
  loginsPerMinute: number;
  /** Whether the account with this email address is an operator of the service. */
  isOperator(email: string): boolean;
};

const setsCookie = {
  'Set-Cookie': Type.String({
    description: 'The HttpOnly cookie of the session: __Host-paylink, or paylink over plain HTTP',
  }),
};

/** One limit for all calls by which strangers may try to sign in. */
export const loginLimit = (perMinute: number): RateLimit => ({
  name: 'login',
  quota: perMinute,
  windowSeconds: 60,
});

async function presentSession(deps: SessionRouteDeps, { companyId, session, cookie }: OpenedSession) {
  const { sessionId, accountId, roles, expiresAt, hasLiveKey } = session;
  const [account, company] = await deps.db.inCompany(companyId, async (tx) => [
    await findAccount(tx, accountId),
    await findCompany(tx),
  ]);
  if (!account || !company) throw new Error('the account of a session does not exist');
  return {
    sessionId,
    accountId,
    email: account.email,
    roles,
    rights: rightsOf(roles),
    companyId,
    companyName: company.name,
    modes: hasLiveKey ? ['test' as const, 'live' as const] : ['test' as const],
    loginMode: company.loginMode,
    isOperator: deps.isOperator(account.email),
    csrfToken: csrfTokenOf(cookie),
    idleEndsAt: idleExpiryOf(session).toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** Opens a session for an authenticated account, sets its cookie, and responds with the session. */
async function respondToSignIn(
  deps: SessionRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  login: Login,
) {
  const now = deps.clock.now();
  const { companyId } = login;
  const cookie = await deps.db.inCompany(companyId, async (tx) => await openBrowserSession(tx, login, now));
  void reply.header('set-cookie', request.server.sessionCookie.set(cookie, browserSessionTtlSeconds));
  const opened = await findSession(deps, { cookie, isInBackground: true });
  return { session: opened && (await presentSession(deps, opened)) };
}

export function registerSessionRoutes(app: HttpServer, deps: SessionRouteDeps): void {
  registerSignIn(app, deps);
  registerPasskeySignIn(app, deps);
  registerOwnSession(app, deps);
}

function limitSignIns({ db, loginsPerMinute }: SessionRouteDeps) {
  const limit = loginLimit(loginsPerMinute);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.server.sessionCookie.rejectCrossSite(request);
    await enforceClientLimit(db, { limit, ip: request.ip, reply });
  };
}

function registerSignIn(app: HttpServer, deps: SessionRouteDeps): void {
  app.post(
    '/v1/session',
    {
      onRequest: limitSignIns(deps),
      schema: {
        operationId: 'signIn',
        tags: ['session'],
        summary: 'Sign in with a browser and get an HttpOnly cookie',
        description:
          'The session ends after 30 minutes without a call, and after 12 hours at the latest. An Idempotency-Key is not needed: repeating the call only opens another session.',
        body: SignInRequest,
        response: responses({ ...SessionResponse, headers: setsCookie }, [
          'wrongLogin',
          'secondFactorRequired',
          'wrongSecondFactor',
          'csrfRefused',
          'rateLimited',
          'loginPaused',
        ]),
      },
    },
    async (request, reply) => {
      const attempt = { ...request.body, client: { networks: networksOf(request.ip) } };
      return await respondToSignIn(deps, request, reply, await checkLogin(deps, attempt, deps.clock.now()));
    },
  );
}

function registerPasskeySignIn(app: HttpServer, deps: SessionRouteDeps): void {
  const onRequest = limitSignIns(deps);
  app.post(
    '/v1/session/passkey-options',
    {
      onRequest,
      schema: {
        operationId: 'beginPasskeySignIn',
        tags: ['session'],
        summary: 'Create the options for a sign-in with a passkey',
        response: responses(PasskeyOptions, ['csrfRefused', 'rateLimited']),
      },
    },
    async () => ({ options: await authenticationOptions(deps) }),
  );
  app.post(
    '/v1/session/passkey',
    {
      onRequest,
      schema: {
        operationId: 'signInWithPasskey',
        tags: ['session'],
        summary: 'Sign in with a passkey, without an address or a password',
        body: PasskeySignIn,
        response: responses({ ...SessionResponse, headers: setsCookie }, [
          'wrongLogin',
          'wrongSecondFactor',
          'csrfRefused',
          'rateLimited',
        ]),
      },
    },
    async (request, reply) =>
      await respondToSignIn(deps, request, reply, await checkPasskey(deps, request.body.response)),
  );
}

function registerOwnSession(app: HttpServer, deps: SessionRouteDeps): void {
  const onRequest = acceptCookie(deps.verifyCredentials);
  app.get(
    '/v1/session',
    {
      onRequest,
      schema: {
        operationId: 'getSession',
        tags: ['session'],
        summary: 'Retrieve the session of the cookie',
        description:
          'Requires no credentials. With X-Paylink-Background: true, a call with the cookie does not count as activity.',
        response: responses(SessionResponse, ['rateLimited']),
      },
    },
    async (request) => {
      const cookie = request.server.sessionCookie.read(request);
      if (!request.principal || cookie === null) return { session: null };
      const opened = await findSession(deps, { cookie, isInBackground: true });
      return { session: opened && (await presentSession(deps, opened)) };
    },
  );
  app.delete(
    '/v1/session',
    {
      onRequest,
      schema: {
        operationId: 'signOut',
        tags: ['session'],
        summary: 'Sign out: end the session and delete the cookie',
        response: { 204: Done, ...problemResponses(['csrfRefused', 'rateLimited']) },
      },
    },
    async (request, reply) => {
      if (request.principal) {
        const caller = accountPrincipalOf(request);
        await endOneSession(deps, caller, caller.sessionId);
      }
      void reply.header('set-cookie', request.server.sessionCookie.clear());
      return reply.code(204).send(null);
    },
  );
}

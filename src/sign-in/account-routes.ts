// The routes of the caller's own account and sessions, for every role.

import { findAccount } from '../companies/account-store.ts';
import { findCompany } from '../companies/store.ts';
import { accountPrincipalOf, type VerifyCredentials } from '../http/authentication.ts';
import { networksOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveRequestId } from '../http/idempotency.ts';
import { problemResponses, responses } from '../http/openapi.ts';
import { PageQuery, paginate, parsePage } from '../http/page-query.ts';
import { Done } from '../http/schema-parts.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import type { LoginDeps } from '../passwords/deps.ts';
import { idleCutoff } from './browser-session.ts';
import { changePassword } from './change-password.ts';
import { endOneSession, endOtherSessions } from './end-sessions.ts';
import { MeResponse, PasswordRequest, SessionList, SessionParams } from './schema.ts';
import { type ListedSession, listSessions } from './session-store.ts';

export type OwnAccountRouteDeps = LoginDeps & { verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('account');

export function registerAccountRoutes(app: HttpServer, deps: OwnAccountRouteDeps): void {
  app.get(
    '/v1/me',
    secured(deps, null, {
      operationId: 'getMe',
      summary: 'Retrieve the account of the caller',
      response: responses(MeResponse),
    }),
    async (request) => {
      const { companyId, accountId, sessionId, roles } = accountPrincipalOf(request);
      const [account, company] = await deps.db.inCompany(companyId, async (tx) => [
        await findAccount(tx, accountId),
        await findCompany(tx),
      ]);
      if (!account || !company) throw new Error('the account of the caller does not exist');
      return {
        accountId,
        email: account.email,
        roles: [...roles],
        companyId,
        companyName: company.name,
        sessionId,
      };
    },
  );

  app.post(
    '/v1/me/password',
    secured(deps, null, {
      operationId: 'changePassword',
      summary: 'Change the password and end all other sessions of the account',
      body: PasswordRequest,
      response: { 204: Done, ...problemResponses(['loginPaused']) },
    }),
    async (request, reply) => {
      const eventId = deriveRequestId(request, 'evt', deps.clock);
      const change = { ...request.body, client: { networks: networksOf(request.ip) }, eventId };
      await changePassword(deps, accountPrincipalOf(request), change);
      return reply.code(204).send(null);
    },
  );

  registerSessions(app, deps);
}

function registerSessions(app: HttpServer, deps: OwnAccountRouteDeps): void {
  app.get(
    '/v1/me/sessions',
    secured(deps, null, {
      operationId: 'listSessions',
      summary: 'List the sessions of the account',
      querystring: PageQuery,
      response: responses(SessionList, ['invalidFields']),
    }),
    async (request) => {
      const { companyId, accountId, sessionId } = accountPrincipalOf(request);
      const page = parsePage(request.query, ['sessions', companyId, accountId]);
      const [before = null] = page.place ?? [];
      const now = deps.clock.now();
      const query = { accountId, now, seenAfter: idleCutoff(now), before, limit: page.limit + 1 };
      const sessions = await deps.db.inCompany(companyId, async (tx) => await listSessions(tx, query));
      const { shown, nextCursor } = paginate(sessions, page, (session) => [session.sessionId]);
      const present = (session: ListedSession) => ({
        sessionId: session.sessionId,
        kind: session.kind,
        createdAt: session.createdAt.toISOString(),
        expiresAt: session.expiresAt.toISOString(),
        isCurrent: session.sessionId === sessionId,
      });
      return { data: shown.map(present), nextCursor };
    },
  );

  app.post(
    '/v1/auth/logout',
    secured(deps, null, {
      operationId: 'logOut',
      summary: 'Log out: end the session of this call',
      response: { 204: Done, ...problemResponses([]) },
    }),
    async (request, reply) => {
      const caller = accountPrincipalOf(request);
      await endOneSession(deps, caller, caller.sessionId);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/v1/me/sessions',
    secured(deps, null, {
      operationId: 'endOtherSessions',
      summary: 'End all other sessions of the account',
      response: { 204: Done, ...problemResponses([]) },
    }),
    async (request, reply) => {
      await endOtherSessions(deps, accountPrincipalOf(request));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/v1/me/sessions/:sessionId',
    secured(deps, null, {
      operationId: 'endSession',
      summary: 'End a session of the account',
      params: SessionParams,
      response: { 204: Done, ...problemResponses([]) },
    }),
    async (request, reply) => {
      await endOneSession(deps, accountPrincipalOf(request), request.params.sessionId);
      return reply.code(204).send(null);
    },
  );
}

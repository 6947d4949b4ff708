// The routes of members and invitations. Accepting an invitation needs no credentials.

import type { Keyring } from '../base/keyring.ts';
import { listMembers, type Member } from '../companies/account-store.ts';
import { accountPrincipalOf, type VerifyCredentials } from '../http/authentication.ts';
import { networksOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveRequestId } from '../http/idempotency.ts';
import { problemResponses, responses } from '../http/openapi.ts';
import { PageQuery, paginate, parsePage } from '../http/page-query.ts';
import { enforceClientLimit } from '../http/rate-limit.ts';
import { Done } from '../http/schema-parts.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import type { PasswordPool } from '../passwords/password-pool.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { changeRoles, removeMember } from './change-member.ts';
import { invitationUrl } from './emailed-links.ts';
import { cancelInvitation, inviteMember, type MemberDeps } from './invite-member.ts';
import {
  AcceptRequest,
  AcceptResponse,
  InvitationList,
  InvitationParams,
  InvitationRequest,
  InvitationResponse,
  MemberList,
  MemberParams,
  MemberResponse,
  RolesRequest,
} from './schema.ts';
import { type Invitation, listInvitations } from './store.ts';

export type MemberRouteDeps = MemberDeps & {
  keyring: Keyring;
  baseUrl: string;
  verifyCredentials: VerifyCredentials;
  loginsPerMinute: number;
  passwords: PasswordPool;
  /** Whether emails leave the service. Without a mail server they are files. */
  canSendEmail: boolean;
};

const secured = describeSecuredRoutes('members');

function presentMember({ accountId, email, roles, createdAt }: Member) {
  return { accountId, email, roles, createdAt: createdAt.toISOString() };
}

function presentInvitation(invitation: Invitation) {
  const { invitationId, email, roles, invitedBy, createdAt, expiresAt } = invitation;
  return {
    invitationId,
    email,
    roles,
    invitedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** Protects the mailboxes that the emails go to. */
const invitationLimit = { name: 'invitation_mail', quota: 100, windowSeconds: 3600 };

export function registerMemberRoutes(app: HttpServer, deps: MemberRouteDeps): void {
  app.get(
    '/v1/members',
    secured(deps, 'members:read', {
      operationId: 'listMembers',
      summary: 'List the members of the company',
      querystring: PageQuery,
      response: responses(MemberList, ['invalidFields']),
    }),
    async (request) => {
      const { companyId } = accountPrincipalOf(request);
      const page = parsePage(request.query, ['members', companyId]);
      const [after = ''] = page.place ?? [];
      const members = await deps.db.inCompany(
        companyId,
        async (tx) => await listMembers(tx, after, page.limit + 1),
      );
      const { shown, nextCursor } = paginate(members, page, ({ accountId }) => [accountId]);
      return { data: shown.map(presentMember), nextCursor };
    },
  );

  app.patch(
    '/v1/members/:accountId',
    secured(deps, 'members:manage', {
      operationId: 'changeMember',
      summary: 'Change the roles of a member',
      params: MemberParams,
      body: RolesRequest,
      response: responses(MemberResponse, ['lastOwner']),
    }),
    async (request) => {
      const change = { accountId: request.params.accountId, roles: request.body.roles };
      return presentMember(await changeRoles(deps, accountPrincipalOf(request), change));
    },
  );

  app.delete(
    '/v1/members/:accountId',
    secured(deps, 'members:manage', {
      operationId: 'removeMember',
      summary: 'Remove a member and end their sessions',
      params: MemberParams,
      response: { 204: Done, ...problemResponses(['lastOwner']) },
    }),
    async (request, reply) => {
      await removeMember(deps, accountPrincipalOf(request), request.params.accountId);
      return reply.code(204).send(null);
    },
  );

  registerInvitations(app, deps);
  registerAcceptance(app, deps);
}

function registerInvitations(app: HttpServer, deps: MemberRouteDeps): void {
  app.post(
    '/v1/members',
    {
      ...secured(deps, 'members:manage', {
        operationId: 'inviteMember',
        summary: 'Invite a person by email',
        description:
          'The email is sent if the service has a mail server (isMailed). Otherwise, share the link from the response yourself. A company can send 100 invitations per hour.',
        body: InvitationRequest,
        response: responses(InvitationResponse, ['emailTaken']),
      }),
      config: { companyLimit: invitationLimit },
    },
    async (request) => {
      const { invitationId, token, expiresAt } = await inviteMember(deps, accountPrincipalOf(request), {
        ...request.body,
        invitationId: deriveRequestId(request, 'inv', deps.clock),
      });
      const url = invitationUrl(deps.baseUrl, token);
      return { invitationId, url, expiresAt: expiresAt.toISOString(), isMailed: deps.canSendEmail };
    },
  );

  app.get(
    '/v1/invitations',
    secured(deps, 'members:read', {
      operationId: 'listInvitations',
      summary: 'List the open invitations',
      querystring: PageQuery,
      response: responses(InvitationList, ['invalidFields']),
    }),
    async (request) => {
      const { companyId } = accountPrincipalOf(request);
      const page = parsePage(request.query, ['invitations', companyId]);
      const [after = ''] = page.place ?? [];
      const query = { now: deps.clock.now(), after, limit: page.limit + 1 };
      const invitations = await deps.db.inCompany(companyId, async (tx) => await listInvitations(tx, query));
      const { shown, nextCursor } = paginate(invitations, page, ({ invitationId }) => [invitationId]);
      return { data: shown.map(presentInvitation), nextCursor };
    },
  );

  app.delete(
    '/v1/invitations/:invitationId',
    secured(deps, 'members:manage', {
      operationId: 'revokeInvitation',
      summary: 'Revoke an invitation',
      params: InvitationParams,
      response: { 204: Done, ...problemResponses([]) },
    }),
    async (request, reply) => {
      await cancelInvitation(deps, accountPrincipalOf(request), request.params.invitationId);
      return reply.code(204).send(null);
    },
  );
}

function registerAcceptance(app: HttpServer, deps: MemberRouteDeps): void {
  const limit = { name: 'invitation', quota: deps.loginsPerMinute, windowSeconds: 60 };
  app.post(
    '/v1/invitations/accept',
    {
      onRequest: async (request, reply) =>
        await enforceClientLimit(deps.db, { limit, ip: request.ip, reply }),
      schema: {
        tags: ['members'],
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation and create the account',
        body: AcceptRequest,
        response: responses(AcceptResponse, [
          'invalidInvitation',
          'emailTaken',
          'invalidFields',
          'rateLimited',
        ]),
      },
    },
    async (request) => {
      const { accountId, email, roles, companyId } = await acceptInvitation(deps, {
        ...request.body,
        networks: networksOf(request.ip),
      });
      return { accountId, email, roles: [...roles], companyId };
    },
  );
}

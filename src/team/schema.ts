// The API shapes of members and invitations.

import { Type } from 'typebox';
import { listSchema } from '../http/page-query.ts';
import { accountId, email, idParameter, ids, moment, rolesOf, shownRoles } from '../http/schema-parts.ts';
import { newPassword } from '../passwords/schema-parts.ts';

export const MemberParams = Type.Object({ accountId: idParameter('Account identifier', ids.account) });

const memberFields = {
  accountId,
  email: Type.String({ description: 'Account email address' }),
  roles: shownRoles,
  createdAt: moment('When the account was created'),
};

const memberExample = {
  accountId: ids.account,
  email: 'grace@example.com',
  roles: ['developer'],
  createdAt: '2026-11-20T12:54:58.330Z',
};

export const MemberResponse = Type.Object(memberFields, {
  title: 'Member',
  description: 'The member',
  examples: [memberExample],
});
export const MemberList = listSchema(MemberResponse, {
  description: 'The members, oldest first',
  examples: [{ data: [memberExample], nextCursor: null }],
});
export const RolesRequest = Type.Object(
  { roles: rolesOf('The new roles. They replace all current roles') },
  { additionalProperties: false, examples: [{ roles: ['support'] }] },
);

export const InvitationParams = Type.Object({
  invitationId: idParameter('ID of the invitation', ids.invitation),
});

export const InvitationRequest = Type.Object(
  { email: email('Email address of the person to invite'), roles: rolesOf('Roles of the new account') },
  {
    additionalProperties: false,
    examples: [{ email: 'grace@example.com', roles: ['developer'] }],
  },
);

export const InvitationResponse = Type.Object(
  {
    invitationId: Type.String({ description: 'ID of the invitation. It is not secret' }),
    url: Type.String({ description: 'The link to accept the invitation. The part after # is the token' }),
    expiresAt: moment('When the invitation expires'),
    isMailed: Type.Boolean({
      description:
        'Whether the link is sent by email. If false, the service has no mail server: share the link yourself',
    }),
  },
  {
    title: 'InvitationWithLink',
    description: 'The invitation. Its link is shown only once',
    examples: [
      {
        invitationId: ids.invitation,
        url: 'https://pay.example.com/dashboard/invitation#invite_3f7k2m9q4f1f0c9e…',
        expiresAt: '2026-11-27T12:54:58.330Z',
        isMailed: true,
      },
    ],
  },
);

export const InvitationList = listSchema(
  Type.Object(
    {
      invitationId: Type.String({ description: 'ID of the invitation' }),
      email: Type.String({ description: 'Email address of the invited person' }),
      roles: shownRoles,
      invitedBy: Type.String({ description: 'The account that sent the invitation' }),
      createdAt: moment('When it was made'),
      expiresAt: moment('When it ends'),
    },
    { title: 'Invitation' },
  ),
  {
    description: 'The open invitations, oldest first',
    examples: [
      {
        data: [
          {
            invitationId: ids.invitation,
            email: 'grace@example.com',
            roles: ['developer'],
            invitedBy: ids.account,
            createdAt: '2026-11-20T12:54:58.330Z',
            expiresAt: '2026-11-27T12:54:58.330Z',
          },
        ],
        nextCursor: null,
      },
    ],
  },
);

const exampleToken = 'invite_3f7k2m9q4f1f0c9e2b7a5d8836e1c4b9072d5fa83c6e91b04d7f2a8c5e3b6091d4f7a2c8';

export const AcceptRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The token of the invitation',
      examples: [exampleToken],
    }),
    password: newPassword,
  },
  {
    additionalProperties: false,
    examples: [{ token: exampleToken, password: 'four quiet rivers at dawn' }],
  },
);

export const AcceptResponse = Type.Object(
  {
    accountId,
    email: Type.String({ description: 'Account email address' }),
    roles: shownRoles,
    companyId: Type.String({ description: 'Company identifier' }),
  },
  {
    title: 'AcceptedInvitation',
    description: 'The account was created. Log in with it',
    examples: [
      {
        accountId: ids.account,
        email: 'grace@example.com',
        roles: ['developer'],
        companyId: ids.company,
      },
    ],
  },
);

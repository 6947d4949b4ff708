// The shapes of the login, of keys, people and the company, declared once: validation, types, filtering of
// the answer and OpenAPI all come from here.

import { type Static, Type } from 'typebox';
import { plainMailAddress } from '../base/mail-address.ts';
import { listOf } from '../http/page-query.ts';
import { minPasswordLength } from './password-policy.ts';
import { roles } from './roles.ts';

/** One of the given texts, which its type knows too. */
const oneOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description ? { description } : {}) });

const moment = (description: string) => Type.String({ description: `${description}; RFC 3339, UTC` });
const momentOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description}; RFC 3339, UTC` });

const email = (description: string) =>
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@]+@[^\\s@]+$',
    'x-hint': 'This must be an e-mail address.',
    description,
    examples: ['owner@example.com'],
  });
const password = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Account password',
  examples: ['a small boat on still water'],
});
const newPassword = Type.String({
  minLength: minPasswordLength,
  maxLength: 1024,
  description: `At least ${minPasswordLength} characters; not the e-mail address, and none of the most common ones`,
  examples: ['four quiet rivers at dawn'],
});
const rolesOf = (description: string) =>
  Type.Array(oneOf(roles), {
    minItems: 1,
    maxItems: roles.length,
    uniqueItems: true,
    description,
    examples: [['developer']],
  });
const shownRoles = Type.Array(Type.String(), { description: 'Roles of the account' });
const accountId = Type.String({ description: 'Account identifier' });

// Login -------------------------------------------------------------------------------------------

export const LoginRequest = Type.Object(
  { email: email('Account e-mail address'), password },
  {
    additionalProperties: false,
    examples: [{ email: 'owner@example.com', password: 'correct horse battery' }],
  },
);

export const LoginResponse = Type.Object(
  {
    email: Type.String({ description: 'Account e-mail address' }),
    accountId,
    roles: shownRoles,
    token: Type.String({ description: 'Bearer token for later calls, good for 60 minutes' }),
    redirectPath: Type.String({ description: 'Path to redirect to after login' }),
    expiresAt: moment('When the token ends'),
  },
  {
    description: 'The account is authenticated; the headers carry the credentials for later calls',
    examples: [
      {
        email: 'owner@example.com',
        accountId: 'acc_01m7wf3wswavyweszg1v4e9mnn',
        roles: ['owner'],
        token: 'eyJhbGciOiJFZERTQSIs…',
        redirectPath: '/dashboard',
        expiresAt: '2026-11-20T13:54:58.330Z',
      },
    ],
  },
);

export const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.String())) },
  {
    description: 'The key set',
    examples: [
      {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
            alg: 'EdDSA',
            use: 'sig',
          },
        ],
      },
    ],
  },
);

// Keys --------------------------------------------------------------------------------------------

export const KeyRequest = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[^\\p{C}]*[^\\p{C}\\s][^\\p{C}]*$',
        'x-hint': 'This must have printable characters only.',
        description: 'What people call it',
        examples: ['Shop, production'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const RollRequest = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'How long the old key stays good beside the new one; 24 without it, 0 ends it at once',
        examples: [24],
      }),
    ),
  },
  { additionalProperties: false },
);

const keyFields = {
  keyId: Type.String({ description: 'Identification of the key; no secret' }),
  name: Type.String({ description: 'What people call it' }),
  mode: Type.String({ enum: ['test', 'live'], description: 'Whether it moves real money' }),
  status: Type.String({
    enum: ['active', 'expiring', 'expired', 'revoked'],
    description: 'expiring: it was rolled and is good until expiresAt. Expired and revoked keys are refused',
  }),
  createdAt: moment('When it was created'),
  createdBy: Type.String({ description: 'The account that created it, or system' }),
  expiresAt: momentOrNull('When a key that was rolled ends'),
  revokedAt: momentOrNull('When it was revoked'),
};

export const KeyResponse = Type.Object(keyFields, { description: 'The key, without its secret' });
export const NewKeyResponse = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key itself, for X-API-KEY' }) },
  { description: 'The new key; this answer and the login show it' },
);
export const KeyList = listOf(keyFields, 'The keys, the newest first');

// Account -----------------------------------------------------------------------------------------

export const MeResponse = Type.Object(
  {
    accountId,
    email: Type.String({ description: 'Account e-mail address' }),
    roles: shownRoles,
    companyId: Type.String({ description: 'Company identifier' }),
    companyName: Type.String({ description: 'What customers see as the payee' }),
    sessionId: Type.String({ description: 'The session of the token of this call' }),
  },
  { description: 'Whose credentials these are' },
);

export const PasswordRequest = Type.Object(
  { currentPassword: password, newPassword },
  { additionalProperties: false },
);

export const SessionList = listOf(
  {
    sessionId: Type.String({ description: 'Identification of the session' }),
    createdAt: moment('When it was opened by a login'),
    expiresAt: moment('When its token ends'),
    isCurrent: Type.Boolean({ description: 'Whether this call is made with its token' }),
  },
  'The sessions of the account that are good, the newest first',
);

// Members -----------------------------------------------------------------------------------------

const memberFields = {
  accountId,
  email: Type.String({ description: 'Account e-mail address' }),
  roles: shownRoles,
  createdAt: moment('When the account was made'),
};

export const MemberResponse = Type.Object(memberFields, { description: 'The member' });
export const MemberList = listOf(memberFields, 'The members, the oldest first');
export const RolesRequest = Type.Object(
  { roles: rolesOf('The roles that replace all those before') },
  { additionalProperties: false },
);

export const InvitationRequest = Type.Object(
  { email: email('Whom to invite'), roles: rolesOf('Roles of the account that it will make') },
  { additionalProperties: false },
);

export const InvitationResponse = Type.Object(
  {
    invitationId: Type.String({ description: 'Identification of the invitation; no secret' }),
    url: Type.String({ description: 'The address to pass on; what stands after # is the token' }),
    expiresAt: moment('When the invitation ends'),
  },
  { description: 'The invitation; its address is shown this once' },
);

export const InvitationList = listOf(
  {
    invitationId: Type.String({ description: 'Identification of the invitation' }),
    email: Type.String({ description: 'Who is invited' }),
    roles: shownRoles,
    invitedBy: Type.String({ description: 'The account that invited' }),
    createdAt: moment('When it was made'),
    expiresAt: moment('When it ends'),
  },
  'The invitations that can still be accepted, the oldest first',
);

export const AcceptRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The token of the invitation',
      examples: ['invite_w25j88cf4f1f0c9e2b7a5d8836e1c4b9072d5fa83c6e91b04d7f2a8c5e3b6091d4f7a2c8'],
    }),
    password: newPassword,
  },
  { additionalProperties: false },
);

export const AcceptResponse = Type.Object(
  {
    accountId,
    email: Type.String({ description: 'Account e-mail address' }),
    roles: shownRoles,
    companyId: Type.String({ description: 'Company identifier' }),
  },
  { description: 'The account is made; log in with it' },
);

// Company -----------------------------------------------------------------------------------------

const companyName = 'What customers see as the payee';
const countryCode = 'ISO 3166-1 alpha-2; the country of phone numbers that name none';
const retryPolicy = oneOf(
  ['none', 'fixable', 'all'],
  'After which declines a customer may try again on the same link',
);
const originList = 'Origins that success_url and failure_url may have; empty: any';
const brandColor = 'Colour of the buttons on the hosted pages; null: the colour of the house';
const brandLogo = 'A PNG in base64, at most 8,000 bytes and 512 × 512 pixels; null: none';

const receipts = 'Whether customers get a receipt by mail after a payment and after a refund';
const notices = 'Whether the company gets a mail about each payment';
const noticeAddress = 'Where that mail goes; null: to the owner who has been there longest';
const replyTo = 'Where answers to mail go; null: nowhere in particular';
const reminderHours =
  'How many hours before its end an unpaid link is brought to the customer’s mind, once; null: never';

const mailAddress = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        Type.String({
          minLength: 3,
          maxLength: 254,
          pattern: plainMailAddress.source,
          'x-hint': 'This must be an e-mail address.',
        }),
        Type.Null(),
      ],
      { description, examples: ['orders@shop.example'] },
    ),
  );
const MailChange = Type.Object(
  {
    receipts: Type.Optional(Type.Boolean({ description: receipts, examples: [true] })),
    notices: Type.Optional(Type.Boolean({ description: notices, examples: [true] })),
    noticeAddress: mailAddress(noticeAddress),
    replyTo: mailAddress(replyTo),
    reminderHours: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 168 }), Type.Null()], {
        description: reminderHours,
        examples: [24],
      }),
    ),
  },
  { additionalProperties: false },
);

export const CompanyResponse = Type.Object(
  {
    companyId: Type.String({ description: 'Company identifier' }),
    name: Type.String({ description: companyName }),
    country: Type.String({ description: countryCode }),
    branding: Type.Object({
      color: Type.Union([Type.String(), Type.Null()], { description: brandColor }),
      logo: Type.Union([Type.String(), Type.Null()], { description: brandLogo }),
    }),
    retryPolicy,
    allowedOrigins: Type.Array(Type.String(), { description: originList }),
    mail: Type.Object({
      receipts: Type.Boolean({ description: receipts }),
      notices: Type.Boolean({ description: notices }),
      noticeAddress: Type.Union([Type.String(), Type.Null()], { description: noticeAddress }),
      replyTo: Type.Union([Type.String(), Type.Null()], { description: replyTo }),
      reminderHours: Type.Union([Type.Integer(), Type.Null()], { description: reminderHours }),
    }),
  },
  { description: 'The company' },
);

export const CompanyChange = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: companyName, examples: ['Shop Ltd'] }),
    ),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        'x-hint': 'This must be two capital letters, such as DE.',
        description: countryCode,
        examples: ['DE'],
      }),
    ),
    branding: Type.Optional(
      Type.Object(
        {
          color: Type.Optional(
            Type.Union(
              [
                Type.String({
                  pattern: '^#[0-9a-f]{6}$',
                  'x-hint': 'This must be a colour like #1849a9, in lower case.',
                }),
                Type.Null(),
              ],
              {
                description: `${brandColor}. White text on it needs a contrast of 4.5`,
                examples: ['#1849a9'],
              },
            ),
          ),
          logo: Type.Optional(
            Type.Union([Type.String({ maxLength: 60_000 }), Type.Null()], {
              description: brandLogo,
              examples: [
                'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
              ],
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    retryPolicy: Type.Optional(retryPolicy),
    allowedOrigins: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), {
        maxItems: 20,
        description: originList,
        examples: [['https://shop.example']],
      }),
    ),
    mail: Type.Optional(MailChange),
  },
  { additionalProperties: false },
);
export type CompanyChange = Static<typeof CompanyChange>;

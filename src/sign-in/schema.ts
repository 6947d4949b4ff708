// The shapes of the login, of keys and of the caller's account, declared once: validation, types, filtering
// of the response and OpenAPI use them.

import { Type } from 'typebox';
import { listSchema } from '../http/page-query.ts';
import { accountId, email, idParameter, ids, moment, oneOf, shownRoles } from '../http/schema-parts.ts';
import { newPassword, password } from '../passwords/schema-parts.ts';
import { factorFields } from '../second-factors/schema-parts.ts';

// Login -------------------------------------------------------------------------------------------

export const LoginRequest = Type.Object(
  {
    email: email('Account e-mail address'),
    password,
    mode: Type.Optional(
      oneOf(['test', 'live'], 'Which API key to return; without it, that of the company’s loginMode'),
    ),
    ...factorFields,
  },
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
    mode: oneOf(['test', 'live'], 'That of the API key in the header: whether it moves real money'),
  },
  {
    title: 'LogInResult',
    description: 'The account is authenticated; the headers carry the credentials for later calls',
    examples: [
      {
        email: 'owner@example.com',
        accountId: ids.account,
        roles: ['owner'],
        token: 'eyJhbGciOiJFZERTQSIs…',
        redirectPath: '/dashboard',
        expiresAt: '2026-11-20T13:54:58.330Z',
        mode: 'test',
      },
    ],
  },
);

export const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.String(), { title: 'Jwk' })) },
  {
    title: 'JwkSet',
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
  {
    title: 'Account',
    description: 'Whose credentials these are',
    examples: [
      {
        accountId: ids.account,
        email: 'owner@example.com',
        roles: ['owner'],
        companyId: ids.company,
        companyName: 'Shop Ltd',
        sessionId: ids.session,
      },
    ],
  },
);

export const PasswordRequest = Type.Object(
  { currentPassword: password, newPassword },
  {
    additionalProperties: false,
    examples: [{ currentPassword: 'a small boat on still water', newPassword: 'four quiet rivers at dawn' }],
  },
);

export const SessionParams = Type.Object({
  sessionId: idParameter('Identification of the session', ids.session),
});

export const SessionList = listSchema(
  Type.Object(
    {
      sessionId: Type.String({ description: 'Identification of the session' }),
      kind: Type.String({
        enum: ['browser', 'token'],
        description: 'browser: somebody signed in with one; token: a program logged in',
      }),
      createdAt: moment('When it was opened by a login'),
      expiresAt: moment('When it ends, whatever happens'),
      isCurrent: Type.Boolean({ description: 'Whether this call is made in it' }),
    },
    { title: 'AccountSession' },
  ),
  {
    description: 'The sessions of the account that are good, the newest first',
    examples: [
      {
        data: [
          {
            sessionId: ids.session,
            kind: 'token',
            createdAt: '2026-11-20T12:54:58.330Z',
            expiresAt: '2026-11-20T13:54:58.330Z',
            isCurrent: true,
          },
        ],
        nextCursor: null,
      },
    ],
  },
);

// The API shapes of the login, the sign-in with a browser, the key set and the caller's account.

import { Type } from 'typebox';
import { listSchema } from '../http/page-query.ts';
import {
  accountId,
  email,
  idParameter,
  ids,
  moment,
  oneOf,
  shownRoles,
  textOrNull,
} from '../http/schema-parts.ts';
import { newPassword, password } from '../passwords/schema-parts.ts';
import { factorFields } from '../second-factors/schema-parts.ts';

export const LoginRequest = Type.Object(
  {
    email: email('Account email address'),
    password,
    mode: Type.Optional(
      oneOf(['test', 'live'], 'Mode of the API key to return. Default: the company’s loginMode'),
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
    email: Type.String({ description: 'Account email address' }),
    accountId,
    roles: shownRoles,
    token: Type.String({ description: 'Bearer token for later calls, valid for 60 minutes' }),
    redirectPath: Type.String({ description: 'Path to redirect to after login' }),
    expiresAt: moment('When the token expires'),
    mode: oneOf(['test', 'live'], 'Mode of the API key in the header'),
  },
  {
    title: 'LogInResult',
    description: 'The account is authenticated. The headers contain the credentials for later calls',
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

export const MeResponse = Type.Object(
  {
    accountId,
    email: Type.String({ description: 'Account email address' }),
    roles: shownRoles,
    companyId: Type.String({ description: 'Company identifier' }),
    companyName: Type.String({ description: 'What customers see as the payee' }),
    sessionId: Type.String({ description: 'The session of this call' }),
  },
  {
    title: 'Account',
    description: 'The account of the caller',
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

export const AccessResponse = Type.Object(
  {
    companyId: Type.String({ description: 'Company identifier' }),
    mode: oneOf(['test', 'live'], 'Whether the credentials move real money'),
    accountId: textOrNull('The account that calls; null for a service key'),
    serviceKeyId: textOrNull('ID of the service key that calls; null for an account'),
    rights: Type.Array(Type.String(), {
      description: 'The rights of the account by its roles, or the scopes of the service key',
    }),
  },
  {
    title: 'Access',
    description: 'What the credentials may do',
    examples: [
      {
        companyId: ids.company,
        mode: 'test',
        accountId: null,
        serviceKeyId: ids.key,
        rights: ['payments:create', 'payments:read'],
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
  sessionId: idParameter('ID of the session', ids.session),
});

export const SessionList = listSchema(
  Type.Object(
    {
      sessionId: Type.String({ description: 'ID of the session' }),
      kind: Type.String({
        enum: ['browser', 'token'],
        description: 'browser: sign-in with a browser; token: login of a program',
      }),
      createdAt: moment('When it was opened'),
      expiresAt: moment('When it ends at the latest'),
      isCurrent: Type.Boolean({ description: 'Whether it is the session of this call' }),
    },
    { title: 'AccountSession' },
  ),
  {
    description: 'The active sessions of the account, newest first',
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

export const SignInRequest = Type.Object(
  { email: email('Account email address'), password, ...factorFields },
  {
    additionalProperties: false,
    examples: [{ email: 'owner@example.com', password: 'correct horse battery' }],
  },
);

const Session = Type.Object(
  {
    sessionId: Type.String({ description: 'ID of the session' }),
    accountId,
    email: Type.String({ description: 'Account email address' }),
    roles: shownRoles,
    rights: Type.Array(Type.String(), { description: 'The rights that the roles grant' }),
    companyId: Type.String({ description: 'Company identifier' }),
    companyName: Type.String({ description: 'What customers see as the payee' }),
    modes: Type.Array(oneOf(['test', 'live']), {
      description: 'The allowed values of X-Paylink-Mode. live requires an active live API key',
    }),
    loginMode: oneOf(['test', 'live'], 'The company’s mode for logins'),
    isOperator: Type.Boolean({
      description: 'Whether the account may read the status of the service at GET /v1/operator/status',
    }),
    csrfToken: Type.String({ description: 'Send it as X-Paylink-Csrf with every call except GET' }),
    idleEndsAt: moment('When the session ends without another call. Calls extend it, at most once a minute'),
    expiresAt: moment('When the session ends at the latest'),
  },
  { title: 'Session' },
);

export const SessionResponse = Type.Object(
  { session: Type.Union([Session, Type.Null()], { description: 'null: nobody is signed in' }) },
  {
    title: 'SessionResponse',
    description: 'The session of the cookie',
    examples: [
      {
        session: {
          sessionId: ids.session,
          accountId: ids.account,
          email: 'owner@example.com',
          roles: ['viewer'],
          rights: ['payments:read', 'events:read', 'balances:read', 'company:read'],
          companyId: ids.company,
          companyName: 'Shop Ltd',
          modes: ['test'],
          loginMode: 'test',
          isOperator: false,
          csrfToken: 'v0Z5b1kqk1lH2j8m4oQ4m8m4r0m6vX3Yq2l0Jx4cYbA',
          idleEndsAt: '2026-11-20T13:24:58.330Z',
          expiresAt: '2026-11-21T00:54:58.330Z',
        },
      },
    ],
  },
);

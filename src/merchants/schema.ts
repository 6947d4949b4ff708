// The shapes of the login, declared once: validation, types, filtering of the answer and OpenAPI all
// come from here.

import { Type } from 'typebox';

export const LoginRequest = Type.Object(
  {
    email: Type.String({
      maxLength: 254,
      pattern: '^[^\\s@]+@[^\\s@]+$',
      'x-hint': 'This must be an e-mail address.',
      description: 'Account e-mail address',
      examples: ['owner@example.com'],
    }),
    password: Type.String({ minLength: 1, maxLength: 1024, description: 'Account password' }),
  },
  {
    additionalProperties: false,
    examples: [{ email: 'owner@example.com', password: 'correct horse battery' }],
  },
);

export const LoginResponse = Type.Object(
  {
    email: Type.String({ description: 'Account e-mail address' }),
    accountId: Type.String({ description: 'Account identifier' }),
    roles: Type.Array(Type.String(), { description: 'Roles of the account' }),
    token: Type.String({ description: 'Bearer token for later calls, good for 60 minutes' }),
    redirectPath: Type.String({ description: 'Path to redirect to after login' }),
    expiresAt: Type.String({ description: 'When the token ends; RFC 3339, UTC' }),
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

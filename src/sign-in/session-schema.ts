// The API shapes of browser sign-in.

import { Type } from 'typebox';
import { accountId, email, ids, moment, oneOf, shownRoles } from '../http/schema-parts.ts';
import { password } from '../passwords/schema-parts.ts';
import { factorFields } from '../second-factors/schema-parts.ts';

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
          csrfToken: 'v0Z5b1kqk1lH2j8m4oQ4m8m4r0m6vX3Yq2l0Jx4cYbA',
          idleEndsAt: '2026-11-20T13:24:58.330Z',
          expiresAt: '2026-11-21T00:54:58.330Z',
        },
      },
    ],
  },
);

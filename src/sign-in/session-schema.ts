// The shapes of browser sign-in, declared once: validation, types, filtering of the response and OpenAPI use them.

import { Type } from 'typebox';
import { accountId, email, ids, moment, oneOf, shownRoles } from '../http/schema-parts.ts';
import { password } from '../passwords/schema-parts.ts';
import { factorFields } from '../second-factors/schema-parts.ts';

export const SignInRequest = Type.Object(
  { email: email('Account e-mail address'), password, ...factorFields },
  {
    additionalProperties: false,
    examples: [{ email: 'owner@example.com', password: 'correct horse battery' }],
  },
);

const Session = Type.Object(
  {
    sessionId: Type.String({ description: 'Identification of the session' }),
    accountId,
    email: Type.String({ description: 'Account e-mail address' }),
    roles: shownRoles,
    rights: Type.Array(Type.String(), { description: 'What the roles allow, by the names of the rights' }),
    companyId: Type.String({ description: 'Company identifier' }),
    companyName: Type.String({ description: 'What customers see as the payee' }),
    modes: Type.Array(oneOf(['test', 'live']), {
      description: 'What X-Paylink-Mode may say: live once the company has a live API key that is good',
    }),
    loginMode: oneOf(['test', 'live'], 'The mode that the company has set for its logins'),
    csrfToken: Type.String({ description: 'To send in X-Paylink-Csrf with every call that is no GET' }),
    idleEndsAt: moment('When the session ends without another call; a call puts it off, by the minute'),
    expiresAt: moment('When the session ends, whatever happens'),
  },
  { title: 'Session' },
);

export const SessionResponse = Type.Object(
  { session: Type.Union([Session, Type.Null()], { description: 'null: nobody is signed in' }) },
  {
    title: 'SessionResponse',
    description: 'Who is signed in with the cookie',
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

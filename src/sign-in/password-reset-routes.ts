// The routes of forgotten passwords. They need no credentials, and must not reveal whether an address has an account.

import { Type } from 'typebox';
import { networksOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses } from '../http/openapi.ts';
import { enforceClientLimit, type RateLimit } from '../http/rate-limit.ts';
import { Done, email } from '../http/schema-parts.ts';
import type { PasswordPool } from '../passwords/password-pool.ts';
import { newPassword } from '../passwords/schema-parts.ts';
import { acceptPasswordReset } from './accept-password-reset.ts';
import { type ResetDeps, requestPasswordReset } from './request-password-reset.ts';

const exampleToken = 'reset_3f7k2m9q4f1f0c9e2b7a5d8836e1c4b9072d5fa83c6e91b04d7f2a8c5e3b6091d4f7a2c8';

const AskRequest = Type.Object(
  { email: email('Account email address') },
  {
    title: 'ForgotPasswordRequest',
    additionalProperties: false,
    examples: [{ email: 'owner@example.com' }],
  },
);

const AcceptRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The token: the part of the link after #',
      examples: [exampleToken],
    }),
    password: newPassword,
  },
  {
    title: 'ResetPasswordRequest',
    additionalProperties: false,
    examples: [{ token: exampleToken, password: 'four quiet rivers at dawn' }],
  },
);

/** Undefined, because null would be written as a body. */
const NoBody = Type.Unsafe<undefined>({
  type: 'null',
  description: 'An email is sent if the address has an account. The body is empty',
});

export function registerPasswordResetRoutes(
  app: HttpServer,
  deps: ResetDeps & { loginsPerMinute: number; passwords: PasswordPool },
): void {
  // A limit of its own, so that failed logins do not block a reset.
  const limit: RateLimit = { name: 'reset', quota: deps.loginsPerMinute, windowSeconds: 60 };
  const common = { tags: ['session'] };

  app.post(
    '/v1/password-resets',
    {
      onRequest: async (request, reply) =>
        await enforceClientLimit(deps.db, { limit, ip: request.ip, reply }),
      schema: {
        ...common,
        operationId: 'askPasswordReset',
        summary: 'Request a password reset link by email',
        description:
          'The response and its duration are the same whether or not the account exists. The link is valid for 30 minutes and one use. A newer link replaces it. Each account gets at most 5 emails per hour.',
        body: AskRequest,
        response: {
          202: NoBody,
          ...problemResponses(['invalidFields', 'rateLimited']),
        },
      },
    },
    async (request, reply) => {
      await requestPasswordReset(deps, request.body.email);
      return reply.code(202).send(undefined);
    },
  );

  app.post(
    '/v1/password-resets/accept',
    {
      onRequest: async (request, reply) =>
        await enforceClientLimit(deps.db, { limit, ip: request.ip, reply }),
      schema: {
        ...common,
        operationId: 'acceptPasswordReset',
        summary: 'Set a new password with a reset link and end all sessions of the account',
        body: AcceptRequest,
        response: {
          204: Done,
          ...problemResponses(['invalidPasswordReset', 'invalidFields', 'rateLimited']),
        },
      },
    },
    async (request, reply) => {
      await acceptPasswordReset(deps, { ...request.body, client: { networks: networksOf(request.ip) } });
      return reply.code(204).send(null);
    },
  );
}

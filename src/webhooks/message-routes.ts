// The route of a single event's webhook: the message that an endpoint would receive now, for programs that
// forward messages to an address that Paylink can't reach, such as `paylink listen`. It signs with the
// published key only: the secret of an endpoint must only sign what is sent to that endpoint.

import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { checkRight } from '../http/roles.ts';
import { baseHeaders, writePublicMessage } from './message.ts';
import { WebhookMessage } from './schema.ts';
import { signMessage } from './sign.ts';

export type MessageRouteDeps = {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  baseUrl: string;
  verifyCredentials: VerifyCredentials;
};

// Checked before the database is queried: it accepts no text with a NUL.
const eventIdForm = /^evt_[0-9a-z]{26}$/;

const Params = Type.Object({
  eventId: Type.String({
    description: 'Identification of the event',
    examples: ['evt_01m7wf3wswavyweszg1v4e9mnn'],
  }),
});

/** Registers the route. */
export function registerMessageRoute(app: HttpServer, deps: MessageRouteDeps): void {
  app.get(
    '/v1/events/:eventId/webhook',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('webhooks:read')],
      schema: {
        security: securityFor('webhooks:read'),
        tags: ['webhooks'],
        operationId: 'getEventWebhook',
        summary: 'The webhook of an event, as an endpoint would receive it now',
        params: Params,
        response: { 200: WebhookMessage, ...problemResponses(['roleNotAllowed', 'notFound']) },
      },
    },
    async (request) => {
      const id = request.params.eventId;
      if (!eventIdForm.test(id)) throw errors.notFound();
      const { baseUrl } = deps;
      const { apiVersion } = request;
      const body = await deps.db.inTenant(principalOf(request), (tx) =>
        writePublicMessage(tx, id, { baseUrl, apiVersion }),
      );
      if (body === null) throw errors.notFound();
      const signed = signMessage(deps.keyring, { id, at: deps.clock.now(), body, secrets: [] });
      return { headers: { ...baseHeaders, ...signed }, body };
    },
  );
}

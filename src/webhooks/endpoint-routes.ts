// The routes of webhook endpoints: list, create, read, change, delete, roll the secret, send a test. Only the
// responses that create a secret contain it.

import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { errors } from '../base/errors.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveBytes, deriveRequestId, requestSeedOf } from '../http/idempotency.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { PageQuery, paginate, parsePage } from '../http/page-query.ts';
import { checkRight } from '../http/roles.ts';
import {
  changeEndpoint,
  createEndpoint,
  type EndpointDeps,
  removeEndpoint,
  rollSecret,
} from './change-endpoint.ts';
import { type Endpoint, findEndpoint, listEndpoints } from './endpoint-store.ts';
import { presentDelivery, presentEndpoint } from './present-endpoint.ts';
import { sendTest } from './resend.ts';
import {
  DeliveryResponse,
  EndpointChangeRequest,
  EndpointList,
  EndpointRequest,
  EndpointResponse,
  NewSecretResponse,
  RollSecretRequest,
} from './schema.ts';

export type EndpointRouteDeps = EndpointDeps & { verifyCredentials: VerifyCredentials };

const common = { tags: ['webhooks'] };
export const EndpointParams = Type.Object({
  endpointId: Type.String({
    description: 'Identification of the endpoint',
    examples: ['whe_01m7wf3wswavyweszg1v4e9mnn'],
  }),
});
const path = '/v1/webhook-endpoints';

const presentNew = ({ endpoint, secret }: { endpoint: Endpoint; secret: string }, now: Date) => ({
  ...presentEndpoint(endpoint, now),
  secret,
});

/** Registers the routes. */
export function registerEndpointRoutes(app: HttpServer, deps: EndpointRouteDeps): void {
  registerReads(app, deps);
  registerChanges(app, deps);
  registerSecretAndTest(app, deps);
}

function registerReads(app: HttpServer, deps: EndpointRouteDeps): void {
  const onRequest = [requireCredentials(deps.verifyCredentials), checkRight('webhooks:read')];

  app.get(
    path,
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:read'),
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        querystring: PageQuery,
        response: { 200: EndpointList, ...problemResponses(['roleNotAllowed', 'invalidFields']) },
      },
    },
    async (request) => {
      const { companyId } = principalOf(request);
      const page = parsePage(request.query, ['webhook-endpoints', companyId]);
      const [before = null] = page.place ?? [];
      const now = deps.clock.now();
      const rows = await deps.db.inTenant(principalOf(request), (tx) =>
        listEndpoints(tx, before, page.limit + 1),
      );
      const { shown, nextCursor } = paginate(rows, page, ({ endpointId }) => [endpointId]);
      return { data: shown.map((endpoint) => presentEndpoint(endpoint, now)), nextCursor };
    },
  );

  app.get(
    `${path}/:endpointId`,
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:read'),
        operationId: 'getWebhookEndpoint',
        summary: 'Retrieve a webhook endpoint',
        params: EndpointParams,
        response: { 200: EndpointResponse, ...problemResponses(['roleNotAllowed', 'notFound']) },
      },
    },
    async (request) => {
      const { endpointId } = request.params;
      const endpoint = await deps.db.inTenant(principalOf(request), (tx) => findEndpoint(tx, endpointId));
      if (!endpoint) throw errors.notFound();
      return presentEndpoint(endpoint, deps.clock.now());
    },
  );
}

function registerChanges(app: HttpServer, deps: EndpointRouteDeps): void {
  const onRequest = [requireCredentials(deps.verifyCredentials), checkRight('webhooks:manage')];

  app.post(
    path,
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:manage'),
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        body: EndpointRequest,
        response: {
          200: NewSecretResponse,
          ...problemResponses(['roleNotAllowed', 'tooManyEndpoints', 'invalidFields']),
        },
      },
    },
    async (request) => {
      const endpointId = deriveRequestId(request, 'whe', deps.clock);
      const wanted = { apiVersion: request.apiVersion, ...request.body, endpointId };
      return presentNew(await createEndpoint(deps, principalOf(request), wanted), deps.clock.now());
    },
  );

  app.patch(
    `${path}/:endpointId`,
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:manage'),
        operationId: 'updateWebhookEndpoint',
        summary: 'Update, enable or disable a webhook endpoint',
        params: EndpointParams,
        body: EndpointChangeRequest,
        response: {
          200: EndpointResponse,
          ...problemResponses(['roleNotAllowed', 'notFound', 'invalidFields']),
        },
      },
    },
    async (request) => {
      const wanted = { ...request.body, ...request.params };
      return presentEndpoint(await changeEndpoint(deps, principalOf(request), wanted), deps.clock.now());
    },
  );

  app.delete(
    `${path}/:endpointId`,
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:manage'),
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        params: EndpointParams,
        response: { 200: EndpointResponse, ...problemResponses(['roleNotAllowed', 'notFound']) },
      },
    },
    async (request) => {
      const endpoint = await removeEndpoint(deps, principalOf(request), request.params.endpointId);
      return { ...presentEndpoint(endpoint, deps.clock.now()), status: 'deleted' as const };
    },
  );
}

/**
 * The ID of what a request creates beside an endpoint: the same for each repetition with the same
 * Idempotency-Key.
 */
function secretIdFor(request: FastifyRequest, deps: EndpointRouteDeps): string {
  return deriveBytes(requestSeedOf(request, deps.clock), 'webhook-secret').toString('hex');
}

function registerSecretAndTest(app: HttpServer, deps: EndpointRouteDeps): void {
  const onRequest = [requireCredentials(deps.verifyCredentials), checkRight('webhooks:manage')];

  app.post(
    `${path}/:endpointId/roll-secret`,
    {
      config: { isBodyOptional: true },
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:manage'),
        operationId: 'rollWebhookSecret',
        summary: 'Roll the secret of a webhook endpoint',
        params: EndpointParams,
        body: RollSecretRequest,
        response: {
          200: NewSecretResponse,
          ...problemResponses(['roleNotAllowed', 'notFound', 'invalidFields']),
        },
      },
    },
    async (request) => {
      const secretId = secretIdFor(request, deps);
      const wanted = { ...request.body, ...request.params, secretId };
      return presentNew(await rollSecret(deps, principalOf(request), wanted), deps.clock.now());
    },
  );

  app.post(
    `${path}/:endpointId/test`,
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:manage'),
        operationId: 'testWebhookEndpoint',
        summary: 'Send a test event to a webhook endpoint',
        description: 'Returns the delivery immediately. Retrieve it later to see the result.',
        params: EndpointParams,
        response: {
          200: DeliveryResponse,
          ...problemResponses(['roleNotAllowed', 'notFound', 'endpointDisabled']),
        },
      },
    },
    async (request) => {
      const { endpointId } = request.params;
      const wanted = { endpointId, deliveryId: deriveRequestId(request, 'whd', deps.clock) };
      return presentDelivery(await sendTest(deps, principalOf(request), wanted));
    },
  );
}

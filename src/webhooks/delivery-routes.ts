// The routes of deliveries: list those of an endpoint or a payment, read one with its attempts, resend one or many.

import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import { errors, invalidField } from '../base/errors.ts';
import { parseTimestamp } from '../base/timestamp.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { eitherOf, PageQuery, paginate, parsePage } from '../http/page-query.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { checkRight } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import { findPaymentByCode } from '../payments/store.ts';
import {
  type DeliveryAttempt,
  findDelivery,
  listDeliveries,
  listDeliveryAttempts,
  listPaymentDeliveries,
} from './delivery-store.ts';
import { EndpointParams } from './endpoint-routes.ts';
import { findEndpoint } from './endpoint-store.ts';
import { writeRequest } from './message.ts';
import { presentDelivery } from './present-endpoint.ts';
import { resendOne, resendSince } from './resend.ts';
import {
  DeliveryList,
  DeliveryQuery,
  DeliveryResponse,
  DeliveryWithAttempts,
  ResendRequest,
  ResendResponse,
} from './schema.ts';

export type DeliveryRouteDeps = {
  db: Database;
  clock: Clock;
  baseUrl: string;
  verifyCredentials: VerifyCredentials;
};

const common = { tags: ['webhooks'] };
const Params = Type.Object({
  deliveryId: Type.String({
    description: 'Identification of the delivery',
    examples: ['whd_01m7wf3wswavyweszg1v4e9mnn'],
  }),
});

const presentAttempt = ({ at, durationMs, status, fault, answer }: DeliveryAttempt) => ({
  at: at.toISOString(),
  durationMs,
  status,
  fault,
  answer,
});

/** Throws `invalid_fields` without a valid time. */
function readSince(body: ResendRequest): Date {
  const given = eitherOf(body, 'createdFrom', 'since');
  if (given === undefined) throw invalidField('createdFrom', 'missing', 'This field is required.');
  const since = parseTimestamp(given);
  if (since instanceof Date) return since;
  const field = body.createdFrom === undefined ? 'since' : 'createdFrom';
  throw errors.invalidFields({ errors: [{ field, ...since }] });
}

/** Registers the routes. */
export function registerDeliveryRoutes(app: HttpServer, deps: DeliveryRouteDeps): void {
  registerReads(app, deps);
  registerPaymentRead(app, deps);
  registerResends(app, deps);
}

function registerReads(app: HttpServer, deps: DeliveryRouteDeps): void {
  const onRequest = [requireCredentials(deps.verifyCredentials), checkRight('webhooks:read')];

  app.get(
    '/v1/webhook-endpoints/:endpointId/deliveries',
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:read'),
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries to an endpoint',
        params: EndpointParams,
        querystring: DeliveryQuery,
        response: { 200: DeliveryList, ...problemResponses(['roleNotAllowed', 'notFound', 'invalidFields']) },
      },
    },
    async (request) => {
      const { companyId } = principalOf(request);
      const { endpointId } = request.params;
      const state = eitherOf(request.query, 'status', 'state') ?? null;
      const page = parsePage(request.query, ['webhook-deliveries', companyId, endpointId, state]);
      const [before = null] = page.place ?? [];
      const rows = await deps.db.inTenant(principalOf(request), async (tx) => {
        if (!(await findEndpoint(tx, endpointId))) throw errors.notFound();
        return await listDeliveries(tx, { endpointId, state, before, limit: page.limit + 1 });
      });
      const { shown, nextCursor } = paginate(rows, page, ({ deliveryId }) => [deliveryId]);
      return { data: shown.map(presentDelivery), nextCursor };
    },
  );

  app.get(
    '/v1/webhook-deliveries/:deliveryId',
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:read'),
        operationId: 'getWebhookDelivery',
        summary: 'Retrieve a delivery with its attempts and its request',
        params: Params,
        response: { 200: DeliveryWithAttempts, ...problemResponses(['roleNotAllowed', 'notFound']) },
      },
    },
    async (request) => {
      const { deliveryId } = request.params;
      return await deps.db.inTenant(principalOf(request), async (tx) => {
        const delivery = await findDelivery(tx, deliveryId);
        if (!delivery) throw errors.notFound();
        const history = (await listDeliveryAttempts(tx, deliveryId)).map(presentAttempt);
        const message = await writeRequest(tx, delivery, deps);
        return { ...presentDelivery(delivery), history, request: message };
      });
    },
  );
}

function registerPaymentRead(app: HttpServer, deps: DeliveryRouteDeps): void {
  app.get(
    '/v1/payments/:code/deliveries',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('webhooks:read')],
      schema: {
        ...common,
        security: securityFor('webhooks:read'),
        operationId: 'listPaymentDeliveries',
        summary: 'List the deliveries of a payment’s events',
        params: LinkCodeParams,
        querystring: PageQuery,
        response: {
          200: DeliveryList,
          ...problemResponses(['roleNotAllowed', 'paymentNotFound', 'invalidFields']),
        },
      },
    },
    async (request) => {
      const { companyId, code } = paymentScopeOf(principalOf(request), request.params.code);
      const page = parsePage(request.query, ['payment-deliveries', companyId, code]);
      const [before = null] = page.place ?? [];
      const rows = await deps.db.inTenant(principalOf(request), async (tx) => {
        const payment = await findPaymentByCode(tx, code);
        if (!payment) throw errors.paymentNotFound();
        return await listPaymentDeliveries(tx, payment.paymentId, { before, limit: page.limit + 1 });
      });
      const { shown, nextCursor } = paginate(rows, page, ({ deliveryId }) => [deliveryId]);
      return { data: shown.map(presentDelivery), nextCursor };
    },
  );
}

function registerResends(app: HttpServer, deps: DeliveryRouteDeps): void {
  const onRequest = [requireCredentials(deps.verifyCredentials), checkRight('webhooks:manage')];

  app.post(
    '/v1/webhook-deliveries/:deliveryId/resend',
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:manage'),
        operationId: 'resendWebhookDelivery',
        summary: 'Resend a delivery',
        params: Params,
        response: { 200: DeliveryResponse, ...problemResponses(['roleNotAllowed', 'notFound']) },
      },
    },
    async (request) =>
      presentDelivery(await resendOne(deps, principalOf(request), request.params.deliveryId)),
  );

  app.post(
    '/v1/webhook-endpoints/:endpointId/resend',
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('webhooks:manage'),
        operationId: 'resendWebhookDeliveries',
        summary: 'Resend all deliveries since a time',
        description:
          'Resends deliveries that were delivered or failed, for events since a time. Pending deliveries do not change.',
        params: EndpointParams,
        body: ResendRequest,
        response: {
          200: ResendResponse,
          ...problemResponses(['roleNotAllowed', 'notFound', 'invalidFields']),
        },
      },
    },
    async (request) => {
      const { endpointId } = request.params;
      const since = readSince(request.body);
      return { count: await resendSince(deps, principalOf(request), { endpointId, since }) };
    },
  );
}

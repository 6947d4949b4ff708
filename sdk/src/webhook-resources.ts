// The operations on webhooks, as methods: the endpoints that messages go to, and the deliveries to them. One
// line each, typed from openapi.json; nothing is decided here.

import type { Answer, CallOptions, Input, Request } from './call.ts';
import { type List, listPages } from './pages.ts';

export type WebhookEndpoint = Answer<'getWebhookEndpoint'>;
export type NewWebhookEndpoint = Answer<'createWebhookEndpoint'>;
export type WebhookDelivery = Answer<'getWebhookDelivery'>;
export type ListedDelivery = Answer<'listWebhookDeliveries'>['data'][number];
export type EventWebhook = Answer<'getEventWebhook'>;
export type DeliveryQuery = NonNullable<Input<'listWebhookDeliveries'>['query']>;
export type EndpointQuery = NonNullable<Input<'listWebhookEndpoints'>['query']>;

export type WebhookEndpoints = {
  list(query?: EndpointQuery, options?: CallOptions): List<WebhookEndpoint>;
  /** The answer shows the `secret`, this once. */
  create(
    endpoint: Input<'createWebhookEndpoint'>['body'],
    options?: CallOptions,
  ): Promise<NewWebhookEndpoint>;
  get(endpointId: string, options?: CallOptions): Promise<WebhookEndpoint>;
  update(
    endpointId: string,
    change: Input<'updateWebhookEndpoint'>['body'],
    options?: CallOptions,
  ): Promise<WebhookEndpoint>;
  remove(endpointId: string, options?: CallOptions): Promise<Answer<'deleteWebhookEndpoint'>>;
  /** A new secret, beside which the old one signs for some hours. */
  rollSecret(
    endpointId: string,
    roll?: Input<'rollWebhookSecret'>['body'],
    options?: CallOptions,
  ): Promise<Answer<'rollWebhookSecret'>>;
  /** Sends a message to try the endpoint with. */
  test(endpointId: string, options?: CallOptions): Promise<Answer<'testWebhookEndpoint'>>;
  /** Sends again what was sent since a moment (RFC 3339). */
  resendSince(
    endpointId: string,
    since: string,
    options?: CallOptions,
  ): Promise<Answer<'resendWebhookDeliveries'>>;
  listDeliveries(endpointId: string, query?: DeliveryQuery, options?: CallOptions): List<ListedDelivery>;
};

export type WebhookDeliveries = {
  /** A delivery with its tries. */
  get(deliveryId: string, options?: CallOptions): Promise<WebhookDelivery>;
  resend(deliveryId: string, options?: CallOptions): Promise<Answer<'resendWebhookDelivery'>>;
  /** The webhook of an event as an endpoint would receive it now, signed with the published key (`v1a`). */
  preview(eventId: string, options?: CallOptions): Promise<EventWebhook>;
};

export function webhookEndpointsOf(request: Request): WebhookEndpoints {
  return {
    list: (query, options) =>
      listPages((place) => request('listWebhookEndpoints', { query: { ...query, ...place } }, options)),
    create: (body, options) => request('createWebhookEndpoint', { body }, options),
    get: (endpointId, options) => request('getWebhookEndpoint', { path: { endpointId } }, options),
    update: (endpointId, body, options) =>
      request('updateWebhookEndpoint', { path: { endpointId }, body }, options),
    remove: (endpointId, options) => request('deleteWebhookEndpoint', { path: { endpointId } }, options),
    rollSecret: (endpointId, body = {}, options) =>
      request('rollWebhookSecret', { path: { endpointId }, body }, options),
    test: (endpointId, options) => request('testWebhookEndpoint', { path: { endpointId } }, options),
    resendSince: (endpointId, since, options) =>
      request('resendWebhookDeliveries', { path: { endpointId }, body: { since } }, options),
    listDeliveries: (endpointId, query, options) =>
      listPages((place) =>
        request('listWebhookDeliveries', { path: { endpointId }, query: { ...query, ...place } }, options),
      ),
  };
}

export function webhookDeliveriesOf(request: Request): WebhookDeliveries {
  return {
    get: (deliveryId, options) => request('getWebhookDelivery', { path: { deliveryId } }, options),
    resend: (deliveryId, options) => request('resendWebhookDelivery', { path: { deliveryId } }, options),
    preview: (eventId, options) => request('getEventWebhook', { path: { eventId } }, options),
  };
}

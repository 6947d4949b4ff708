// The operations on webhooks as methods: the endpoints, and the deliveries to them. One line each, typed from
// openapi.json, without logic.

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
  /** Only this response shows the `secret`. */
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
  /** Creates a new secret. The old one also signs for some hours. */
  rollSecret(
    endpointId: string,
    roll?: Input<'rollWebhookSecret'>['body'],
    options?: CallOptions,
  ): Promise<Answer<'rollWebhookSecret'>>;
  /** Sends a test message to the endpoint. */
  test(endpointId: string, options?: CallOptions): Promise<Answer<'testWebhookEndpoint'>>;
  /** Sends the webhooks since a time again (RFC 3339). */
  resendSince(
    endpointId: string,
    since: string,
    options?: CallOptions,
  ): Promise<Answer<'resendWebhookDeliveries'>>;
  listDeliveries(endpointId: string, query?: DeliveryQuery, options?: CallOptions): List<ListedDelivery>;
};

export type WebhookDeliveries = {
  /** A delivery with its attempts. */
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

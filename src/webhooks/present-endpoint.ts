// The API forms of endpoints and deliveries. Must not show a secret except one that was just created.

import type { Delivery } from './delivery-store.ts';
import type { Endpoint } from './endpoint-store.ts';
import type { EndpointResponse } from './schema.ts';

/** The response body of an endpoint at a moment. */
export function presentEndpoint(endpoint: Endpoint, now: Date): EndpointResponse {
  const { previousUntil } = endpoint;
  const firstFailedAt = endpoint.failingSince?.toISOString() ?? null;
  const previousSecretExpiresAt = previousUntil && previousUntil > now ? previousUntil.toISOString() : null;
  return {
    endpointId: endpoint.endpointId,
    id: endpoint.endpointId,
    mode: endpoint.mode,
    url: endpoint.url,
    events: endpoint.events,
    description: endpoint.description,
    apiVersion: endpoint.apiVersion,
    status: endpoint.isEnabled ? 'enabled' : 'disabled',
    disabledReason: endpoint.offReason,
    firstFailedAt,
    failingSince: firstFailedAt,
    previousSecretExpiresAt,
    previousSecretUntil: previousSecretExpiresAt,
    createdAt: endpoint.createdAt.toISOString(),
    createdBy: endpoint.createdBy,
  };
}

/** The response body of a delivery. */
export function presentDelivery(delivery: Delivery) {
  return {
    deliveryId: delivery.deliveryId,
    endpointId: delivery.endpointId,
    url: delivery.url,
    eventId: delivery.eventId,
    type: delivery.type,
    createdAt: delivery.eventAt.toISOString(),
    status: delivery.state,
    state: delivery.state,
    tries: delivery.tries,
    nextTryAt: delivery.state === 'pending' ? delivery.dueAt.toISOString() : null,
    endedAt: delivery.endedAt?.toISOString() ?? null,
    lastStatus: delivery.lastStatus,
    lastFault: delivery.lastFault,
  };
}

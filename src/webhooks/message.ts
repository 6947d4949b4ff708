// What is sent of an event. The id and time are the event's own; what the event is about is shown as it
// stands when the message is made. It must never show more of it than the API does.

import type { TenantTx } from '../db/database.ts';
import { listEventsById, type StoredEvent } from '../events/list-events.ts';
import { describeEvents, type EventObjects } from '../payments/describe-events.ts';
import type { Delivery } from './delivery-store.ts';
import { dataFieldsOf } from './event-types.ts';
import type { DeliveryRequest } from './schema.ts';

/** The headers that every message has alike; its id, time and signature come at each sending. */
export const baseHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Paylink-Webhooks/1',
} as const;

/** An event's data about an endpoint, as those who write such events give it. */
export type EndpointEventData = {
  endpoint: { id: string; url: string; mode: string; reason: string | null };
};

/** Of what is known, that which messages of the event's type show. */
function dataOf(event: StoredEvent, objects: EventObjects): object {
  const known = { ...objects, endpoint: event.data.endpoint };
  const shown = dataFieldsOf(event.type);
  return Object.fromEntries(Object.entries(known).filter(([name]) => shown.includes(name)));
}

/** The bodies of events, by their ids. */
export async function writeMessages(
  tx: TenantTx,
  eventIds: readonly string[],
  options: { baseUrl: string },
): Promise<ReadonlyMap<string, string>> {
  return await writeBodies(tx, await listEventsById(tx, eventIds), options);
}

/** The body of an event as webhooks send it; null when there is no such event, or no endpoint would receive it. */
export async function writePublicMessage(
  tx: TenantTx,
  eventId: string,
  options: { baseUrl: string },
): Promise<string | null> {
  const events = (await listEventsById(tx, [eventId])).filter(({ isPublic }) => isPublic);
  return (await writeBodies(tx, events, options)).get(eventId) ?? null;
}

async function writeBodies(
  tx: TenantTx,
  events: readonly StoredEvent[],
  options: { baseUrl: string },
): Promise<ReadonlyMap<string, string>> {
  const objects = await describeEvents(tx, events, options);
  return new Map(
    events.map((event) => [
      event.eventId,
      JSON.stringify({
        id: event.eventId,
        type: event.type,
        timestamp: event.at.toISOString(),
        version: typeof event.data.version === 'number' ? event.data.version : null,
        data: dataOf(event, objects.get(event.eventId) ?? {}),
      }),
    ]),
  );
}

/** What would be sent for a delivery now, without what is made at the moment of sending alone. */
export async function writeRequest(
  tx: TenantTx,
  { eventId, url }: Pick<Delivery, 'eventId' | 'url'>,
  options: { baseUrl: string },
): Promise<DeliveryRequest> {
  const bodies = await writeMessages(tx, [eventId], options);
  const headers = { ...baseHeaders, 'webhook-id': eventId };
  return { method: 'POST', url, headers, body: bodies.get(eventId) ?? '' };
}

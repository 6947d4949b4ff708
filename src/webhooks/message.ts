// Composes the message of an event. The ID and time are the event's own. Its object is shown as it is when the
// message is composed. Must not show more of it than the API does.

import type { TenantTx } from '../db/database.ts';
import { listEventsById, type StoredEvent } from '../events/list-events.ts';
import { describeEvents, type EventObjects } from '../payments/describe-events.ts';
import type { Delivery } from './delivery-store.ts';
import { dataFieldsOf } from './event-types.ts';
import type { DeliveryRequest } from './schema.ts';

/** The headers that all messages share. ID, time and signature are added at each attempt. */
export const baseHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Paylink-Webhooks/1',
} as const;

/** The data of an event about an endpoint. */
export type EndpointEventData = {
  endpoint: { id: string; url: string; mode: string; reason: string | null };
};

/** The fields that messages of the event's type show. */
function dataOf(event: StoredEvent, objects: EventObjects): object {
  const known = { ...objects, endpoint: event.data.endpoint };
  const shown = dataFieldsOf(event.type);
  return Object.fromEntries(Object.entries(known).filter(([name]) => shown.includes(name)));
}

/** The bodies of events, by ID. */
export async function writeMessages(
  tx: TenantTx,
  eventIds: readonly string[],
  options: { baseUrl: string },
): Promise<ReadonlyMap<string, string>> {
  return await writeBodies(tx, await listEventsById(tx, eventIds), options);
}

/** The body of an event as in a webhook; null if the event does not exist, or no endpoint would receive it. */
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

/** The request of a delivery as it would be now, without the headers that are made at each attempt. */
export async function writeRequest(
  tx: TenantTx,
  { eventId, url }: Pick<Delivery, 'eventId' | 'url'>,
  options: { baseUrl: string },
): Promise<DeliveryRequest> {
  const bodies = await writeMessages(tx, [eventId], options);
  const headers = { ...baseHeaders, 'webhook-id': eventId };
  return { method: 'POST', url, headers, body: bodies.get(eventId) ?? '' };
}

// Composes the message of an event. The ID and time are the event's own. Its object is shown as it is when the
// message is composed. Must not show more of it than the API does.

import type { TenantTx } from '../db/database.ts';
import { listEventsById, type StoredEvent } from '../events/list-events.ts';
import { presentAs } from '../http/api-versions.ts';
import { describeEvents, type EventObjects } from '../payments/describe-events.ts';
import type { Delivery } from './delivery-store.ts';
import { dataFieldsOf, messages } from './event-types.ts';
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

/** `apiVersion` is the version of the API in which messages are written; null: the newest. */
export type MessageOptions = { baseUrl: string; apiVersion: string | null };

/** A type that this process does not know, from one of the version after, has no schema. */
function presentMessage<Message extends { type: string }>(
  message: Message,
  apiVersion: string | null,
): unknown {
  const schema = messages[message.type];
  return schema && apiVersion !== null ? presentAs(apiVersion, schema, message) : message;
}

/** The fields that messages of the event's type show. */
function dataOf(event: StoredEvent, objects: EventObjects): object {
  const { endpoint } = event.data as Partial<EndpointEventData>;
  const known = { ...objects, endpoint: endpoint && { endpointId: endpoint.id, ...endpoint } };
  const shown = dataFieldsOf(event.type);
  return Object.fromEntries(Object.entries(known).filter(([name]) => shown.includes(name)));
}

/** The bodies of events, by ID. */
export async function writeMessages(
  tx: TenantTx,
  eventIds: readonly string[],
  options: MessageOptions,
): Promise<ReadonlyMap<string, string>> {
  return await writeBodies(tx, await listEventsById(tx, eventIds), options);
}

/** The body of an event as in a webhook; null if the event does not exist, or no endpoint would receive it. */
export async function writePublicMessage(
  tx: TenantTx,
  eventId: string,
  options: MessageOptions,
): Promise<string | null> {
  const events = (await listEventsById(tx, [eventId])).filter(({ isPublic }) => isPublic);
  return (await writeBodies(tx, events, options)).get(eventId) ?? null;
}

async function writeBodies(
  tx: TenantTx,
  events: readonly StoredEvent[],
  options: MessageOptions,
): Promise<ReadonlyMap<string, string>> {
  const objects = await describeEvents(tx, events, options);
  return new Map(
    events.map((event) => [
      event.eventId,
      JSON.stringify(
        presentMessage(
          {
            id: event.eventId,
            type: event.type,
            timestamp: event.at.toISOString(),
            version: typeof event.data.version === 'number' ? event.data.version : null,
            data: dataOf(event, objects.get(event.eventId) ?? {}),
          },
          options.apiVersion,
        ),
      ),
    ]),
  );
}

/** The request of a delivery as it would be now, without the headers that are made at each attempt. */
export async function writeRequest(
  tx: TenantTx,
  { eventId, url, apiVersion }: Pick<Delivery, 'eventId' | 'url' | 'apiVersion'>,
  { baseUrl }: { baseUrl: string },
): Promise<DeliveryRequest> {
  const bodies = await writeMessages(tx, [eventId], { baseUrl, apiVersion });
  const headers = { ...baseHeaders, 'webhook-id': eventId };
  return { method: 'POST', url, headers, body: bodies.get(eventId) ?? '' };
}

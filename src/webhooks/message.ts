// What is sent of an event. The id and time are the event's own; what the event is about is shown as it
// stands when the message is made. It must never show more of it than the API does.

import type { TenantTx } from '../db/database.ts';
import { type FeedEvent, listEventsById } from '../events/list-events.ts';
import { type Described, describeEvents } from '../payments/describe-events.ts';

/** An event's data about an endpoint, as those who write such events give it. */
export type EndpointNews = { endpoint: { id: string; url: string; mode: string; reason: string | null } };

function dataOf(event: FeedEvent, described: Described): object {
  return event.paymentId === null ? { endpoint: event.data.endpoint } : described;
}

/** The bodies of events, by their ids. */
export async function writeMessages(
  tx: TenantTx,
  eventIds: readonly string[],
  options: { baseUrl: string },
): Promise<ReadonlyMap<string, string>> {
  const events = await listEventsById(tx, eventIds);
  const described = await describeEvents(tx, events, options);
  return new Map(
    events.map((event) => [
      event.eventId,
      JSON.stringify({
        id: event.eventId,
        type: event.type,
        timestamp: event.at.toISOString(),
        version: typeof event.data.version === 'number' ? event.data.version : null,
        data: dataOf(event, described.get(event.eventId) ?? {}),
      }),
    ]),
  );
}

// The oracle's check of webhooks: compares the receiver's journal with the events. Every public event must have arrived,
// always with the same ID.

import type { Database } from '../../src/db/database.ts';
import type { Received } from '../receiver/journal.ts';

type EventRow = { eventId: string; type: string };
type Message = {
  id: string;
  type: string;
  version: number | null;
  data: { payment?: { PaymentLinkCode: string } };
};

/** The missing and unknown events at a receiver of all events, and those that arrived with several IDs. */
export async function checkArrivals(db: Database, received: readonly Received[]): Promise<string[]> {
  const events = await db.asOwner.query<EventRow>(
    'select event_id as "eventId", type from events where is_public order by event_id',
  );
  const known = new Set(events.map(({ eventId }) => eventId));
  const arrived = new Set(received.map(({ headers }) => headers['webhook-id'] ?? ''));
  const missing = events.filter(({ eventId }) => !arrived.has(eventId));
  const invented = [...arrived].filter((id) => !known.has(id));
  const idsByEvent = new Map<string, Set<string>>();
  const faults: string[] = [];
  for (const { headers, body } of received) {
    const { id, type, version, data } = JSON.parse(body) as Message;
    if (headers['webhook-id'] !== id)
      faults.push(`message ${headers['webhook-id']} says in its body that it is ${id}`);
    // An event without a version may be repeated with a new ID. But a link is created only once.
    if (version === null && type !== 'payment.created') continue;
    const key = `${type} of link ${data.payment?.PaymentLinkCode}, version ${version ?? 1},`;
    idsByEvent.set(key, (idsByEvent.get(key) ?? new Set()).add(id));
  }
  return [
    ...missing.map(({ eventId, type }) => `event ${eventId} (${type}) never arrived`),
    ...invented.map((id) => `a message arrived under the id ${id}, which no event has`),
    ...faults,
    ...[...idsByEvent].flatMap(([key, { size }]) => (size > 1 ? [`${key} arrived under ${size} ids`] : [])),
  ];
}

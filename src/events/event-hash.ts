// The hash of a seal: SHA-256 over the previous seal and a canonical form of the event. The form must not
// change: all existing seals would no longer match. A new form needs its own name in the hash.

import { createHash } from 'node:crypto';
import { type RowOf, t } from '../db/statements.ts';

/** An event as it is hashed: every column as text, exactly as the database prints it. */
export const EventHashInput = {
  companyId: t.text,
  position: t.int8,
  eventId: t.text,
  xact: t.text,
  type: t.text,
  isPublic: t.bool,
  paymentId: t.nullable(t.text),
  attemptId: t.nullable(t.text),
  actor: t.text,
  /** The text of the jsonb. PostgreSQL prints it in one way only: keys in order, numbers as given. */
  dataText: t.text,
  /** UTC in microseconds: a Date would hide a smaller change. */
  atText: t.text,
};
export type EventHashInput = RowOf<typeof EventHashInput>;

/** The predecessor of the first seal of a chain. */
export const chainStart: Buffer = Buffer.alloc(32);

/** The hash of an event's seal, from the hash of the previous seal. */
export function hashEvent(previous: Buffer, input: EventHashInput): Buffer {
  const fields = [
    'paylink-seal-1',
    input.companyId,
    input.position,
    input.eventId,
    input.xact,
    input.type,
    input.isPublic,
    input.paymentId,
    input.attemptId,
    input.actor,
    input.dataText,
    input.atText,
  ];
  // JSON separates the fields: no text can extend into the next one.
  return createHash('sha256').update(previous).update(JSON.stringify(fields)).digest();
}

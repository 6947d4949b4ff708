// The hash of a seal: SHA-256 over the previous seal and a canonical form of the event. The form must not
// change: all existing seals would no longer match. A new form needs its own name in the hash.

import { createHash } from 'node:crypto';

/** An event as it is hashed: every column as text, exactly as the database prints it. */
export type EventHashInput = {
  companyId: string;
  position: number;
  eventId: string;
  xact: string;
  type: string;
  isPublic: boolean;
  paymentId: string | null;
  attemptId: string | null;
  actor: string;
  /** The text of the jsonb. PostgreSQL prints it in one way only: keys in order, numbers as given. */
  dataText: string;
  /** UTC in microseconds: a Date would hide a smaller change. */
  atText: string;
};

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

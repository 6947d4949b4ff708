// What a seal is made of: SHA-256 over the seal before and a canonical form of the event. The form can
// never change: every seal that was ever made would cease to match. A new form needs a new name in it.

import { createHash } from 'node:crypto';

/** An event as it is sealed: every column as text, just as the database writes it. */
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
  /** The text of the jsonb, which PostgreSQL writes in one way only: keys in order, numbers as given. */
  dataText: string;
  /** UTC, to the microsecond: a Date would hide a smaller change. */
  atText: string;
};

/** What stands before the first seal of a chain. */
export const chainStart: Buffer = Buffer.alloc(32);

/** The hash of an event's seal, given the hash of the seal before it. */
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
  // JSON keeps the fields apart: no text can reach into the next one.
  return createHash('sha256').update(previous).update(JSON.stringify(fields)).digest();
}

// The feed's cursors for clients. A position contains a transaction number, which counts the writes of all
// companies. So a cursor is encrypted and reveals nothing about the volume of other companies.

import { decodeBase64url } from '../base/base64url.ts';
import type { Keyring } from '../base/keyring.ts';
import type { FeedPosition } from './list-events.ts';

export type FeedCursors = {
  /** The cursor of a position in a company's events. Two cursors of one position differ. */
  encode(companyId: string, position: FeedPosition): string;
  /** The position of a cursor; null when it is invalid or belongs to another company. */
  decode(companyId: string, cursor: string): FeedPosition | null;
};

const version = 1;
/** The database that counted the transactions; there is only one so far. */
const epoch = 0;
/** Version, epoch and transaction; the event's ID follows. */
const headBytes = 1 + 4 + 8;

const largestXact = 2n ** 64n - 1n;
const maxCursorLength = 200;

/** The company is part of the key, so a cursor decrypts for no other one. */
const contextOf = (companyId: string) => `feed-cursor:${companyId}`;

function encodePosition({ xact, eventId }: FeedPosition): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(version, 0);
  head.writeUInt32BE(epoch, 1);
  head.writeBigUInt64BE(BigInt(xact), 5);
  return Buffer.concat([head, Buffer.from(eventId, 'latin1')]);
}

function decodePosition(plain: Buffer): FeedPosition | null {
  if (plain.length < headBytes || plain.readUInt8(0) !== version || plain.readUInt32BE(1) !== epoch)
    return null;
  return { xact: String(plain.readBigUInt64BE(5)), eventId: plain.toString('latin1', headBytes) };
}

/** Earlier versions had plain-text cursors, which are still accepted. */
function readPosition(bytes: Buffer): FeedPosition | null {
  const [, xact, eventId] = /^(\d{1,20}) (\w{1,60})$/.exec(bytes.toString('latin1')) ?? [];
  return xact && eventId && BigInt(xact) <= largestXact ? { xact, eventId } : null;
}

/** Writes cursors with the current master key, and reads those of every key in the keyring. */
export function createFeedCursors(keyring: Pick<Keyring, 'seal' | 'open'>): FeedCursors {
  const open = (companyId: string, sealed: Buffer): FeedPosition | null => {
    try {
      return decodePosition(keyring.open('feed-cursor', contextOf(companyId), sealed));
    } catch {
      return null;
    }
  };
  return {
    encode: (companyId, position) =>
      keyring.seal('feed-cursor', contextOf(companyId), encodePosition(position)).toString('base64url'),
    decode: (companyId, cursor) => {
      const bytes = cursor.length <= maxCursorLength ? decodeBase64url(cursor) : null;
      return bytes && (readPosition(bytes) ?? open(companyId, bytes));
    },
  };
}

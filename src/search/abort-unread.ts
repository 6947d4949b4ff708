// During a stop, writes an export to its end if its reader reads it, and aborts it if the reader has stopped
// reading, so that it does not block the stop. Must not abort a response that only waits for the database.

import type { Readable } from 'node:stream';

/** How often to check whether the reader took anything. */
const checkEveryMs = 1_000;
/** A reader that took nothing in this many checks in a row has stopped reading. */
const maxSilentChecks = 3;

/** Reports how far a response was read. */
export type Reading = {
  /** Whether data waits to be taken. If not, the reader has everything so far. */
  readonly writableNeedDrain: boolean;
  readonly socket: { readonly bytesWritten: number } | null;
};

/**
 * Destroys the stream of a response once its reader has stopped reading. Call it when the service begins to stop.
 */
export function abortUnread(stream: Readable, reading: Reading): void {
  let before = -1;
  let silent = 0;
  const timer = setInterval(() => {
    const sent = reading.socket?.bytesWritten ?? before;
    silent = reading.writableNeedDrain && sent === before ? silent + 1 : 0;
    before = sent;
    if (silent >= maxSilentChecks) stream.destroy(new Error('the service stops'));
  }, checkEveryMs).unref();
  stream.once('close', () => clearInterval(timer));
}

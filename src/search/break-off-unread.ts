// While the service stops, a file that is read is written to its end, and a reader who has stopped reading does not
// hold up the stop. It must never end an answer that only waits for the database.

import type { Readable } from 'node:stream';

/** How often is looked whether the reader took anything. */
const lookEveryMs = 1_000;
/** A reader who took nothing at so many looks in a row has stopped reading. */
const silentLooks = 3;

/** What says how far an answer is read. */
export type Reading = {
  /** Whether something waits to be taken; if not, the reader has all that there is so far. */
  readonly writableNeedDrain: boolean;
  readonly socket: { readonly bytesWritten: number } | null;
};

/** Destroys the stream of an answer once its reader has stopped reading. Call it when the service begins to stop. */
export function breakOffUnread(stream: Readable, reading: Reading): void {
  let before = -1;
  let silent = 0;
  const timer = setInterval(() => {
    const sent = reading.socket?.bytesWritten ?? before;
    silent = reading.writableNeedDrain && sent === before ? silent + 1 : 0;
    before = sent;
    if (silent >= silentLooks) stream.destroy(new Error('the service stops'));
  }, lookEveryMs).unref();
  stream.once('close', () => clearInterval(timer));
}

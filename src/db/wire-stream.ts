// A substitute for a socket between pg's client and the engine in this process. It passes whole batches of
// messages: with PGlite's own adapter, a failing Parse breaks the client. Must not: let a new client inherit the
// transaction, role, settings or prepared statements of the previous one, since the engine has one session.

import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Sends messages to the engine and returns its whole response; rejects when the engine has stopped. */
export type ExecuteMessages = (messages: Buffer) => Promise<Buffer>;

export type MessageBatch = { kind: 'startup' | 'messages' | 'terminate'; bytes: Buffer };

const protocolVersion3 = 196608;
const maxMessageBytes = 1 << 30;

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type, 0, 'latin1');
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

export function queryMessage(text: string): Buffer {
  return message('Q', Buffer.from(`${text}\0`));
}

const sync = message('S', Buffer.alloc(0));
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));

/**
 * Resets the session. The first rollback also drops statements that were sent with Flush and never confirmed
 * by Sync. If the engine ignores it, because it skips to the next Sync after an error, the second one works.
 * The engine has no default user that `discard all` could restore.
 */
const reset = Buffer.concat([
  queryMessage('rollback'),
  sync,
  queryMessage('rollback'),
  queryMessage('set session authorization postgres'),
  queryMessage('discard all'),
]);

/**
 * Splits a stream of bytes into batches for the engine: the startup packet first, then everything up to and
 * including a Sync, Query or Flush. Chunks may contain several messages or parts of one. Throws when the
 * bytes are not this protocol.
 */
export function createMessageFramer(): { push(chunk: Buffer): MessageBatch[] } {
  let parts: Buffer[] = [];
  let bytes = 0;
  let needed = 0;
  let scanned = 0;
  let isStarted = false;

  const messageEnd = (buffer: Buffer): number | null => {
    const typeBytes = isStarted ? 1 : 0;
    needed = scanned + typeBytes + 4;
    if (buffer.length < needed) return null;
    const length = buffer.readInt32BE(scanned + typeBytes);
    if (length < 4 || length > maxMessageBytes) throw new Error('database client sent a malformed message');
    needed = scanned + typeBytes + length;
    return buffer.length < needed ? null : needed;
  };

  return {
    push: (chunk) => {
      parts.push(chunk);
      bytes += chunk.length;
      if (bytes < needed) return [];
      let buffer = parts.length === 1 ? chunk : Buffer.concat(parts);
      const batches: MessageBatch[] = [];
      for (let end = messageEnd(buffer); end !== null; end = messageEnd(buffer)) {
        const type = isStarted ? String.fromCharCode(buffer[scanned] as number) : null;
        scanned = end;
        if (type !== null && !'SQHX'.includes(type)) continue;
        const kind = type === null ? 'startup' : type === 'X' ? 'terminate' : 'messages';
        batches.push({ kind, bytes: buffer.subarray(0, end) });
        isStarted = true;
        buffer = buffer.subarray(end);
        scanned = 0;
      }
      parts = [buffer];
      bytes = buffer.length;
      return batches;
    },
  };
}

export type BackendReply = {
  /** Transaction status of the last ReadyForQuery: I(dle), T(ransaction), E(rror); null when there was none. */
  status: string | null;
  error: string | null;
  /** Whether an error was a PANIC or FATAL: the engine is lost. */
  isFatal: boolean;
};

export function readReply(reply: Buffer): BackendReply {
  const found: BackendReply = { status: null, error: null, isFatal: false };
  for (let at = 0; at + 5 <= reply.length; at += 1 + reply.readInt32BE(at + 1)) {
    const body = reply.subarray(at + 5, at + 1 + reply.readInt32BE(at + 1));
    const type = String.fromCharCode(reply[at] as number);
    if (type === 'Z') found.status = body.toString('latin1');
    if (type !== 'E') continue;
    const fields = new Map(
      body
        .toString()
        .split('\0')
        .map((field) => [field[0], field.slice(1)]),
    );
    const severity = fields.get('V') ?? '';
    found.error ??= `${severity}: ${fields.get('M')}`;
    found.isFatal ||= severity === 'PANIC' || severity === 'FATAL';
  }
  return found;
}

/**
 * A source of connections to the one session behind `execute`. The newest connection owns the session: it
 * starts with a clean one, and an older open connection is destroyed. When `execute` rejects, the connection
 * is destroyed with that error.
 */
export function createWireStream(execute: ExecuteMessages): { connect(): Duplex } {
  let owner: Duplex | null = null;

  const response = async (stream: Duplex, batch: MessageBatch) => {
    if (stream.destroyed) return;
    if (batch.kind === 'terminate') {
      stream.push(null);
      return;
    }
    if (batch.kind === 'messages') {
      // The engine blocks the thread while it works. Yield between batches, so that a long row of quick
      // statements does not starve the network.
      await nextTurn();
      if (stream.destroyed) return;
      const reply = await execute(batch.bytes);
      if (!stream.destroyed) stream.push(reply);
      return;
    }
    if (batch.bytes.readInt32BE(4) !== protocolVersion3) {
      throw new Error('the embedded database supports only unencrypted protocol 3');
    }
    owner?.destroy();
    owner = stream;
    const { status, error } = readReply(await execute(reset));
    if (error || status !== 'I') throw new Error(`the embedded session could not be reset: ${error}`);
    if (!stream.destroyed) stream.push(Buffer.concat([authenticated, ready]));
  };

  const connect = () => {
    const framer = createMessageFramer();
    const feed = async (chunk: Buffer) => {
      for (const batch of framer.push(chunk)) await response(stream, batch);
    };
    const stream = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        feed(chunk).then(() => done(), done);
      },
      writev: (chunks, done) => {
        feed(Buffer.concat(chunks.map((part) => part.chunk as Buffer))).then(() => done(), done);
      },
      destroy: (error, done) => {
        if (owner === stream) owner = null;
        done(error);
      },
    });
    return Object.assign(stream, {
      // The methods that pg calls on a socket. There is no network to set up, and nothing keeps the process
      // alive.
      connect: () => {
        process.nextTick(() => stream.emit('connect'));
        return stream;
      },
      setNoDelay: () => stream,
      setKeepAlive: () => stream,
      ref: () => stream,
      unref: () => stream,
    });
  };

  return { connect };
}

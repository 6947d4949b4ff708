// Stores an upload on disk while it arrives: it is read twice, and no transaction may wait for the sender. Must not
// leave a file behind: it is unlinked before its first byte is written.

import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errors } from '../base/errors.ts';

export type Spool = {
  byteCount: number;
  sha256: Buffer;
  /** Reads the file from its beginning at each call. */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
  /** The value that a comparison of requests uses: the content, not the path. */
  toJSON(): string;
};

export const maxFileBytes = 100 * 1024 * 1024;

async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `paylink-statement-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function* readFrom(file: FileHandle): AsyncIterable<Uint8Array> {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  let position = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    // A copy: the reader may keep it while the buffer is reused.
    yield Uint8Array.from(buffer.subarray(0, bytesRead));
  }
}

/** Throws `body_too_large`. */
export async function spoolUpload(source: AsyncIterable<Uint8Array>): Promise<Spool> {
  const file = await openUnlinkedFile();
  try {
    const hash = createHash('sha256');
    let byteCount = 0;
    for await (const chunk of source) {
      if (byteCount + chunk.length > maxFileBytes)
        throw errors.bodyTooLarge({ detail: 'A bank statement may have at most 100 MiB. Send it in parts.' });
      hash.update(chunk);
      await file.write(chunk, 0, chunk.length, byteCount);
      byteCount += chunk.length;
    }
    const sha256 = hash.digest();
    return {
      byteCount,
      sha256,
      read: () => readFrom(file),
      close: async () => await file.close(),
      toJSON: () => sha256.toString('hex'),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

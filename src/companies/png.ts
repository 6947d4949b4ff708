// Checks that a file is a complete PNG (ISO/IEC 15948), and reads its size. Must not accept a file that is also
// something else.

import { crc32 } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk's length, type and checksum, around its data. */
const chunkOverhead = 12;

type Chunk = { type: string; data: Buffer; end: number };

/** The chunk that starts at an offset; null if it is truncated or its checksum is wrong. */
function readChunk(bytes: Buffer, start: number): Chunk | null {
  if (start + chunkOverhead > bytes.length) return null;
  const length = bytes.readUInt32BE(start);
  const end = start + chunkOverhead + length;
  if (end > bytes.length) return null;
  const checked = bytes.subarray(start + 4, end - 4);
  if (crc32(checked) !== bytes.readUInt32BE(end - 4)) return null;
  return { type: checked.toString('latin1', 0, 4), data: checked.subarray(4), end };
}

/** Width and height in pixels; null if the bytes are no PNG, truncated, damaged, or followed by others. */
export function readPngSize(bytes: Buffer): { width: number; height: number } | null {
  if (!bytes.subarray(0, signature.length).equals(signature)) return null;
  const header = readChunk(bytes, signature.length);
  if (header?.type !== 'IHDR' || header.data.length !== 13) return null;
  let chunk: Chunk | null = header;
  while (chunk && chunk.type !== 'IEND') chunk = readChunk(bytes, chunk.end);
  if (!chunk || chunk.end !== bytes.length) return null;
  return { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
}

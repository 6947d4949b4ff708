// Small PNGs of a given size in pixels and bytes.

import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** A PNG of one colour, `#rrggbb`, padded to `bytes` with a comment. */
export function makePng(options: { width: number; height: number; color?: string; bytes?: number }): Buffer {
  const { width, height, color = '#c02060', bytes = 0 } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits, true colour.
  header.set([8, 2, 0, 0, 0], 8);
  const pixel = Buffer.from(color.slice(1), 'hex');
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => pixel)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const opening = Buffer.concat([signature, chunk('IHDR', header)]);
  const closing = Buffer.concat([chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
  const missing = bytes - opening.length - closing.length;
  if (missing <= 0) return Buffer.concat([opening, closing]);
  const comment = Buffer.alloc(missing - 12, 'x');
  comment.write('Comment\0', 'latin1');
  return Buffer.concat([opening, chunk('tEXt', comment), closing]);
}

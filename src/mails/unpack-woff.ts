// Unpacks a WOFF 1.0 font into its plain form. fontkit reads WOFF as well, but unpacks a whole table for each
// letter: seconds for a name.

import { inflateSync } from 'node:zlib';

const woffSignature = 0x774f4646;
const woffHeaderBytes = 44;
const woffEntryBytes = 20;
const plainHeaderBytes = 12;
const plainEntryBytes = 16;

type Table = { tag: number; checksum: number; data: Uint8Array };

function readTable(woff: Buffer, index: number): Table {
  const at = woffHeaderBytes + index * woffEntryBytes;
  const [offset, packedBytes, plainBytes] = [4, 8, 12].map((step) => woff.readUInt32BE(at + step)) as [
    number,
    number,
    number,
  ];
  const packed = woff.subarray(offset, offset + packedBytes);
  const data = packedBytes < plainBytes ? inflateSync(packed, { maxOutputLength: plainBytes }) : packed;
  return { tag: woff.readUInt32BE(at), checksum: woff.readUInt32BE(at + 16), data };
}

/** The font as TrueType or OpenType. Throws for anything but WOFF 1.0. */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.readUInt32BE(0) !== woffSignature) throw new Error('the font is not of the form WOFF 1.0');
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, index) => readTable(woff, index));
  const power = Math.floor(Math.log2(tables.length));
  const head = Buffer.alloc(plainHeaderBytes + tables.length * plainEntryBytes);
  head.writeUInt32BE(woff.readUInt32BE(4), 0);
  head.writeUInt16BE(tables.length, 4);
  head.writeUInt16BE(2 ** power * 16, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(tables.length * 16 - 2 ** power * 16, 10);
  const parts: Uint8Array[] = [head];
  let offset = head.length;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = plainHeaderBytes + index * plainEntryBytes;
    for (const [step, value] of [tag, checksum, offset, data.length].entries())
      head.writeUInt32BE(value, at + step * 4);
    // Every table begins at a multiple of 4.
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4);
    parts.push(data, padding);
    offset += data.length + padding.length;
  }
  return Buffer.concat(parts);
}

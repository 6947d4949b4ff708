// Draws a text as a QR code (ISO/IEC 18004), as SVG or PNG. Must not put the text itself into the markup of the image.

import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';

/** The light border that the standard requires, in modules. */
const border = 4;

/** How much of a code may be unreadable: 15 % or 25 %. */
export type ErrorCorrection = 'medium' | 'quartile';

/** An SVG of `size` pixels a side. */
export function drawQrSvg(text: string, size: number): string {
  const svg = encodeQR(text, 'svg', { ecc: 'quartile', border })
    .replace('<svg ', `<svg width="${size}" height="${size}" shape-rendering="crispEdges" `)
    .replace('<path', '<rect width="100%" height="100%" fill="#fff"/><path');
  return `${svg}\n`;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/**
 * A PNG of `size` pixels a side, black and white. Modules are whole pixels, and the rest is border. A code that
 * needs more pixels than `size` gets one for each module.
 */
export function drawQrPng(text: string, size: number, ecc: ErrorCorrection = 'quartile'): Buffer {
  const rows = encodeQR(text, 'raw', { ecc, border });
  const modules = rows.length;
  const scale = Math.max(1, Math.floor(size / modules));
  const side = Math.max(size, modules);
  const margin = Math.floor((side - modules * scale) / 2);
  const moduleAt = (pixel: number) => Math.floor((pixel - margin) / scale);
  const rowBytes = 1 + Math.ceil(side / 8);
  // Each row begins with its filter, 0 for none. A bit is a pixel, and 1 is white.
  const pixels = Buffer.alloc(rowBytes * side, 0xff);
  for (let y = 0; y < side; y++) {
    pixels[y * rowBytes] = 0;
    for (let x = 0; x < side; x++) {
      const at = y * rowBytes + 1 + (x >> 3);
      if (rows[moduleAt(y)]?.[moduleAt(x)]) pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  // One bit a pixel, greyscale; compression, filter and interlace as in every PNG.
  head[8] = 1;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

// Draws a text as a QR code (ISO/IEC 18004), as SVG or PNG. The library computes the modules.

import { crc32, deflateSync } from 'node:zlib';
import qrcode from 'qrcode-generator';

/** The light border that the standard requires, in modules. */
const quietModules = 4;

/** How much of a code may be unreadable: 15 % or 25 %. */
export type ErrorCorrection = 'M' | 'Q';

type QrMatrix = { modules: number; isDark: (row: number, column: number) => boolean };

function encode(text: string, correction: ErrorCorrection = 'Q'): QrMatrix {
  // The smallest size that fits the text.
  const code = qrcode(0, correction);
  // The library takes each character as a byte: these are the bytes of UTF-8.
  code.addData(Buffer.from(text).toString('latin1'));
  code.make();
  const count = code.getModuleCount();
  const isInside = (at: number) => at >= 0 && at < count;
  return {
    modules: count + 2 * quietModules,
    isDark: (row, column) => {
      const [y, x] = [row - quietModules, column - quietModules];
      return isInside(x) && isInside(y) && code.isDark(y, x);
    },
  };
}

/** An SVG of `size` pixels a side. */
export function drawQrSvg(text: string, size: number): string {
  const { modules, isDark } = encode(text);
  let path = '';
  for (let row = 0; row < modules; row++)
    for (let column = 0; column < modules; column++)
      if (isDark(row, column)) path += `M${column} ${row}h1v1h-1z`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules} ${modules}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${modules}v${modules}H0z"/><path d="${path}"/></svg>\n`
  );
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
export function drawQrPng(text: string, size: number, correction?: ErrorCorrection): Buffer {
  const { modules, isDark } = encode(text, correction);
  const scale = Math.max(1, Math.floor(size / modules));
  const side = Math.max(size, modules);
  const border = Math.floor((side - modules * scale) / 2);
  const moduleAt = (pixel: number) => Math.floor((pixel - border) / scale);
  const rowBytes = 1 + Math.ceil(side / 8);
  // Each row begins with its filter, 0 for none. A bit is a pixel, and 1 is white.
  const pixels = Buffer.alloc(rowBytes * side, 0xff);
  for (let y = 0; y < side; y++) {
    pixels[y * rowBytes] = 0;
    for (let x = 0; x < side; x++) {
      const at = y * rowBytes + 1 + (x >> 3);
      if (isDark(moduleAt(y), moduleAt(x))) pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7));
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

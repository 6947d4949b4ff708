// Makes a PNG file opaque, on white, in the one form that pdfkit embeds without decoding it in the background, where an error
// of a damaged file could not be caught. Pure.

import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, type DecodedPng, decode, encode } from 'fast-png';
import { readPngSize } from '../companies/png.ts';

/** A logo with more pixels would take much of the time that a receipt has. */
export const maxReceiptLogoPixels = 1_048_576;

/** A pixel has at most four samples of 16 bits. */
const maxBytesPerPixel = 8;

/** Throws a RangeError if the compressed pixels are more than the picture has: a few bytes can unpack to gigabytes. */
function checkLength(bytes: Buffer, { width, height }: { width: number; height: number }): void {
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  // Each line begins with a byte for its filter; an interlaced picture has at most twice as many lines.
  const maxOutputLength = height * (width * maxBytesPerPixel + 2) + 16;
  inflateSync(Buffer.concat(parts), { maxOutputLength });
}

type Pixels = { samples: ArrayLike<number>; channels: number; shift: number };

function pixelsOf(png: DecodedPng): Pixels {
  const { palette, depth, channels, data } = png;
  if (palette) return { samples: convertIndexedToRgb(png), channels: palette[0]?.length ?? 3, shift: 0 };
  if (depth >= 8) return { samples: data, channels, shift: depth - 8 };
  // Less than a byte for each pixel: like an index of as many shades.
  const last = 2 ** depth - 1;
  const shades = Array.from({ length: last + 1 }, (_, index) =>
    Array(3).fill(Math.round((index * 255) / last)),
  );
  return { samples: convertIndexedToRgb({ ...png, palette: shades }), channels: 3, shift: 0 };
}

/** The colours of all pixels, on white. */
function blend({ samples, channels, shift }: Pixels, count: number): Uint8Array {
  const isGrey = channels <= 2;
  const hasAlpha = channels % 2 === 0;
  const blended = new Uint8Array(count * 3);
  for (let pixel = 0; pixel < count; pixel++) {
    const from = pixel * channels;
    const alpha = hasAlpha ? (samples[from + channels - 1] ?? 0) >> shift : 255;
    for (let colour = 0; colour < 3; colour++) {
      const value = (samples[from + (isGrey ? 0 : colour)] ?? 0) >> shift;
      blended[pixel * 3 + colour] = Math.round((value * alpha + 255 * (255 - alpha)) / 255);
    }
  }
  return blended;
}

/** The picture as an opaque PNG; null if it is damaged or too large. */
export function flattenLogo(file: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(file);
  const size = readPngSize(bytes);
  if (!size || size.width * size.height > maxReceiptLogoPixels) return null;
  try {
    checkLength(bytes, size);
    const png = decode(bytes);
    const { width, height } = png;
    return encode({ width, height, data: blend(pixelsOf(png), width * height), channels: 3, depth: 8 });
  } catch {
    return null;
  }
}

// Makes a PNG file opaque, on white, in the one form that pdfkit embeds without decoding it in the background, where an error
// of a damaged file could not be caught. Pure.

import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, type DecodedPng, decode, encode } from 'fast-png';
import { readPngSize } from '../companies/png.ts';

/** A logo with more pixels would take much of the time that a receipt has. */
export const maxReceiptLogoPixels = 1_048_576;

/** A pixel has at most four samples of 16 bits. */
const maxBytesPerPixel = 8;

/** The signature and the header, which is always the first chunk. */
const startBytes = 33;

/** The other chunks that the pixels are made of. */
const pixelChunks: ReadonlySet<string> = new Set(['PLTE', 'tRNS', 'IDAT', 'IEND']);

/**
 * The file with nothing but its pixels: the decoder would also unpack other chunks, such as a colour profile, without a
 * limit. Throws a RangeError if the compressed pixels are more than the picture has: a few bytes can unpack to gigabytes.
 */
function keepPixels(bytes: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const kept = [bytes.subarray(0, startBytes)];
  const parts: Buffer[] = [];
  for (let at = startBytes; at < bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (pixelChunks.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IDAT') parts.push(bytes.subarray(at + 8, end - 4));
    at = end;
  }
  // Each line begins with a byte for its filter; an interlaced picture has at most twice as many lines.
  const maxOutputLength = height * (width * maxBytesPerPixel + 2) + 16;
  inflateSync(Buffer.concat(parts), { maxOutputLength });
  return Buffer.concat(kept);
}

type Pixels = {
  samples: ArrayLike<number>;
  channels: number;
  shift: number;
  /** The colour, or shade, that is transparent. */
  key?: ArrayLike<number> | undefined;
};

function pixelsOf(png: DecodedPng): Pixels {
  const { palette, depth, channels, data, transparency: key } = png;
  if (palette) return { samples: convertIndexedToRgb(png), channels: palette[0]?.length ?? 3, shift: 0 };
  if (depth >= 8) return { samples: data, channels, shift: depth - 8, key };
  // Less than a byte for each pixel: like an index of as many shades.
  const last = 2 ** depth - 1;
  const shades = Array.from({ length: last + 1 }, (_, index) => [
    ...Array<number>(3).fill(Math.round((index * 255) / last)),
    index === key?.[0] ? 0 : 255,
  ]);
  return { samples: convertIndexedToRgb({ ...png, palette: shades }), channels: 4, shift: 0 };
}

const isSame = (samples: ArrayLike<number>, from: number, key: ArrayLike<number>) =>
  samples[from + 1] === key[1] && samples[from + 2] === key[2];

/** The colours of all pixels, on white. */
function blend({ samples, channels, shift, key }: Pixels, count: number): Uint8Array {
  const isGrey = channels <= 2;
  const hasAlpha = channels % 2 === 0;
  const blended = new Uint8Array(count * 3);
  for (let pixel = 0; pixel < count; pixel++) {
    const from = pixel * channels;
    const isKey = key !== undefined && samples[from] === key[0] && (isGrey || isSame(samples, from, key));
    const opaque = isKey ? 0 : 255;
    const alpha = hasAlpha ? (samples[from + channels - 1] ?? 0) >> shift : opaque;
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
    const png = decode(keepPixels(bytes, size));
    const { width, height } = png;
    return encode({ width, height, data: blend(pixelsOf(png), width * height), channels: 3, depth: 8 });
  } catch {
    return null;
  }
}

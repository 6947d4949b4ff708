// QR codes as pixels, for a QR reader.

import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';

export type Picture = { size: number; side: number; pixels: Uint8ClampedArray };

function paint(side: number, isDark: (x: number, y: number) => boolean): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(side * side * 4);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      pixels.set([...Array(3).fill(isDark(x, y) ? 0 : 255), 255], (y * side + x) * 4);
  return pixels;
}

/** Reads a PNG with one bit per pixel and without row filters. */
export function readPng(bytes: Buffer): Picture {
  const side = bytes.readUInt32BE(16);
  assert.deepEqual([...bytes.subarray(24, 29)], [1, 0, 0, 0, 0]);
  const data = bytes.indexOf('IDAT');
  const rows = inflateSync(bytes.subarray(data + 4, data + 4 + bytes.readUInt32BE(data - 4)));
  const rowBytes = 1 + Math.ceil(side / 8);
  const isDark = (x: number, y: number) =>
    ((rows[y * rowBytes + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0;
  return { size: side, side, pixels: paint(side, isDark) };
}

/** Reads an SVG of unit squares with absolute or relative positions, drawn at 8 pixels a unit. */
export function readSvg(text: string): Picture {
  const units = Number(/viewBox="0 0 (\d+) /.exec(text)?.[1]);
  const dark = new Set<string>();
  let [left, top] = [0, 0];
  for (const [, move, x, y] of text.matchAll(/([Mm])(-?\d+) (-?\d+)h1v1(?:h-1|H\d+)Z/g)) {
    [left, top] = move === 'M' ? [Number(x), Number(y)] : [left + Number(x), top + Number(y)];
    dark.add(`${left} ${top}`);
  }
  const side = units * 8;
  const isDark = (x: number, y: number) => dark.has(`${x >> 3} ${y >> 3}`);
  return { size: Number(/ width="(\d+)"/.exec(text)?.[1]), side, pixels: paint(side, isDark) };
}

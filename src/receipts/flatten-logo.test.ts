// A logo of any kind of PNG becomes an opaque picture on white; a damaged one is refused without an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { decode, encode } from 'fast-png';
import { flattenLogo, maxReceiptLogoPixels } from './flatten-logo.ts';

type Kind = { depth: number; colour: number; interlace?: number; filter?: number };

function chunk(type: string, data: Uint8Array): Buffer {
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, sum]);
}

/** A PNG of one line; `pixels` are its bytes. */
function pngOf(
  width: number,
  { depth, colour, interlace = 0, filter = 0 }: Kind,
  pixels: number[],
  more: Buffer[] = [],
) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(1, 4);
  header.set([depth, colour, 0, 0, interlace], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk('IDAT', deflateSync(Buffer.from([filter, ...pixels])));
  return Buffer.concat([signature, chunk('IHDR', header), ...more, data, chunk('IEND', Buffer.alloc(0))]);
}

function coloursOf(file: Uint8Array): number[] {
  const flat = flattenLogo(file);
  assert.ok(flat);
  const { channels, depth, data } = decode(flat);
  assert.deepEqual([channels, depth], [3, 8]);
  return [...data];
}

test('every colour type and depth gives the same colours, on white where it is transparent', () => {
  const white = [255, 255, 255];
  assert.deepEqual(coloursOf(pngOf(2, { depth: 8, colour: 2 }, [9, 8, 7, 255, 0, 0])), [9, 8, 7, 255, 0, 0]);
  const rgba = [9, 8, 7, 255, 200, 0, 0, 0, 0, 0, 0, 51];
  assert.deepEqual(coloursOf(pngOf(3, { depth: 8, colour: 6 }, rgba)), [9, 8, 7, ...white, 204, 204, 204]);
  assert.deepEqual(coloursOf(pngOf(2, { depth: 8, colour: 4 }, [9, 255, 0, 0])), [9, 9, 9, ...white]);
  assert.deepEqual(coloursOf(pngOf(2, { depth: 8, colour: 0 }, [9, 255])), [9, 9, 9, ...white]);
  assert.deepEqual(coloursOf(pngOf(8, { depth: 1, colour: 0 }, [0b10000000])).slice(0, 6), [
    ...white,
    0,
    0,
    0,
  ]);
  assert.deepEqual(coloursOf(pngOf(1, { depth: 16, colour: 2 }, [9, 1, 8, 1, 7, 1])), [9, 8, 7]);
  const palette = [chunk('PLTE', Buffer.from([9, 8, 7, 1, 2, 3])), chunk('tRNS', Buffer.from([255, 0]))];
  for (const [depth, byte] of [
    [8, [0, 1]],
    [4, [0x01]],
    [1, [0b01000000]],
  ] as const)
    assert.deepEqual(coloursOf(pngOf(2, { depth, colour: 3 }, [...byte], palette)), [9, 8, 7, ...white]);
  assert.deepEqual(coloursOf(pngOf(1, { depth: 8, colour: 2, interlace: 1 }, [9, 8, 7])), [9, 8, 7]);
});

test('the transparent colour of a picture without alpha is white', () => {
  const white = [255, 255, 255];
  const clear = (...samples: number[]) => [chunk('tRNS', Buffer.from(samples.flatMap((each) => [0, each])))];
  const rgb = [0, 0, 0, 0, 0, 1, 9, 8, 7];
  assert.deepEqual(coloursOf(pngOf(3, { depth: 8, colour: 2 }, rgb, clear(0, 0, 0))), [
    ...white,
    ...[0, 0, 1, 9, 8, 7],
  ]);
  const wide = [0, 5, 0, 6, 0, 7, 9, 5, 0, 6, 0, 7, 1, 1, 1, 1, 1, 1];
  assert.deepEqual(coloursOf(pngOf(3, { depth: 16, colour: 2 }, wide, clear(5, 6, 7))), [
    ...white,
    ...[9, 0, 0, 1, 1, 1],
  ]);
  assert.deepEqual(coloursOf(pngOf(2, { depth: 8, colour: 0 }, [0, 9], clear(0))), [...white, 9, 9, 9]);
  assert.deepEqual(coloursOf(pngOf(2, { depth: 4, colour: 0 }, [0x0f], clear(15))), [0, 0, 0, ...white]);
  assert.deepEqual(coloursOf(pngOf(2, { depth: 2, colour: 0 }, [0b00010000], clear(0))), [
    ...white,
    ...[85, 85, 85],
  ]);
  assert.deepEqual(coloursOf(pngOf(2, { depth: 1, colour: 0 }, [0b01000000], clear(0))), [
    ...white,
    ...white,
  ]);
});

test('chunks other than the pixels are not unpacked, however large they would be', () => {
  const profile = deflateSync(Buffer.alloc(95_000_000));
  const named = chunk('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), profile]));
  const bomb = pngOf(1, { depth: 8, colour: 2 }, [9, 8, 7], [named, chunk('iCCP', Buffer.from('damaged'))]);
  assert.ok(bomb.length < 100_000);
  const beforeKb = process.resourceUsage().maxRSS;
  assert.deepEqual(coloursOf(bomb), [9, 8, 7]);
  assert.ok(process.resourceUsage().maxRSS - beforeKb < 20_000);
});

test('a file that is damaged, unpacks to more than its picture, or is too large gives none', () => {
  const good = pngOf(1, { depth: 8, colour: 2 }, [9, 8, 7]);
  assert.ok(flattenLogo(good));
  const refused: Record<string, Uint8Array> = {
    'no PNG': Buffer.from('<svg/>'),
    truncated: good.subarray(0, -5),
    'an unknown filter': pngOf(1, { depth: 8, colour: 2, filter: 9 }, [9, 8, 7]),
    'an unknown colour type': pngOf(1, { depth: 8, colour: 5 }, [9, 8, 7]),
    'a bomb': pngOf(1, { depth: 8, colour: 2 }, Array<number>(1_000_000).fill(0)),
    'too many pixels': encode({
      ...{ width: 1_024, height: 1_025, channels: 1, depth: 8 },
      data: new Uint8Array(1_024 * 1_025),
    }),
  };
  for (const [name, file] of Object.entries(refused)) assert.equal(flattenLogo(file), null, name);
  const side = Math.sqrt(maxReceiptLogoPixels);
  const large = {
    width: side,
    height: side,
    channels: 1,
    depth: 8,
    data: new Uint8Array(side * side),
  } as const;
  assert.ok(flattenLogo(encode(large)));
});

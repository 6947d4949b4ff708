import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makePng } from '../../test/harness/png.ts';
import { readPngSize } from './png.ts';

const whole = makePng({ width: 40, height: 30, bytes: 300 });

test('the size of a complete PNG is read', () => {
  assert.deepEqual(readPngSize(whole), { width: 40, height: 30 });
});

test('a PNG that is truncated, continued or has a flipped bit is refused', () => {
  for (let length = 0; length < whole.length; length++)
    assert.equal(readPngSize(whole.subarray(0, length)), null, `${length} bytes`);
  assert.equal(readPngSize(Buffer.concat([whole, Buffer.from('x')])), null);
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const flipped = Buffer.from(whole);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(readPngSize(flipped), null, `bit ${bit}`);
  }
});

test('random bytes cause no error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (tail) => {
      readPngSize(Buffer.concat([whole.subarray(0, 33), tail]));
      assert.equal(readPngSize(Buffer.from(tail)), null);
    }),
  );
});

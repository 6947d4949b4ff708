import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBase64url } from './base64url.ts';

test('bytes survive a round trip through base64url', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const buffer = Buffer.from(bytes);
      assert.deepEqual(decodeBase64url(buffer.toString('base64url')), buffer);
    }),
  );
});

test('only the canonical encoding of bytes is decoded', () => {
  const alphabet = fc.constantFrom(...'AQgwBCabc019_-+/= \n');
  fc.assert(
    fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
      const isCanonical = Buffer.from(text, 'base64url').toString('base64url') === text;
      assert.equal(decodeBase64url(text) !== null, isCanonical, text);
    }),
    { numRuns: 2_000 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrastRatio, darken } from './colour.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);

test('contrast is 21 for black on white, 1 for equal colours, and symmetric', () => {
  assert.equal(contrastRatio('#000000', '#ffffff'), 21);
  assert.equal(Math.floor(contrastRatio('#767676', '#ffffff') * 100), 454);
  fc.assert(
    fc.property(colour, colour, (one, other) => {
      assert.equal(contrastRatio(one, one), 1);
      assert.equal(contrastRatio(one, other), contrastRatio(other, one));
    }),
  );
});

test('a darker shade of a colour never has less contrast to white', () => {
  fc.assert(
    fc.property(colour, fc.double({ min: 0, max: 1, noNaN: true }), (hex, share) => {
      const shade = darken(hex, share);
      assert.match(shade, /^#[0-9a-f]{6}$/);
      assert.ok(contrastRatio(shade, '#ffffff') >= contrastRatio(hex, '#ffffff'), shade);
    }),
  );
  assert.equal(darken('#ff8000', 0.5), '#7f4000');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrastRatio, darken, readableShade } from './colour.ts';

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

test('a readable shade is darker on light backgrounds and lighter on dark ones, and the colour itself if that is readable', () => {
  assert.equal(readableShade('#1849a9', ['#ffffff'], 4.5), '#1849a9');
  for (const color of ['#ff9900', '#ffffff', '#000000', '#808080'])
    for (const grounds of [
      ['#ffffff', '#eef2f9'],
      ['#171e28', '#212b39'],
    ])
      for (const ground of grounds)
        assert.ok(contrastRatio(readableShade(color, grounds, 4.5), ground) >= 4.5, `${color} on ${ground}`);
  assert.ok(
    contrastRatio(readableShade('#1849a9', ['#171e28'], 4.5), '#171e28') < 5.2,
    'no lighter than needed',
  );
});

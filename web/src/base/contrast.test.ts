// The contrast of colours with white text.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contrastRatio } from '../../../src/base/colour.ts';
import { contrastToWhite, isReadable, minContrast, readableShadeOf, readColor } from './contrast.ts';

const colors = ['#000000', '#ffffff', '#1849a9', '#767676', '#777777', '#ff0000', '#ffff00', '#0b6e4f'];

describe('the contrast of a colour with white', () => {
  test('it is the same as in the service', () => {
    for (const color of colors)
      assert.ok(Math.abs(contrastToWhite(color) - contrastRatio(color, '#ffffff')) < 1e-9, color);
  });

  test('4.5 is readable and less is not', () => {
    assert.equal(isReadable('#767676'), true);
    assert.equal(isReadable('#777777'), false);
  });

  test('the readable shade is as light as possible, and is the colour itself if that is readable', () => {
    for (const color of colors) {
      const shade = readableShadeOf(color);
      assert.ok(contrastToWhite(shade) >= minContrast, `${color} → ${shade}`);
      if (isReadable(color)) assert.equal(shade, color);
      else assert.ok(contrastToWhite(shade) < minContrast + 0.4, `${color} → ${shade}`);
    }
  });

  test('usual notations of colours are read, and others are refused', () => {
    assert.equal(readColor(' #1849A9 '), '#1849a9');
    assert.equal(readColor('1849a9'), '#1849a9');
    assert.equal(readColor('#18a'), '#1188aa');
    for (const text of ['', '#', '#18', '#1849a', 'red', '#1849a9ff', 'url(x)'])
      assert.equal(readColor(text), null, text);
  });
});

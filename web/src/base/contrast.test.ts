// The contrast of colours with white text.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contrastRatio } from '../../../src/base/colour.ts';
import { contrastToWhite, isReadable, minContrast, readableShadeOf, readColor } from './contrast.ts';

const colors = ['#000000', '#ffffff', '#1849a9', '#767676', '#777777', '#ff0000', '#ffff00', '#0b6e4f'];

describe('the contrast of a colour to white', () => {
  test('it is what the service measures', () => {
    for (const color of colors)
      assert.ok(Math.abs(contrastToWhite(color) - contrastRatio(color, '#ffffff')) < 1e-9, color);
  });

  test('4.5 is enough and less is not', () => {
    assert.equal(isReadable('#767676'), true);
    assert.equal(isReadable('#777777'), false);
  });

  test('the shade that is offered can be read, is no darker than it has to be, and is the colour itself where that will do', () => {
    for (const color of colors) {
      const shade = readableShadeOf(color);
      assert.ok(contrastToWhite(shade) >= minContrast, `${color} → ${shade}`);
      if (isReadable(color)) assert.equal(shade, color);
      else assert.ok(contrastToWhite(shade) < minContrast + 0.4, `${color} → ${shade}`);
    }
  });

  test('a colour is read as people write it, and what is none is not guessed at', () => {
    assert.equal(readColor(' #1849A9 '), '#1849a9');
    assert.equal(readColor('1849a9'), '#1849a9');
    assert.equal(readColor('#18a'), '#1188aa');
    for (const text of ['', '#', '#18', '#1849a', 'red', '#1849a9ff', 'url(x)'])
      assert.equal(readColor(text), null, text);
  });
});

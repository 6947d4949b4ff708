// Sentences are filled completely, and values are escaped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';
import { interpolate, interpolateText } from './interpolate.ts';

test('filled-in values are escaped, and a missing value is an error', () => {
  assert.equal(interpolate('en', 'a {x} b {y}', { x: '<', y: html`<i>y</i>` }).html, 'a &lt; b <i>y</i>');
  assert.equal(interpolateText('en', '{x} & {x}', { x: '$&' }), '$& & $&');
  assert.throws(() => interpolate('en', '{x}', {}), /\{x\}/);
  assert.throws(() => interpolateText('en', '{toString}', {}), /\{toString\}/);
});

test('a value in the other direction is isolated in plain text', () => {
  const merchant = 'מתוק (1)';
  assert.equal(
    interpolateText('en', 'To {merchant}: {count}', { merchant, count: 2 }),
    'To \u2068מתוק (1)\u2069: 2',
  );
  assert.equal(interpolateText('en', 'To {merchant}', { merchant: 'Čapek (1)' }), 'To Čapek (1)');
  assert.equal(interpolateText('ar', '{order}', { order: '1042-7' }), '\u20681042-7\u2069');
});

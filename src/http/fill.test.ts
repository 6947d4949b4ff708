// Sentences are filled whole, and what is filled in is escaped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, fillPlain } from './fill.ts';
import { html } from './html.ts';

test('values that are filled in are escaped, and a missing one is an error', () => {
  assert.equal(fill('a {x} b {y}', { x: '<', y: html`<i>y</i>` }).html, 'a &lt; b <i>y</i>');
  assert.equal(fillPlain('{x} & {x}', { x: '$&' }), '$& & $&');
  assert.throws(() => fill('{x}', {}), /\{x\}/);
  assert.throws(() => fillPlain('{toString}', {}), /\{toString\}/);
});

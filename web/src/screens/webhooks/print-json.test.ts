// What holds for printed bodies.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printJson } from './print-json.ts';

test('JSON is indented, keeps its meaning, and has invisible characters escaped', () => {
  const value = { name: '\u202eevil\u2066 <b>é</b> 🏳️‍🌈', list: [1, 24.5, null], zero: '\u0000\u0085' };
  const printed = printJson(JSON.stringify(value));
  assert.deepEqual(JSON.parse(printed), value);
  assert.match(printed, /^\{\n {2}"name": "\\u202eevil\\u2066 <b>é<\/b>/);
  assert.doesNotMatch(printed, /[\u202e\u2066\u0085\u200d]/);
});

test('other text stays unchanged', () => {
  assert.equal(printJson('{"cut":'), '{"cut":');
  assert.equal(printJson(''), '');
});

// The texts of emails have the same shape in both languages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailTexts } from './texts.ts';

function flatten(tree: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(path + key, value);
    else for (const [inner, text] of flatten(value, `${path}${key}.`)) found.set(inner, text);
  }
  return found;
}

const english = flatten(emailTexts('en'));
const german = flatten(emailTexts('de'));
const namesIn = (text = '') => [...new Set(text.match(/\{\w+\}/g))].sort();

test('both languages have the same texts with the same placeholders, none empty, none with markup', () => {
  assert.deepEqual([...german.keys()], [...english.keys()]);
  for (const [key, text] of english) {
    assert.deepEqual(namesIn(german.get(key)), namesIn(text), key);
    assert.ok(text && german.get(key), key);
    assert.doesNotMatch(text + german.get(key), /[<>&]/, key);
  }
});

test('every text is translated', () => {
  assert.deepEqual(
    [...english].filter(([key, text]) => german.get(key) === text),
    [],
  );
});

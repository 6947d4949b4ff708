// Tests of texts in both languages, for the pages and for the emails.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** The texts by path: `pay.button` → `Pay {amount}`. */
function flatten(tree: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(path + key, value);
    else for (const [inner, text] of flatten(value, `${path}${key}.`)) found.set(inner, text);
  }
  return found;
}

const namesIn = (text = '') => text.match(/\{\w+\}/g)?.sort();
const keysOf = (all: Map<string, string>, isWanted: (text: string, key: string) => boolean) =>
  [...all].flatMap(([key, text]) => (isWanted(text, key) ? [key] : []));

/** Declares the tests. `empty` and `untranslated` list the only texts that may be so. */
export function testTexts(
  textsOf: (locale: 'en' | 'de') => object,
  { empty, untranslated }: { empty: readonly string[]; untranslated: readonly string[] },
): void {
  const english = flatten(textsOf('en'));
  const german = flatten(textsOf('de'));

  test('both languages have the same texts, and the same ones are empty', () => {
    assert.deepEqual([...german.keys()], [...english.keys()]);
    for (const texts of [english, german])
      assert.deepEqual(
        keysOf(texts, (text) => text === ''),
        empty,
      );
  });

  test('every text is translated', () => {
    const same = keysOf(english, (text, key) => text !== '' && german.get(key) === text);
    assert.deepEqual(same, untranslated);
  });

  test('a text has the same placeholders in both languages, and no markup', () => {
    for (const [key, text] of english) {
      assert.deepEqual(namesIn(german.get(key)), namesIn(text), key);
      assert.doesNotMatch(text + german.get(key), /[<>&]/, key);
    }
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales } from '../base/locale.ts';
import { texts } from './texts.ts';

/** The texts by path: `pay.button` → `Pay {amount}`. */
function flatten(tree: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') found.set(path + key, value);
    else for (const [inner, text] of flatten(value, `${path}${key}.`)) found.set(inner, text);
  }
  return found;
}

const english = flatten(texts('en'));
const german = flatten(texts('de'));
const namesIn = (sentence = '') => [...sentence.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

test('both languages have the same texts, and the same ones are empty', () => {
  assert.deepEqual([...german.keys()], [...english.keys()]);
  const emptyIn = (all: Map<string, string>) => [...all].flatMap(([key, text]) => (text === '' ? [key] : []));
  assert.deepEqual(emptyIn(german), emptyIn(english));
  assert.deepEqual(emptyIn(english), [
    'fields.name.hint',
    'fields.name.placeholder',
    'fields.number.placeholder',
    'fields.csc.placeholder',
  ]);
});

test('every text is translated', () => {
  const same = [...english].flatMap(([key, text]) => (text !== '' && german.get(key) === text ? [key] : []));
  // These have the same name in all of Europe.
  assert.deepEqual(same, ['transfer.iban', 'transfer.bic']);
});

test('a text has the same placeholders in both languages, and no markup', () => {
  for (const [key, text] of english) {
    assert.deepEqual(namesIn(german.get(key)), namesIn(text), key);
    assert.doesNotMatch(text + german.get(key), /[<>&]/, key);
  }
});

test('every status page says what happened to the money', () => {
  for (const locale of locales) {
    for (const [state, sentences] of Object.entries(texts(locale).states)) {
      if (typeof sentences === 'string') continue;
      assert.ok(sentences.heading && sentences.money && sentences.next, `${locale} ${state}`);
    }
  }
});

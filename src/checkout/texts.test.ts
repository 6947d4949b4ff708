// The sentences of both languages fit each other, and the language of a page is chosen by the rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../http/html.ts';
import { chooseLocale, fill, fillPlain, texts } from './texts.ts';

/** Every sentence with the path that leads to it: `pay.button` → `Pay {amount}`. */
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

test('both languages have the same sentences, and the same ones are empty', () => {
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

test('no sentence was left in the other language', () => {
  const same = [...english].filter(([key, text]) => text !== '' && german.get(key) === text);
  assert.deepEqual(same, []);
});

test('a sentence holds the same values in both languages, and no markup', () => {
  for (const [key, text] of english) {
    assert.deepEqual(namesIn(german.get(key)), namesIn(text), key);
    assert.doesNotMatch(text + german.get(key), /[<>&]/, key);
  }
});

test('every page that is not the pay form says what happened to the money', () => {
  for (const locale of ['en', 'de'] as const) {
    for (const [state, sentences] of Object.entries(texts(locale).states)) {
      if (typeof sentences === 'string') continue;
      assert.ok(sentences.heading && sentences.money && sentences.next, `${locale} ${state}`);
    }
  }
});

test('values that are filled in are escaped, and a missing one is an error', () => {
  assert.equal(fill('a {x} b {y}', { x: '<', y: html`<i>y</i>` }).html, 'a &lt; b <i>y</i>');
  assert.equal(fillPlain('{x} & {x}', { x: '$&' }), '$& & $&');
  assert.throws(() => fill('{x}', {}), /\{x\}/);
  assert.throws(() => fillPlain('{toString}', {}), /\{toString\}/);
});

test('the language is the one asked for, else the best of Accept-Language, else English', () => {
  const table: [requested: string | null, acceptLanguage: string | undefined, expected: string][] = [
    [null, undefined, 'en'],
    ['de', undefined, 'de'],
    ['de-AT', 'en', 'de'],
    ['DE_ch', 'en', 'de'],
    ['en-GB', 'de', 'en'],
    ['fr', 'de', 'de'],
    ['fr', 'es', 'en'],
    ['', 'de', 'de'],
    ['deutsch', undefined, 'en'],
    [null, 'de', 'de'],
    [null, 'de-DE,de;q=0.9,en;q=0.8', 'de'],
    [null, 'en;q=0.5, de;q=0.7', 'de'],
    [null, 'de;q=0.7, en;q=0.7', 'de'],
    [null, 'fr;q=1, de ; q=0.1', 'de'],
    [null, 'fr, es', 'en'],
    [null, 'de;q=0', 'en'],
    [null, 'de;q=0, *', 'en'],
    [null, 'de-AT, de;q=0', 'en'],
    [null, 'en;q=0, *', 'de'],
    [null, '*, de;q=0.5', 'en'],
    [null, '*;q=0.1, de', 'de'],
    [null, 'de-AT;q=0, de;q=0.3', 'de'],
    [null, 'de;Q=0.9, en;q=0.1', 'de'],
    [null, 'DE', 'de'],
    [null, 'de;q=2, en;q=0.1', 'en'],
    [null, 'de;q=abc, en;q=0.1', 'en'],
    [null, ',;q=,,;;=', 'en'],
    [null, `${'x'.repeat(16_000)}, de`, 'de'],
  ];
  for (const [requested, acceptLanguage, expected] of table) {
    assert.equal(chooseLocale({ requested, acceptLanguage }), expected, `${requested} | ${acceptLanguage}`);
  }
  assert.equal(chooseLocale({}), 'en');
});

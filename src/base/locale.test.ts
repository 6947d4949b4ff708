// The rules that choose the language of a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLocale } from './locale.ts';

test('the language is the requested one, else the best of Accept-Language, else English', () => {
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
    assert.equal(
      chooseLocale({ wanted: [requested], acceptLanguage }),
      expected,
      `${requested} | ${acceptLanguage}`,
    );
  }
  assert.equal(chooseLocale({}), 'en');
  assert.equal(chooseLocale({ wanted: ['de', 'en'], acceptLanguage: 'en' }), 'de');
  assert.equal(chooseLocale({ wanted: [null, 'xx', 'de'], acceptLanguage: 'en' }), 'de');
  assert.equal(chooseLocale({ acceptLanguage: 'xx', country: 'AT' }), 'de');
  assert.equal(chooseLocale({ acceptLanguage: 'en', country: 'AT' }), 'en');
  assert.equal(chooseLocale({ country: 'ZZ' }), 'en');
});

// The rules that choose the language of a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLocale, directionOfLocale, localeOfCountry, locales } from './locale.ts';

test('the language is the requested one, else the best of Accept-Language, else English', () => {
  const table: [requested: string | null, acceptLanguage: string | undefined, expected: string][] = [
    [null, undefined, 'en'],
    ['de', undefined, 'de'],
    ['de-AT', 'en', 'de'],
    ['DE_ch', 'en', 'de'],
    ['en-GB', 'de', 'en'],
    ['th', 'de', 'de'],
    ['th', 'ko', 'en'],
    ['', 'de', 'de'],
    ['deutsch', undefined, 'en'],
    [null, 'de', 'de'],
    [null, 'de-DE,de;q=0.9,en;q=0.8', 'de'],
    [null, 'en;q=0.5, de;q=0.7', 'de'],
    [null, 'de;q=0.7, en;q=0.7', 'de'],
    [null, 'th;q=1, de ; q=0.1', 'de'],
    [null, 'th, ko', 'en'],
    [null, 'de;q=0', 'en'],
    [null, 'de;q=0, *', 'en'],
    [null, 'de-AT, de;q=0', 'en'],
    [null, 'en;q=0, *', 'de'],
    [null, '*, de;q=0.5', 'en'],
    [null, '*;q=0.1, de', 'de'],
    [null, 'de-AT;q=0, de;q=0.3', 'de'],
    [null, 'de;Q=0.9, en;q=0.1', 'de'],
    [null, 'DE', 'de'],
    ['no', undefined, 'nb'],
    ['nn-NO', undefined, 'nb'],
    ['iw', undefined, 'he'],
    ['pt-BR', undefined, 'pt-PT'],
    ['zh-CN', undefined, 'zh-Hans'],
    ['zh', undefined, 'zh-Hans'],
    ['zh-TW', 'fr', 'fr'],
    [null, 'zh-TW, zh;q=0.5', 'zh-Hans'],
    [null, 'pt;q=0, pt-PT, de;q=0.2', 'de'],
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

test('a country has the language that most people there write, if it is supported', () => {
  const table = {
    ...{ AT: 'de', BE: 'nl', CH: 'de', CY: 'el', EG: 'ar', FR: 'fr', IE: 'en', IL: 'he', JP: 'ja', LU: 'fr' },
    ...{ NO: 'nb', BR: 'pt-PT', CN: 'zh-Hans', TW: 'en', TH: 'en', US: 'en', '': 'en' },
  };
  for (const [country, locale] of Object.entries(table))
    assert.equal(localeOfCountry(country), locale, country);
});

test('the direction of a language is that of its script', () => {
  assert.deepEqual(
    locales.filter((locale) => directionOfLocale(locale) === 'rtl'),
    ['ar', 'he'],
  );
});

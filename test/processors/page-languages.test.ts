// The languages of the processors' pages: each is on the processor's own list, whatever locale a payment has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales as pageLocales } from '../../src/base/locale.ts';
import { matchLocale } from '../../src/base/match-locale.ts';
import { mollieLocales } from '../../src/processors/mollie/payments.ts';
import { paypalLocales } from '../../src/processors/paypal/attempts.ts';
import { stripeLocales } from '../../src/processors/stripe/session-params.ts';

const adapters = [
  { name: 'Stripe', locales: stripeLocales, least: 40, lacks: 'ar ga he is uk' },
  {
    name: 'Mollie',
    locales: mollieLocales,
    least: 22,
    lacks: 'ar bg el et ga he hr ja mt ro sl tr uk zh-Hans',
  },
  { name: 'PayPal', locales: paypalLocales, least: 30, lacks: 'bg et ga hr is lt lv mt ro sl uk' },
];

const languageOf = (tag: string) => new Intl.Locale(tag.replace('_', '-')).language;

test('a processor gets the language of our page if it has it, and chooses by itself otherwise', () => {
  for (const { name, locales, lacks } of adapters) {
    const matches = pageLocales.map((language) => ({ language, locale: matchLocale(language, locales) }));
    const missing = matches.filter(({ locale }) => locale === null).map(({ language }) => language);
    assert.deepEqual(missing.toSorted(), lacks.split(' '), name);
    for (const { language, locale } of matches) {
      // Some lists have Norwegian as `no`.
      const named = locale && languageOf(locale).replace(/^no$/, 'nb');
      if (named) assert.equal(named, languageOf(language), `${name} gets ${locale} for ${language}`);
    }
  }
});

test('each language of a processor maps to itself', () => {
  for (const { name, locales, least } of adapters) {
    assert.ok(locales.length >= least, `${name} has ${locales.length}`);
    assert.equal(new Set(locales).size, locales.length, `${name} has each once`);
    for (const locale of locales) assert.equal(matchLocale(locale, locales), locale, name);
  }
});

test('any language tag maps to an entry of the processor list, or to none', () => {
  const names = Array.from({ length: 26 * 26 }, (_, place) => place);
  const letter = (place: number) => String.fromCharCode(97 + place);
  for (const place of names)
    for (const rest of ['', '-DE', '-Latn', '-Hant-TW', '-419', '-x-private', '-1994']) {
      const tag = letter(Math.trunc(place / 26)) + letter(place % 26) + rest;
      for (const { name, locales } of adapters) {
        const locale = matchLocale(tag, locales);
        assert.ok(locale === null || locales.includes(locale), `${name}: ${locale} for ${tag}`);
      }
    }
});

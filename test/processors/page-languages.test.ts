// The languages of the processors' pages: each is on the processor's own list, whatever locale a payment has.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales as pageLocales } from '../../src/base/locale.ts';
import { matchLocale } from '../../src/base/match-locale.ts';
import { mollieLocales } from '../../src/processors/mollie/payments.ts';
import { paypalLocales } from '../../src/processors/paypal/attempts.ts';
import { stripeLocales } from '../../src/processors/stripe/session-params.ts';

const adapters = [
  { name: 'Stripe', locales: stripeLocales, least: 40 },
  { name: 'Mollie', locales: mollieLocales, least: 22 },
  { name: 'PayPal', locales: paypalLocales, least: 30 },
];

test('every processor has the language of each of our pages on its list', () => {
  for (const { name, locales } of adapters)
    for (const language of pageLocales) {
      const locale = matchLocale(language, locales);
      assert.ok(locale !== null && locales.includes(locale), `${name} gets ${locale} for ${language}`);
      assert.equal(new Intl.Locale(locale.replace('_', '-')).language, language);
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

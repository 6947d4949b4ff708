// The languages that processors are given: each is one of the processor's own list, whatever a payment asks for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales as pageLocales } from '../../src/base/locale.ts';
import { mollieLocaleOf, mollieLocales } from '../../src/processors/mollie/locales.ts';
import { paypalLocaleOf, paypalLocales } from '../../src/processors/paypal/locales.ts';
import { stripeLocaleOf, stripeLocales } from '../../src/processors/stripe/session-params.ts';

const adapters = [
  { name: 'Stripe', localeOf: stripeLocaleOf, locales: stripeLocales, least: 40, none: 'auto' },
  { name: 'Mollie', localeOf: mollieLocaleOf, locales: mollieLocales, least: 22, none: null },
  { name: 'PayPal', localeOf: paypalLocaleOf, locales: paypalLocales, least: 30, none: null },
];

test('every processor is given the language of each of our pages, from its own list', () => {
  for (const { name, localeOf, locales } of adapters)
    for (const language of pageLocales) {
      const told = localeOf(language);
      assert.ok(told !== null && locales.includes(told), `${name} is given ${told} for ${language}`);
      assert.equal(new Intl.Locale(told.replace('_', '-')).language, language);
    }
});

test('each language of a processor is given to it by its own tag', () => {
  for (const { name, localeOf, locales, least } of adapters) {
    assert.ok(locales.length >= least, `${name} has ${locales.length}`);
    assert.equal(new Set(locales).size, locales.length, `${name} has each once`);
    for (const locale of locales) assert.equal(localeOf(locale), locale, name);
  }
});

test('whatever language a payment may name, a processor is given one of its list or its default', () => {
  const names = Array.from({ length: 26 * 26 }, (_, place) => place);
  const letter = (place: number) => String.fromCharCode(97 + place);
  for (const place of names)
    for (const rest of ['', '-DE', '-Latn', '-Hant-TW', '-419', '-x-private', '-1994']) {
      const tag = letter(Math.trunc(place / 26)) + letter(place % 26) + rest;
      for (const { name, localeOf, locales, none } of adapters) {
        const told = localeOf(tag);
        assert.ok(told === none || (told !== null && locales.includes(told)), `${name}: ${told} for ${tag}`);
      }
    }
});

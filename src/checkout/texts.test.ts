import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testTexts } from '../../test/harness/locale-texts.ts';
import { locales } from '../base/locale.ts';
import { texts } from './texts.ts';

testTexts(texts, {
  empty: [
    'fields.name.hint',
    'fields.name.placeholder',
    'fields.number.placeholder',
    'fields.csc.placeholder',
  ],
  // These have the same name in all of Europe.
  untranslated: ['transfer.iban', 'transfer.bic'],
});

test('every status page says what happened to the money', () => {
  for (const locale of locales) {
    for (const [state, sentences] of Object.entries(texts(locale).states)) {
      if (typeof sentences === 'string') continue;
      assert.ok(sentences.heading && sentences.money && sentences.next, `${locale} ${state}`);
    }
  }
});

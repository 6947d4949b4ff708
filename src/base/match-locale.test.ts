// Choosing a language of a list for a tag.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchLocale } from './match-locale.ts';

test('the best match has the same language and script, then the region', () => {
  const wanted: readonly [string, readonly string[], string | null][] = [
    ['de-AT', ['de-DE', 'de-AT'], 'de-AT'],
    ['de-LI', ['de-DE', 'de-AT'], 'de-DE'],
    ['de', ['de-AT', 'de'], 'de'],
    ['es-MX', ['es', 'es-419'], 'es-419'],
    ['es-ES', ['es-419', 'es'], 'es'],
    ['zh-TW', ['zh', 'zh-HK', 'zh-TW'], 'zh-TW'],
    ['zh-Hant', ['zh', 'zh-HK', 'zh-TW'], 'zh-HK'],
    ['zh-SG', ['zh-HK', 'zh'], 'zh'],
    ['no', ['nb'], 'nb'],
    ['nb-NO', ['no-NO'], 'no-NO'],
    ['tl', ['fil'], 'fil'],
    ['iw', ['he'], 'he'],
    ['de-DE-DE', ['de'], 'de'],
    ['no-NO-NY', ['nb'], 'nb'],
    ['en_us_1', ['en'], 'en'],
    [`de-${'1-'.repeat(8000)}`, ['de'], null],
    ['zh-CN', ['zh-Hans'], 'zh-Hans'],
    ['zh-TW', ['zh-Hans'], null],
    ['pt-BR', ['pt-PT'], 'pt-PT'],
    ['und-AT', ['en', 'de'], 'de'],
    ['sr-Latn', ['sr'], null],
    ['fr', ['de', 'en'], null],
    ['', ['en'], null],
    ['not a tag', ['en'], null],
  ];
  for (const [tag, supported, locale] of wanted)
    assert.equal(matchLocale(tag, supported), locale, `${tag} among ${supported.join(', ')}`);
});

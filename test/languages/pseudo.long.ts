// Every page and email in a pseudo-language: long, accented, and from right to left in place of Arabic. A text that is not in
// the catalogue would stay plain English.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts } from '../../src/texts/texts.ts';
import type { Tree } from '../harness/check-catalogue.ts';
import { documentsIn } from './documents.ts';
import { testEveryPage } from './every-page.ts';
import { pseudoText, pseudoTexts } from './pseudo.ts';

Object.assign(texts('ar'), pseudoTexts(texts('en') as Tree));

test('the pseudo-language keeps placeholders and plural forms, and changes all that is shown', () => {
  assert.equal(pseudoText('Pay {amount} now'), 'Páàýÿ {amount} ñóòw');
  assert.equal(
    pseudoText('{count, plural, one {# try of {name}} other {# tries}}'),
    '{count, plural, one {# trýÿ óòf {name}} other {# tríìéèš}}',
  );
});

/** What merchants, customers and the service itself write, which no catalogue contains. */
const names =
  /https?:\/\/\S+|Blumenhandlung Rosenrot|order-1042|Roses|Ada Lovelace|ada@example\.com|Paypond|Second account|Apple Pay|Slow|Visa|Paylink|codeofapayment/g;

test('every visible English word is in the catalogue', () => {
  for (const [name, html] of documentsIn('ar')) {
    const visible = html
      .replace(/<(style|script|select|code)\b[\s\S]*?<\/\1>|<head>[\s\S]*?<\/head>|<[^>]+>/g, ' ')
      .replace(names, '')
      .replace(/&\w+;|&#\d+;/g, ' ');
    assert.doesNotMatch(visible, /\b(the|you|your|pay|card|to|is|was|of|for|and|amount)\b/i, name);
  }
});

testEveryPage(['ar']);

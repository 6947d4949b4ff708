// Every catalogue is complete: it has the keys, placeholders and plural forms that it needs, and no English is left in it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { faultsOfCatalogue, flattenTexts, type Tree } from '../../test/harness/check-catalogue.ts';
import { type Locale, languages, locales } from '../base/locale.ts';
import { pageTexts, receiptTexts } from './texts.ts';

const read = (name: string): Tree =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as Tree;

/** Names that are the same in every language. */
const sameEverywhere = ['page.items.line', 'page.transfer.iban', 'page.transfer.bic'];

/** Words that a language spells like English. */
const sameWords: Partial<Record<Locale, readonly string[]>> = {
  ar: ['page.fields.expiry.placeholder', 'receipt.file'],
  cs: ['email.test'],
  da: ['email.test'],
  es: ['page.errorTitle', 'receipt.labels.total'],
  et: ['email.test'],
  fr: ['receipt.labels.total', 'email.test'],
  he: ['page.fields.expiry.placeholder', 'receipt.file'],
  hr: ['email.test'],
  it: ['contact.privacy', 'email.test'],
  ja: ['receipt.file'],
  mt: ['receipt.labels.total'],
  nb: ['email.test'],
  nl: ['contact.privacy', 'email.test'],
  pl: ['email.test'],
  'pt-PT': ['receipt.labels.total'],
  ro: ['page.card', 'receipt.labels.card', 'receipt.labels.total', 'email.test'],
  sk: ['email.test'],
  sl: ['email.test'],
  sv: ['email.test'],
  tr: ['email.test'],
  'zh-Hans': ['receipt.file'],
};

for (const locale of locales)
  test(`${languages[locale]} (${locale}) has every text, placeholder and plural form`, () => {
    const same = locale === 'en' ? null : [...sameEverywhere, ...(sameWords[locale] ?? [])];
    assert.deepEqual(faultsOfCatalogue(read(locale), { locale, english: read('en'), same }), []);
  });

test('the name of the receipt’s file has letters that every header and file system takes', () => {
  for (const locale of locales) assert.match(receiptTexts(locale).file, /^[a-z-]{3,30}$/, locale);
});

test('every text has a note for translators', () => {
  const notes = flattenTexts(read('notes'));
  assert.deepEqual([...notes.keys()], [...flattenTexts(read('en')).keys()]);
  for (const [key, note] of notes) assert.match(note, /^\S.{9,}\.$/s, key);
});

test('every status page says what happened to the money', () => {
  for (const locale of locales) {
    for (const [state, sentences] of Object.entries(pageTexts(locale).states)) {
      if (typeof sentences === 'string') continue;
      assert.ok(sentences.heading && sentences.money && sentences.next, `${locale} ${state}`);
    }
  }
});

test('a missing or surplus key, lost placeholder, plural form, markup and English are named', () => {
  const english = {
    a: 'Pay {amount}',
    b: { c: 'You have {count, plural, one {# try} other {# tries}}.', d: 'Amount' },
  };
  const faults = (tree: Tree, locale: Locale = 'de') =>
    faultsOfCatalogue(tree, { locale, english, same: [] });
  const german = {
    a: '{amount} zahlen',
    b: { c: '{count, plural, one {# Versuch} other {# Versuche}}', d: 'Betrag' },
  };
  assert.deepEqual(faults(german), []);
  const { a, b } = german;
  const table: readonly [Tree, RegExp][] = [
    [{ a, b: { c: b.c } }, /b\.d is missing/],
    [{ a, b, z: 'x' }, /z is not a key/],
    [{ b, a }, /order/],
    [{ a: 'Zahlen', b }, /a lacks \{amount\}/],
    [{ a: '{amount} {betrag} zahlen', b }, /a has \{betrag\}, which English lacks/],
    [{ a, b: { ...b, c: '{count} Versuche' } }, /b\.c lacks \{count, plural\}/],
    [{ a, b: { ...b, c: '{count, plural, other {# Versuche}}' } }, /b\.c lacks the plural form one/],
    [{ a, b: { ...b, c: '{count, plural, one {x} few {x} other {x}}' } }, /b\.c has the plural form few/],
    [{ a, b: { ...b, d: 'Amount' } }, /b\.d is English/],
    [{ a, b: { ...b, d: '' } }, /b\.d is empty/],
    [{ a, b: { ...b, d: '<b>Betrag</b>' } }, /b\.d has markup/],
    [{ a, b: { ...b, d: "L'amount" } }, /b\.d has the apostrophe '/],
    [{ a: '{amount zahlen', b }, /a cannot be parsed/],
    [{ a: ' {amount} zahlen', b }, /a begins or ends with a space/],
    [{ a: '{amount}\u202E zahlen', b }, /a has a control character/],
  ];
  for (const [tree, fault] of table) assert.match(faults(tree).join('\n'), fault);
});

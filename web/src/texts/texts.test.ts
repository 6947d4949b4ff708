// Every catalogue of the dashboard is complete: it has the keys, placeholders and plural forms that it needs, and no
// English is left in it.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileTexts } from '../../../scripts/compile-texts.mjs';
import { faultsOfCatalogue, flattenTexts, type Tree } from '../../../test/harness/check-catalogue.ts';
import { chooseLanguage, type Language, languages } from '../base/languages.ts';

const tags = Object.keys(languages) as Language[];

const read = (name: string): Tree =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as Tree;

/** Signs and names that are the same in every language. */
const sameEverywhere = [
  ...['common.none', 'common.labelled', 'actors.system', 'webhooks.url'],
  ...['processorFields.bank_transfer.iban.label', 'processorFields.bank_transfer.bic.label'],
];

/** Words that a language spells like English. */
const sameWords: Partial<Record<Language, readonly string[]>> = {
  de: [
    ...['common.optional', 'common.test', 'common.live', 'shared.screens.webhooks', 'shared.screens.team'],
    ...['shared.status', 'shared.name', 'shell.themes.system', 'payments.columnNames.state'],
    ...['newLink.pairName', 'webhooks.testTitle', 'settings.logo', 'settings.desktop'],
    ...['audit.kinds.members', 'audit.kinds.webhooks', 'start.shell', 'account.passkeys'],
    'account.kinds.browser',
  ],
};

const faultsOf = (catalogue: Tree, language: Language) =>
  faultsOfCatalogue(catalogue, {
    locale: language,
    english: read('en'),
    same: language === 'en' ? null : [...sameEverywhere, ...(sameWords[language] ?? [])],
    isMarkup: false,
  });

for (const language of tags)
  test(`${languages[language].name} (${language}) has every text, placeholder and plural form`, () => {
    assert.deepEqual(faultsOf(read(language), language), []);
  });

test('each catalogue is offered, and each language has one', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.json'));
  assert.deepEqual(files.sort(), [...tags, 'notes'].map((name) => `${name}.json`).sort());
});

test('every text has a note for translators', () => {
  const notes = flattenTexts(read('notes'));
  assert.deepEqual([...notes.keys()], [...flattenTexts(read('en')).keys()]);
  for (const [key, note] of notes) assert.match(note, /^\S.{9,}\.$/s, key);
});

test('a fault that is planted into a catalogue is named', () => {
  const german = read('de') as Tree & { payments: Tree; common: Tree };
  const { payments, common } = german;
  const table: readonly [planted: Tree, fault: RegExp][] = [
    [{ ...german, common: { ...common, close: 'Close' } }, /common\.close is English/],
    [{ ...german, common: { ...common, surplus: 'Mehr' } }, /common\.surplus is not a key/],
    [{ ...german, payments: { ...payments, shown: '{count} Zahlungen' } }, /shown lacks \{count, plural\}/],
    [{ ...german, payments: { ...payments, stillSearching: 'Suche läuft …' } }, /stillSearching lacks \{count/],
    [{ ...german, payments: { ...payments, search: '' } }, /payments\.search is empty/],
  ];
  for (const [planted, fault] of table) assert.match(faultsOf(planted, 'de').join('\n'), fault);
  const { close: _, ...rest } = common;
  assert.match(faultsOf({ ...german, common: rest }, 'de').join('\n'), /common\.close is missing/);
});

test('texts with values are parsed when the dashboard is built, and a malformed one is refused', () => {
  const compiled = compileTexts({ plain: 'Close', a: { filled: 'Pay {amount}' } });
  assert.deepEqual(JSON.parse(JSON.stringify(compiled)), {
    plain: 'Close',
    a: {
      filled: [
        { type: 0, value: 'Pay ' },
        { type: 1, value: 'amount' },
      ],
    },
  });
  for (const malformed of ['Pay {amount', '{count, plural, one {x}}'])
    assert.throws(() => compileTexts({ malformed }), malformed);
});

test('the first wanted language that the dashboard has is chosen, whatever its region, else English', () => {
  assert.equal(chooseLanguage(['', 'de-AT', 'en']), 'de');
  assert.equal(chooseLanguage(['xx', 'DE']), 'de');
  assert.equal(chooseLanguage(['ja', 'zh-Hans']), 'en');
  assert.equal(chooseLanguage([]), 'en');
});

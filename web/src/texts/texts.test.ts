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
const sameWords: Partial<Record<Language, string>> = {
  de: `
    common.optional common.test common.live shared.screens.webhooks shared.screens.team
    shared.status shared.name shell.themes.system payments.columnNames.state newLink.pairName
    webhooks.testTitle identity.logos.light settings.desktop audit.kinds.members audit.kinds.webhooks
    start.shell account.passkeys account.kinds.browser identity.website
  `,
  es: `
    common.no shared.screens.webhooks shared.endpoint shared.roles webhooks.list
    audit.kinds.webhooks start.shell
  `,
  fr: `
    common.actions common.test shared.screens.webhooks shared.endpoint shared.description
    shared.mode shared.date shared.type shell.menu cases.closeNote webhooks.list webhooks.testTitle
    keys.statuses.active identity.logos.light settings.page audit.kinds.webhooks audit.kinds.exports
    start.shell account.sessions
  `,
  it: `
    common.no common.test common.live shared.screens.team shared.endpoint shell.menu signIn.password
    webhooks.testTitle processors.processor identity.logos.light settings.desktop audit.kinds.members
    start.shell account.password account.kinds.browser
  `,
  nl: `
    common.test common.live shared.screens.webhooks shared.screens.team shared.endpoint
    shared.status shared.type shared.details shell.menu overview.figures.links payments.filters
    payments.columnNames.state payment.metadata newLink.metadata balances.accounts.processor
    webhooks.list webhooks.testTitle deliveries.headers processors.processor identity.logos.light
    identity.website settings.desktop settings.origin audit.kinds.members audit.kinds.webhooks
    audit.kinds.exports audit.actor requests.actor start.shell account.passkeys account.kinds.browser
  `,
  pl: `
    common.roles.admin shared.endpoint shared.status shell.menu payments.columnNames.state
    webhooks.testTitle identity.logos.light account.kinds.token processorFields.paypal.clientId.label
  `,
};

const faultsOf = (catalogue: Tree, language: Language) =>
  faultsOfCatalogue(catalogue, {
    locale: language,
    english: read('en'),
    same: language === 'en' ? null : [...sameEverywhere, ...(sameWords[language] ?? '').trim().split(/\s+/)],
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

/** The keys without a useful note, and the notes without a key. */
function faultsOfNotes(notes: ReadonlyMap<string, string>): string[] {
  const texts = flattenTexts(read('en'));
  const surplus = [...notes.keys()].filter((key) => !texts.has(key));
  return [
    ...[...texts.keys()].flatMap((key) => {
      const note = notes.get(key);
      if (note === undefined) return [`${key} has no note`];
      return /^\S.{9,}\.$/s.test(note) ? [] : [`the note of ${key} is not a sentence`];
    }),
    ...surplus.map((key) => `the note of ${key} has no text`),
  ];
}

test('every text has a note for translators, and a key without one is named', () => {
  const notes = flattenTexts(read('notes'));
  assert.deepEqual(faultsOfNotes(notes), []);
  assert.deepEqual([...notes.keys()], [...flattenTexts(read('en')).keys()], 'in the order of the texts');
  notes.delete('common.close');
  notes.set('common.save', 'Button').set('common.surplus', 'Button of a form.');
  assert.deepEqual(faultsOfNotes(notes), [
    'common.close has no note',
    'the note of common.save is not a sentence',
    'the note of common.surplus has no text',
  ]);
});

for (const language of tags.filter((tag) => tag !== 'en'))
  test(`a fault that is planted into ${language}.json is named`, () => {
    const catalogue = read(language) as Tree & { payments: Tree; common: Tree };
    const { payments, common } = catalogue;
    const inPayments = (texts: Tree) => ({ ...catalogue, payments: { ...payments, ...texts } });
    const table: readonly [planted: Tree, fault: RegExp][] = [
      [{ ...catalogue, common: { ...common, close: 'Close' } }, /common\.close is English/],
      [{ ...catalogue, common: { ...common, surplus: 'X' } }, /common\.surplus is not a key/],
      [inPayments({ shown: '{count} X' }), /shown lacks \{count, plural\}/],
      [inPayments({ shown: '{count, plural, one {X}}' }), /shown cannot be parsed/],
      [inPayments({ shown: '{count, plural, other {X}}' }), /shown lacks the plural form one/],
      [inPayments({ stillSearching: 'X' }), /stillSearching lacks \{count/],
      [inPayments({ search: '' }), /payments\.search is empty/],
    ];
    for (const [planted, fault] of table) assert.match(faultsOf(planted, language).join('\n'), fault);
    const { close: _, ...rest } = common;
    assert.match(faultsOf({ ...catalogue, common: rest }, language).join('\n'), /common\.close is missing/);
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

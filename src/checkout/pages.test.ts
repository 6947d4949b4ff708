// Rules for every hosted page: nothing inline, escaped text, no card data, a small size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  everyWord,
  fieldErrors,
  pagesIn,
  payView,
  problems,
  stateView,
  weightOf,
} from '../../test/harness/hosted-pages.ts';
import { formatAmount } from '../base/format-amount.ts';
import { directionOfLocale, locales } from '../base/locale.ts';
import { pageTexts } from '../texts/texts.ts';
import { assetPaths, checkoutAssets } from './assets.ts';
import type { PageFrame } from './layout.ts';
import { type FieldProblem, type PayView, renderPayPage } from './pay-page.ts';
import { renderStatePage } from './state-pages.ts';

const everyPage = locales.flatMap((locale) =>
  [...pagesIn(locale)].map(([name, page]) => ({ locale, name: `${locale} ${name}`, page })),
);

/** The tags of a page with the names of their attributes, without all values. */
function skeleton(page: string): string[] {
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, '=""'));
}

function visible(page: string): string {
  return page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const hostile: readonly string[] = [
  '"><script>alert(1)</script><x a="',
  "' onfocus=alert(1) autofocus x='",
  '</title></bdi></main><form action=//evil.example>',
  '<!-- & &lt; ]]> {amount} {merchant} $1 $&',
  '\u202Egnp.tnemyap\u2069\u202C',
  '🎉👩‍👩‍👧',
  'x'.repeat(10_000),
];

test('text from merchants and customers never changes the markup of a page', () => {
  for (const locale of locales) {
    const expected = pagesIn(locale);
    for (const text of hostile) {
      for (const [name, page] of pagesIn(locale, everyWord(text))) {
        assert.deepEqual(
          skeleton(page),
          skeleton(expected.get(name)!),
          `${locale} ${name}: ${text.slice(0, 50)}`,
        );
      }
    }
  }
});

test('no page contains a character that switches the writing direction, and foreign text is isolated', () => {
  for (const locale of locales) {
    for (const [name, page] of pagesIn(locale, everyWord('\u202Eab\u2066c\u2069'))) {
      // Hidden inputs contain our tokens, byte for byte. Nobody reads them.
      const bare = page.replace(/<input type="hidden"[^>]*>/g, '');
      // In titles and attributes, a pair of FSI and PDI isolates it.
      const pair = /\u2068[^\u2066-\u2069]*\u2069/g;
      const shown = bare.replace(pair, '').replace(pair, '');
      assert.doesNotMatch(shown, /[\u202A-\u202E\u2066-\u2069]/, name);
      // Outside attributes and the title, every copy is inside its own element.
      const body = page.slice(page.indexOf('<body')).replace(/="[^"]*"/g, '');
      assert.equal(body.split('abc').length, body.split('<bdi>abc</bdi>').length, name);
    }
  }
});

test('long texts and emoji are shown in full, and shortened in the title', () => {
  for (const text of ['x'.repeat(10_000), '🎉'.repeat(5_000)]) {
    const page = renderPayPage(payView('en', everyWord(text))).html;
    assert.ok(page.includes(`<bdi>${text}</bdi>`));
    const title = /<title>(.*)<\/title>/.exec(page)?.[1] ?? '';
    assert.ok(title.length > 80 && title.length < 200 && title.endsWith('…'), String(title.length));
    assert.ok(title.isWellFormed());
  }
});

test('no page has an inline script, an inline style, an event attribute or an external URL', () => {
  for (const { name, page } of everyPage) {
    assert.doesNotMatch(page, /<style|\sstyle\s*=|\son\w+\s*=|javascript:|<iframe|<object|<base/i, name);
    const loads = [...page.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]*)"/g)].map(
      (match) => match[1],
    );
    const { css, js, icon } = assetPaths();
    // An inlined image is not a request.
    const foreign = loads.filter((address) => !address?.startsWith('data:image/png;base64,'));
    assert.deepEqual(foreign, [icon, css, js], name);
    for (const [script] of page.matchAll(/<script.*?<\/script>/gs))
      assert.match(script, /^<script src="[^"]+" defer><\/script>$/);
  }
});

test('HTML, stylesheet, script and icon stay under 30 kB in four requests', () => {
  const files = checkoutAssets().reduce((sum, asset) => sum + weightOf(asset), 0);
  assert.equal(checkoutAssets().length, 3);
  for (const { name, page } of everyPage) {
    // A logo replaces the icon, is cached, and does not delay the first paint.
    const total = files + Buffer.byteLength(page);
    assert.ok(total <= 30_000, `${name}: ${total} bytes`);
  }
});

test('every page has its language, one h1, a main, a plain title, and is neither indexed nor a referrer', () => {
  for (const { name, page, locale } of everyPage) {
    assert.ok(
      page.startsWith(`<!doctype html>\n<html lang="${locale}" dir="${directionOfLocale(locale)}">`),
      name,
    );
    for (const once of ['<h1>', '<main ', '<title>', '<meta name="viewport"'])
      assert.equal(page.split(once).length, 2, name + once);
    assert.match(page, /<title>[^<]{5,}<\/title>/, name);
    assert.ok(page.includes('<meta name="robots" content="noindex">'), name);
    assert.ok(page.includes('<meta name="referrer" content="no-referrer">'), name);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]!);
    assert.equal(new Set(ids).size, ids.length, name);
    for (const [, list = ''] of page.matchAll(/(?:aria-describedby|for)="([^"]+)"/g)) {
      for (const id of list.split(' ')) assert.ok(ids.includes(id), `${name}: ${id}`);
    }
  }
});

test('the pay page shows merchant, amount and order before the card form', () => {
  for (const locale of locales) {
    const text = visible(pagesIn(locale).get('pay')!.split('<main')[1]!);
    const places = ['Blumen', formatAmount(1999, 'EUR', locale), 'A-1', pageTexts(locale).pay.cardDetails];
    const order = places.map((words) => text.indexOf(words));
    assert.ok(
      order.every((place, index) => place >= 0 && (index === 0 || place > order[index - 1]!)),
      String(order),
    );
  }
  assert.match(
    pagesIn('en').get('pay')!,
    /<title>Pay €19\.99 to Blumen<\/title>.*>Pay €19\.99<\/span><\/button>/s,
  );
  assert.match(pagesIn('de').get('pay')!, />19,99\u00a0€ bezahlen<\/span><\/button>/);
});

test('the card fields have autocomplete values, and only the name is prefilled', () => {
  const page = renderPayPage({ ...payView('en'), problem: 'incorrect_csc' }).html;
  const inputs = [...page.matchAll(/<input type="text"[^>]*>/g)].map(([tag]) => tag);
  const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  assert.deepEqual(
    inputs.map((tag) => [
      attribute(tag, 'name'),
      attribute(tag, 'autocomplete'),
      attribute(tag, 'inputmode'),
    ]),
    [
      ['cc_name', 'cc-name', undefined],
      ['cc_number', 'cc-number', 'numeric'],
      ['cc_exp', 'cc-exp', 'numeric'],
      ['cc_csc', 'cc-csc', 'numeric'],
    ],
  );
  assert.deepEqual(
    inputs.map((tag) => attribute(tag, 'value')),
    ['Ada', undefined, undefined, undefined],
  );
});

test('a page never contains an entered card number or security code', () => {
  const typed = { name: 'Ada', number: '5555555555554444', csc: '9731', expiry: '12/77' };
  const view = { ...payView('en'), problem: 'fields' as const, fieldErrors, values: typed };
  assert.doesNotMatch(renderPayPage(view).html, /5555|9731/);
  const paid = renderStatePage('paid', {
    ...stateView('en'),
    card: { brand: 'visa', last4: '5555555555554444' },
  });
  assert.doesNotMatch(paid.html, /5555/);
  assert.match(visible(paid.html), /Visa ending in 4444/);
});

test('an expiry date that was entered is shown again', () => {
  const view = { ...payView('en'), values: { name: '', expiry: '12/77' } };
  assert.match(renderPayPage(view).html, /id="cc_exp"[^>]*? value="12\/77"/);
});

test('the name field shows the entered name, or else the name from the merchant', () => {
  const nameIn = (view: PayView) => /id="cc_name"[^>]*? value="([^"]*)"/.exec(renderPayPage(view).html)?.[1];
  const view = { ...payView('en'), payerName: 'Known' };
  assert.equal(nameIn({ ...view, values: { name: '', expiry: '' } }), 'Known');
  assert.equal(nameIn({ ...view, values: { name: 'Typed', expiry: '' } }), 'Typed');
  assert.equal(
    nameIn({ ...view, values: { name: '', expiry: '' }, fieldErrors: { name: 'missing' } }),
    undefined,
  );
});

test('a problem is shown in a focused alert, in the title and at its field', () => {
  for (const locale of locales) {
    const text = pageTexts(locale);
    const page = renderPayPage({ ...payView(locale), fieldErrors: { expiry: 'expired' } }).html;
    assert.match(page, /<div class="alert" id="alert" role="alert" tabindex="-1" autofocus>/);
    assert.ok(page.includes(`<title>${text.errorTitle.split('{')[0]}`));
    assert.ok(page.includes(`<li><a href="#cc_exp">${text.fields.expiry.problems.expired}</a></li>`));
    assert.ok(
      page.includes(`id="cc_exp-error" aria-live="polite">${text.fields.expiry.problems.expired}</p>`),
    );
    assert.equal(page.split('aria-invalid="true"').length, 2);
    for (const problem of problems) {
      const alert = visible(renderPayPage({ ...payView(locale), problem }).html);
      for (const sentence of Object.values(text.problems[problem]))
        assert.ok(alert.includes(sentence.replaceAll('{title}', 'Paypond')), `${problem}: ${sentence}`);
    }
    assert.doesNotMatch(pagesIn(locale).get('pay')!, /class="alert"|aria-invalid|autofocus/);
  }
});

test('every placeholder of a sentence is filled in', () => {
  for (const { name, page } of everyPage) assert.doesNotMatch(visible(page), /\{\w+\}/, name);
});

test('every problem of every field has a sentence', () => {
  const all: readonly FieldProblem[] = ['missing', 'invalid', 'expired', 'unsupported_test_card', 'too_long'];
  for (const field of ['name', 'number', 'expiry', 'csc'] as const) {
    for (const problem of all) {
      const page = renderPayPage({ ...payView('en'), fieldErrors: { [field]: problem } }).html;
      assert.match(page, /-error" aria-live="polite">[A-Z][^<]+\.<\/p>/, `${field} ${problem}`);
    }
  }
});

test('the remaining attempts are shown after a failed attempt and before the last one', () => {
  const shown = (view: Partial<PayView>) => visible(renderPayPage({ ...payView('en'), ...view }).html);
  assert.match(shown({ problem: 'incorrect_csc', attemptsLeft: 2 }), /You can try 2 more times\./);
  assert.match(shown({ problem: 'incorrect_csc', attemptsLeft: 1 }), /You can try one more time\./);
  assert.match(shown({ attemptsLeft: 1 }), /You can try one more time\./);
  assert.doesNotMatch(shown({ problem: 'fields', attemptsLeft: 2 }), /You can try/);
  assert.doesNotMatch(shown({ problem: 'incorrect_csc', attemptsLeft: null }), /You can try/);
});

test('only test-mode pages show the ribbon and the test cards', () => {
  const { frame } = payView('en');
  const live = renderPayPage({ ...payView('en'), frame: { ...frame, isTestMode: false } }).html;
  assert.doesNotMatch(live, /4242|ribbon|<details/);
  assert.match(pagesIn('en').get('pay')!, /class="ribbon".*<details[ >].*4242 4242 4242 4242/s);
});

test('a page has the files, language and ribbon of its own company and payment, whatever was shown before', () => {
  const { frame } = payView('en');
  const branded = { ...frame.assets, css: '/assets/112233/a.css', logo: '/assets/logos/a/b.png' };
  const frames: readonly [PageFrame, present: RegExp, absent: RegExp][] = [
    [frame, /lang="en".*class="ribbon"/s, /112233|logos| inert/],
    [{ ...frame, locale: 'de' }, /lang="de".*Testmodus/s, /112233|logos| inert/],
    [{ ...frame, isTestMode: false }, /lang="en"/, /ribbon|112233|logos/],
    [{ ...frame, assets: { ...frame.assets, css: '/assets/445566/a.css' } }, /445566/, /112233|logos/],
    [{ ...frame, isPreview: true }, /<body inert>/, /112233|logos/],
    [
      { ...frame, assets: branded },
      /112233.*<p class="logo"><img src="\/assets\/logos\/a\/b\.png"/s,
      / inert/,
    ],
    [{ ...frame, assets: { ...frame.assets, js: null } }, /class="ribbon"/, /<script/],
  ];
  for (const visit of ['first', 'second'])
    for (const [own, present, absent] of frames) {
      const page = renderPayPage({ ...payView('en'), frame: own }).html;
      assert.match(page, present, visit);
      assert.doesNotMatch(page, absent, visit);
    }
});

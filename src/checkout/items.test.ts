import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payView } from '../../test/harness/hosted-pages.ts';
import { formatTaxRate } from '../base/format-tax-rate.ts';
import { type Locale, locales } from '../base/locale.ts';
import type { PaymentItem } from '../payments/items.ts';
import { checkoutAssets } from './assets.ts';
import { renderItems } from './items.ts';
import { renderPayPage } from './pay-page.ts';

const item = (name: string, quantity: number, unitAmountMinor: number, taxRate: number | null = 1_900) => ({
  ...{ name, quantity, unitAmountMinor, taxRate },
});
const order = [item('Ticket', 2, 1_250), item('Discount', 1, -501)];

/** The visible text, one line for each line of the list. */
const linesOf = (items: readonly PaymentItem[], locale: Locale = 'en') =>
  [...renderItems(locale, items, 'EUR').html.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, line = '']) =>
    line.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' '),
  );
const pageWith = (locale: Locale, items: readonly PaymentItem[]) =>
  renderPayPage({ ...payView(locale), items }).html;

test('each item has a line with its quantity and total, and below them is the tax in them', () => {
  assert.deepEqual(linesOf(order), ['2 × Ticket €25.00', '1 × Discount -€5.01', 'Includes 19% tax: €3.19']);
  assert.deepEqual(linesOf([item('Ticket', 9_999, 1)], 'de'), [
    '9.999 × Ticket 99,99 €',
    'Enthält 19 % MwSt.: 15,96 €',
  ]);
});

test('each rate has its own line, highest first, and no tax has none', () => {
  const items = [
    item('Book', 1, 1_000, 770),
    item('Ticket', 2, 1_250),
    item('Fee', 1, 100, 0),
    item('Tip', 1, 1, null),
  ];
  assert.deepEqual(linesOf(items).slice(4), ['Includes 19% tax: €3.99', 'Includes 7.7% tax: €0.71']);
  assert.equal(formatTaxRate(1_912, 'de').replaceAll('\u00a0', ' '), '19,12 %');
});

test('three items are shown, and more are folded behind their number', () => {
  const of = (count: number) =>
    renderItems(
      'en',
      Array.from({ length: count }, () => item('Ticket', 1, 1)),
      'EUR',
    ).html;
  assert.match(of(3), /^<ul class="items"><li>/);
  assert.match(of(4), /^<details>\n<summary>4 items<\/summary>\n<ul class="items">/);
  assert.equal(of(0), '');
});

test('the name of an item never changes the markup or the direction of the page', () => {
  const skeleton = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
  const plain = skeleton(pageWith('en', [item('Ticket', 1, 1_999)]));
  for (const name of [
    '"><script>alert(1)</script>',
    '{quantity} $& <!--',
    '\u202Eelbat\u2069',
    'كرسي',
    '🎟'.repeat(200),
  ]) {
    const page = pageWith('en', [item(name, 1, 1_999)]);
    assert.deepEqual(skeleton(page), plain, name);
    assert.doesNotMatch(page, /[\u202A-\u202E\u2066-\u2069]/);
  }
  assert.ok(pageWith('en', [item('كرسي', 1, 1_999)]).includes('1 × <bdi>كرسي</bdi>'));
});

test('in every language, a page with 20 items stays under 30 kB', () => {
  const files = checkoutAssets().reduce((sum, asset) => sum + asset.bodies.identity.length, 0);
  const items = Array.from({ length: 20 }, (_, index) =>
    item('Concert ticket', 1 + index, 1_999, 700 * (index % 3)),
  );
  const sizes = locales.map(
    (locale) => [locale, files + Buffer.byteLength(pageWith(locale, items))] as const,
  );
  assert.deepEqual(
    sizes.filter(([, bytes]) => bytes > 30_000),
    [],
  );
});

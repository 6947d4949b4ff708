// The card form in a real browser: its errors, its number field, and hostile text from merchants.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { plainText } from '../src/http/html.ts';
import { pageTexts } from '../src/texts/texts.ts';
import {
  auditPage,
  openWindow,
  overflowOf,
  payByKeyboard,
  pressByKeyboard,
  tabTo,
  typeCard,
  windows,
} from './harness/browser.ts';
import {
  assertReturnedToShop,
  attemptsOf,
  type CheckoutFixture,
  cards,
  openCheckoutFixture,
  openLink,
  textOf,
} from './harness/checkout-fixture.ts';
import { logIn, orderOf, processPayment } from './harness/client.ts';

let place: CheckoutFixture;
before(async () => {
  place = await openCheckoutFixture('server');
});
after(async () => await place.close());

const fields = {
  name: '#cc_name',
  number: '#cc_number',
  expiry: '#cc_exp',
  csc: '#cc_csc',
} as const;

const focusOf = async (page: Page) => await page.evaluate<string>('document.activeElement.id');

/** What a screen reader announces about a field besides its name: whether it is invalid, and its description. */
async function announcedOf(page: Page, selector: string): Promise<{ invalid: boolean; description: string }> {
  return await page.evaluate(`(() => {
    const field = document.querySelector('${selector}');
    const parts = field.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id));
    return {
      invalid: field.getAttribute('aria-invalid') === 'true',
      description: parts.map((part) => part.innerText).filter(Boolean).join(' '),
    };
  })()`);
}

test('the mark of the brand covers no digit, also from right to left and on the narrowest phone', async () => {
  for (const language of ['en', 'ar'])
    for (const number of ['4242424242424242', '378282246310005']) {
      const { page, customer } = await openLink(place, { language, size: { width: 320, height: 664 } });
      await page.fill('#cc_number', number);
      await page.dispatchEvent('#cc_number', 'input');
      const [text, mark] = await page.evaluate<[number, number]>(`(() => {
        const field = document.getElementById('cc_number');
        const context = document.createElement('canvas').getContext('2d');
        context.font = getComputedStyle(field).font;
        const start = field.getBoundingClientRect().left + parseFloat(getComputedStyle(field).paddingLeft);
        return [start + context.measureText(field.value).width, document.getElementById('card-brand').getBoundingClientRect().left];
      })()`);
      assert.ok(text < mark, `${language} ${number}: the text ends at ${text}, the mark begins at ${mark}`);
      await customer.leave();
    }
});

test('in the last ten minutes the page counts down, and loads the page of the expired link at the end', async () => {
  const expiresAt = new Date(place.paylink.app.deps.clock.now().getTime() + 15 * 60_000).toISOString();
  const { page, customer } = await openLink(place, { order: { expiresAt } });
  await page.clock.install();
  await page.reload();
  assert.equal(await page.isVisible('#countdown'), false);
  // A minute after the countdown begins, and some time of the test itself.
  await page.clock.fastForward(6 * 60_000);
  await page.waitForSelector('#countdown:visible');
  assert.match(await textOf(page, '#countdown'), /^This link expires in [4-9]:\d\d\.$/);
  assert.match(await textOf(page, '#countdown-status'), /^This link expires in /);
  const loaded = page.waitForRequest((request) => request.isNavigationRequest());
  await page.clock.fastForward(10 * 60_000);
  assert.equal((await loaded).method(), 'GET');
  await customer.leave();
});

describe('mistakes', () => {
  for (const [language, locale] of [
    ['en-GB', 'en'],
    ['de-DE', 'de'],
  ] as const) {
    const sentences = pageTexts(locale).fields;

    test(`in ${language} an empty form is blocked, each field shows its error, and the first one has the focus`, async () => {
      const { page, customer, code } = await openLink(place, { language });
      const posts: string[] = [];
      page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
      await page.fill(fields.name, '');
      await pressByKeyboard(page, '#pay-button');
      assert.equal(await focusOf(page), 'cc_name');
      for (const field of ['name', 'number', 'expiry', 'csc'] as const) {
        const { invalid, description } = await announcedOf(page, fields[field]);
        assert.ok(invalid, field);
        assert.ok(description.startsWith(sentences[field].problems.missing), description);
        assert.equal(await page.getAttribute(`${fields[field]}-error`, 'aria-live'), 'polite');
      }
      assert.deepEqual(posts, []);
      assert.deepEqual(await attemptsOf(place, code), []);
      assert.deepEqual(customer.troubles, []);
      await customer.leave();
    });

    test(`in ${language} an invalid number shows an error when the field is left, until it is corrected`, async () => {
      const { page, customer } = await openLink(place, { language });
      await tabTo(page, fields.number);
      await page.keyboard.type('4242 4242 4242 4241');
      assert.equal((await announcedOf(page, fields.number)).invalid, false, 'not while it is being typed');
      await page.keyboard.press('Tab');
      const { invalid, description } = await announcedOf(page, fields.number);
      assert.ok(invalid);
      assert.equal(description, sentences.number.problems.invalid);
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('End');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('2');
      assert.deepEqual(await announcedOf(page, fields.number), {
        invalid: false,
        description: '',
      });
      await customer.leave();
    });

    test(`in ${language} errors from the server are an alert with the focus and links to the fields`, async () => {
      const { page, customer, code } = await openLink(place, { language });
      await typeCard(page, { number: '5555 5555 5555 4444' });
      await pressByKeyboard(page, '#pay-button');
      await page.waitForSelector('#alert');
      assert.equal(await focusOf(page), 'alert');
      assert.equal(await page.getAttribute('#alert', 'role'), 'alert');
      assert.ok((await page.title()).startsWith(locale === 'de' ? 'Fehler:' : 'Error:'));
      assert.ok((await textOf(page, '#alert')).startsWith(pageTexts(locale).problems.fields.what));
      const { invalid, description } = await announcedOf(page, fields.number);
      assert.ok(invalid && description.startsWith(sentences.number.problems.unsupported_test_card));
      assert.equal(await page.inputValue(fields.number), '');
      assert.equal(await page.inputValue(fields.csc), '');
      assert.equal(await page.inputValue(fields.name), 'Ada Lovelace');
      await pressByKeyboard(page, '#alert a');
      assert.equal(await focusOf(page), 'cc_number');
      assert.deepEqual(await attemptsOf(place, code), []);
      await customer.leave();
    });
  }
});

describe('typing', () => {
  for (const typed of ['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242']) {
    test(`a number typed as ${typed} is grouped, shows its brand, and pays`, async () => {
      const scene = await openLink(place);
      const { page } = scene;
      await typeCard(page, { number: typed, expiry: '1234' });
      assert.equal(await page.inputValue(fields.number), '4242 4242 4242 4242');
      assert.equal(await page.inputValue(fields.expiry), '12/34');
      assert.equal(await textOf(page, '#card-brand'), 'Visa');
      await page.keyboard.press('Enter');
      await assertReturnedToShop(place, scene, 'paid');
    });
  }

  test('correcting a digit keeps the caret in place', async () => {
    const { page, customer } = await openLink(place);
    await tabTo(page, fields.number);
    await page.keyboard.type('4242 4292 4242 4242');
    for (let presses = 0; presses < 11; presses++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('4');
    assert.equal(await page.inputValue(fields.number), '4242 4242 4242 4242');
    await customer.leave();
  });

  test('fields have a numeric keypad on phones, and autocomplete values', async () => {
    const { page, customer } = await openLink(place);
    const reported = await page.evaluate(
      `[...document.querySelectorAll('#pay input[type=text]')].map((field) => [field.autocomplete, field.inputMode])`,
    );
    assert.deepEqual(reported, [
      ['cc-name', ''],
      ['cc-number', 'numeric'],
      ['cc-exp', 'numeric'],
      ['cc-csc', 'numeric'],
    ]);
    await customer.leave();
  });
});

const markup = `"><script>alert(1)</script><img src=x onerror=alert(2)></title></bdi>' & &lt;b&gt;`;
const hostile: Record<string, { company: string; order: string; description: string }> = {
  'markup and quotes': { company: markup, order: markup, description: markup },
  'a switch of the writing direction': {
    company: '\u202Ehcirüz éfac\u2069 GmbH',
    order: 'מספר-7',
    description: '\u2067abc \u202E99.1€ yaP\u202C',
  },
  'right-to-left names and emoji': {
    company: 'مقهى زيورخ 🎉',
    order: '🎉🎉',
    description: '👩‍👩‍👧‍👦 קפה',
  },
  'long words without a break': {
    company: 'W'.repeat(200),
    order: '0'.repeat(128),
    description: 'ß'.repeat(500),
  },
};

describe('values from merchants', () => {
  for (const [title, { company, order, description }] of Object.entries(hostile)) {
    test(`${title}: shown as text on every page at 320 px, and never executed`, async () => {
      const { paylink, shop, browser } = place;
      const merchant = await paylink.createMerchant({ name: company });
      const answer = await processPayment(
        paylink,
        await logIn(paylink, merchant),
        orderOf({
          ...shop.addresses,
          customerOrderId: order,
          description,
          lastName: description.slice(0, 90),
        }),
      );
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const link = String(answer.body.PaymentLink);
      const customer = await openWindow(browser, {
        origins: [paylink.baseUrl, shop.origin],
        size: windows.phone,
      });
      const { page } = customer;
      const expectText = async (shown: readonly string[]) => {
        const text = await page.evaluate<string>('document.querySelector("main").textContent');
        for (const one of shown) assert.ok(text.includes(plainText(one)), `“${one}” is not in: ${text}`);
        // In the title, a pair of FSI and PDI isolates text in the other direction.
        const title = (await page.title()).replace(/\u2068[^\u2066-\u2069]*\u2069/g, '');
        assert.doesNotMatch(title + text, /[\u202A-\u202E\u2066-\u2069]/, 'a direction switch');
        assert.ok((await overflowOf(page)) <= 0, `${page.url()} scrolls sideways`);
        assert.equal(await page.locator('img, main script, main style, iframe').count(), 0);
      };
      await page.goto(link);
      await expectText([company, order, description]);
      assert.deepEqual(await auditPage(page), []);
      await payByKeyboard(page, cards.challenged);
      await page.waitForURL(/\/sandbox\/3ds\//);
      await expectText([company]);
      await page.goto(link);
      await expectText([company, order]);
      await page.goBack();
      await pressByKeyboard(page, '[value=approve]');
      await page.waitForURL((url) => url.origin === shop.origin);
      assert.equal(new URL(page.url()).searchParams.get('customerOrderId'), order);
      await page.goto(link);
      await expectText([company, order]);
      assert.deepEqual(customer.troubles, []);
      await customer.leave();
    });
  }
});

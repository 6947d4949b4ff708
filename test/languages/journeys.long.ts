// A customer pays from the link to the PDF of the receipt by keyboard only, without script and with it, from right to left and
// from left to right: chooses among several methods, corrects a declined card, and confirms with the bank.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { directionOfLocale, type Locale } from '../../src/base/locale.ts';
import { interpolateText } from '../../src/http/interpolate.ts';
import { pageTexts, receiptTexts, texts } from '../../src/texts/texts.ts';
import { openWindow, pressByKeyboard, tabTo, typeCard, typeInto, windows } from '../harness/browser.ts';
import {
  attemptsOf,
  type CheckoutFixture,
  cards,
  openCheckoutFixture,
  textOf,
} from '../harness/checkout-fixture.ts';
import { createLinkAs } from '../harness/client.ts';
import {
  createFakeHostedProcessor,
  createFakeTransferProcessor,
  withSandbox,
} from '../harness/fake-processors.ts';
import { testCsc } from '../harness/paylink.ts';
import { openCompany } from '../harness/payment-methods.ts';
import { readPdf } from '../harness/smtp-server.ts';

let place: CheckoutFixture;
before(async () => {
  const kinds = [createFakeHostedProcessor('paylake', 'Paylake').kind, createFakeTransferProcessor().kind];
  place = await openCheckoutFixture('server', { processors: withSandbox(kinds) });
});
after(async () => await place.close());

/** Checks the language of a page, its direction, and its heading, which every page has once. */
async function expectPage(page: Page, locale: Locale, heading: string): Promise<void> {
  const [lang, dir] = await page.evaluate<[string, string]>(
    '[document.documentElement.lang, getComputedStyle(document.querySelector("main")).direction]',
  );
  assert.deepEqual([lang, dir], [locale, directionOfLocale(locale)], page.url());
  assert.ok((await textOf(page, 'h1')).includes(heading), `${heading} is the heading of ${page.url()}`);
}

/** Walks through the methods by the arrow keys, and chooses the card again. */
async function chooseCard(page: Page): Promise<void> {
  await tabTo(page, '[data-takes=card]');
  const chosen = async () => await page.getAttribute('[name=method]:checked', 'data-takes');
  const seen: (string | null)[] = [];
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp']) {
    await page.keyboard.press(key);
    seen.push(await chosen());
    assert.equal(await page.isVisible('#cc_number'), seen.at(-1) === 'card', 'the form of the chosen method');
  }
  assert.deepEqual(seen, ['page', 'transfer', 'page', 'card']);
}

async function downloadReceipt(page: Page): Promise<{ name: string; text: string }> {
  const downloading = page.waitForEvent('download');
  await pressByKeyboard(page, 'a[href$="/receipt.pdf"]');
  const download = await downloading;
  const text = await readPdf(await readFile(await download.path()));
  return { name: download.suggestedFilename(), text };
}

async function expectDecline(page: Page, locale: Locale): Promise<void> {
  const { what, next } = pageTexts(locale).problems.incorrect_csc;
  await page.waitForSelector('#alert:focus');
  const alert = await textOf(page, '#alert');
  assert.ok(alert.startsWith(what) && alert.includes(next), alert);
  const values = await Promise.all(
    ['name', 'exp', 'number', 'csc'].map((of) => page.inputValue(`#cc_${of}`)),
  );
  assert.deepEqual(values, ['Ada Lovelace', '12/34', '', ''], 'everything stays except number and code');
}

for (const locale of ['ar', 'de'] as const)
  for (const script of [false, true])
    test(`a customer pays by keyboard from the link to the PDF (${locale}, ${script ? 'with' : 'without'} script)`, async () => {
      const { paylink, shop, browser } = place;
      const { owner } = await openCompany(paylink, 'paylake', 'pretend_transfer');
      const { link, code } = await createLinkAs(paylink, owner, shop.addresses);
      const origins = [paylink.baseUrl, shop.origin];
      const customer = await openWindow(browser, { origins, size: windows.phone, language: locale, script });
      const { page } = customer;

      await page.goto(link);
      await expectPage(page, locale, '19');
      await chooseCard(page);
      await typeCard(page, cards.wrongCode);
      await pressByKeyboard(page, '#pay-button');
      await expectDecline(page, locale);

      await typeInto(page, '#cc_number', cards.challenged.number);
      await typeInto(page, '#cc_csc', testCsc);
      await pressByKeyboard(page, '#pay-button');
      await page.waitForURL(/\/sandbox\/3ds\//);
      await expectPage(page, locale, texts(locale).challenge.heading);
      await pressByKeyboard(page, '[value=approve]');
      await page.waitForURL((url) => url.origin === shop.origin);
      assert.equal(new URL(page.url()).searchParams.get('status'), 'paid');
      assert.deepEqual(await attemptsOf(place, code), ['declined', 'succeeded']);

      await page.goto(link);
      await expectPage(page, locale, interpolateText(locale, pageTexts(locale).states.paid.heading, {}));
      await pressByKeyboard(page, 'a[href$="/receipt"]');
      await page.waitForURL(`${link}/receipt`);
      const receipt = receiptTexts(locale);
      await expectPage(page, locale, receipt.title);
      // A download ends as an aborted navigation.
      assert.deepEqual(customer.troubles, []);
      const { name, text } = await downloadReceipt(page);
      const number = `R-${code.slice(-10)}`;
      assert.equal(name, `${receipt.file}-${number}.pdf`);
      assert.ok(text.includes(number) && /19[.,]99/.test(text) && !text.includes('4000'), text);
      await customer.leave();
    });

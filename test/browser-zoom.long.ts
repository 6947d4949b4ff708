// Every customer page at 400 % zoom: a window of 1280 × 1024 pixels shows 320 × 256. Nothing needs sideways scrolling, nothing
// stays in front of the page, and each control can be reached, seen with its label, and pressed.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, overflowOf } from './harness/browser.ts';
import { attemptsOf, type CheckoutFixture, cards, openCheckoutFixture } from './harness/checkout-fixture.ts';
import { createLinkAs } from './harness/client.ts';
import { createFakeHostedProcessor, withSandbox } from './harness/fake-processors.ts';
import { testCsc } from './harness/paylink.ts';
import { openCompany } from './harness/payment-methods.ts';
import { documentsIn } from './languages/documents.ts';
import { openDocument } from './languages/open-document.ts';

const zoomed = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };

/** What stays where it is while the page scrolls. */
const listFixed = `[...document.querySelectorAll('*')]
  .filter((element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position))
  .map((element) => element.outerHTML.slice(0, 80))`;

/** Focuses each control as the keyboard does, and returns those that then cannot be seen or pressed, or whose label is not seen. */
const listUnreachable = `(() => {
  const faults = [];
  const controls = [...document.querySelectorAll('a[href], button, input, select, summary')]
    .filter((control) => control.type !== 'hidden' && control.checkVisibility());
  for (const control of controls) {
    control.focus();
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const name = control.outerHTML.slice(0, 80) + ' from ' + top + ' to ' + bottom;
    if (document.activeElement !== control) faults.push('no focus: ' + name);
    // The browser scrolls by whole pixels.
    if (left < 0 || right > innerWidth || top < -1 || bottom > innerHeight + 1) faults.push('outside: ' + name);
    const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!control.contains(front) && !front?.contains(control)) faults.push('covered: ' + name);
    const label = control.matches('input[type=text]') ? control.labels[0].getBoundingClientRect() : null;
    if (label && (label.top < -1 || label.bottom > innerHeight)) faults.push('label outside: ' + name);
  }
  return controls.length === 0 && document.querySelector('form') ? ['no control'] : faults;
})()`;

async function faultsOf(page: Page, name: string): Promise<string[]> {
  const fixed = await page.evaluate<string[]>(listFixed);
  const unreachable = await page.evaluate<string[]>(listUnreachable);
  const overflow = await overflowOf(page);
  return [...fixed, ...unreachable, ...(overflow > 0 ? [`${overflow} pixels too wide`] : [])].map(
    (fault) => `${name}: ${fault}`,
  );
}

for (const locale of ['de', 'ar'] as const)
  test(`at 400 % zoom every control of every page can be reached and pressed (${locale})`, async () => {
    const browser = await openBrowser();
    const context = await browser.newContext({ ...zoomed, locale });
    const page = await context.newPage();
    const faults: string[] = [];
    const pages = [...documentsIn(locale)].filter(([name]) => !name.startsWith('email: '));
    assert.ok(pages.length > 60);
    for (const [name, html] of pages) {
      await openDocument(page, html);
      faults.push(...(await faultsOf(page, name)));
    }
    await context.close();
    await browser.close();
    assert.deepEqual(faults, []);
  });

describe('paying at 400 % zoom', () => {
  const lake = createFakeHostedProcessor('paylake', 'Paylake');
  let place: CheckoutFixture;
  before(async () => {
    place = await openCheckoutFixture('server', { processors: withSandbox([lake.kind]) });
  });
  after(async () => await place.close());

  test('a customer chooses the card among several methods, corrects it after a decline, and pays', async () => {
    const { paylink, shop, browser } = place;
    const { owner } = await openCompany(paylink, 'paylake', { processor: 'sandbox' });
    const made = await createLinkAs(paylink, owner, shop.addresses);
    const context = await browser.newContext({ ...zoomed, locale: 'en-GB' });
    const page = await context.newPage();
    const fill = async (number: string) => {
      await page.fill('#cc_name', 'Ada Lovelace');
      await page.fill('#cc_number', number);
      await page.fill('#cc_exp', '12/34');
      await page.fill('#cc_csc', testCsc);
      await page.click('#pay-button');
    };
    await page.goto(made.link);
    // A click fails if something else is in front.
    await page.click('.method:has([data-takes=page])');
    await page.click('.method:has([data-takes=card])');
    await fill(cards.wrongCode.number);
    await page.waitForSelector('#alert:focus');
    const top = await page.evaluate<number>('document.getElementById("alert").getBoundingClientRect().top');
    assert.ok(top >= 0 && top < 256, `the alert begins at ${top}`);
    await fill(cards.success.number);
    await page.waitForURL((url) => url.origin === shop.origin);
    assert.deepEqual(await attemptsOf(place, made.code), ['declined', 'succeeded']);
    await context.close();
  });
});

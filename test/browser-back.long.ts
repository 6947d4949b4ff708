// The browser's Back button never shows the card number or the security code, whether the browser kept the page
// (bfcache) or restores the fields.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser, payByKeyboard, typeCard } from './harness/browser.ts';
import {
  attemptsOf,
  type CheckoutFixture,
  cards,
  type OpenCheckout,
  openCheckoutFixture,
  prepareCheckout,
} from './harness/checkout-fixture.ts';
import { until } from './harness/process.ts';

/** A display of the link's page: whether it came from the bfcache, and the values of its two fields then. */
type Shown = { path: string; persisted: boolean; number: string; csc: string };

// The listener is added after the page's script has run, so it records what the page's own listener leaves.
const recordShows = `addEventListener('DOMContentLoaded', () => addEventListener('pageshow', ({ persisted }) => {
  const valueOf = (id) => document.getElementById(id)?.value ?? '';
  const shows = JSON.parse(sessionStorage.getItem('shows') ?? '[]');
  shows.push({ path: location.pathname, persisted, number: valueOf('cc_number'), csc: valueOf('cc_csc') });
  sessionStorage.setItem('shows', JSON.stringify(shows));
}))`;

// A browser may store the fields before the page is hidden. Chromium does so under load.
const hidePagehide = `addEventListener('pagehide', (event) => event.stopImmediatePropagation())`;

async function showsOf({ page, link }: OpenCheckout): Promise<Shown[]> {
  const shows = await page.evaluate<Shown[]>(`JSON.parse(sessionStorage.getItem('shows') ?? '[]')`);
  return shows.filter(({ path }) => path === new URL(link).pathname);
}

/** Opens a new link in a window that records how its pages are shown. */
async function openRecorded(place: CheckoutFixture, storesEarly = false): Promise<OpenCheckout> {
  const scene = await prepareCheckout(place);
  await scene.customer.context.addInitScript(recordShows);
  if (storesEarly) await scene.customer.context.addInitScript(hidePagehide);
  await scene.page.goto(scene.link);
  return scene;
}

/** Presses Back, and waits until the page has been shown `times` more times. */
async function goBack(scene: OpenCheckout, times: number, shownBefore: number): Promise<Shown[]> {
  const { page, link } = scene;
  // A page from the bfcache has no load to wait for.
  await page.goBack({ waitUntil: 'commit' });
  await until(async () => {
    const shows = await showsOf(scene).catch(() => []);
    return page.url().startsWith(link) && shows.length >= shownBefore + times;
  }, 'the page to be shown');
  return (await showsOf(scene)).slice(shownBefore);
}

async function leaveFilledIn({ shop }: CheckoutFixture, { page }: OpenCheckout): Promise<void> {
  await typeCard(page, cards.success);
  await page.goto(`${shop.origin}/elsewhere`);
}

async function fieldsOf(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(
    `['cc_number', 'cc_csc'].map((id) => document.getElementById(id)?.value ?? '')`,
  );
}

const ways: Record<
  string,
  {
    go(place: CheckoutFixture, scene: OpenCheckout): Promise<unknown>;
    attempts: string[];
    storesEarly?: boolean;
  }
> = {
  'a payment': {
    go: async ({ shop }, { page }) => {
      await payByKeyboard(page, cards.success);
      await page.waitForURL((url) => url.origin === shop.origin);
    },
    attempts: ['succeeded'],
  },
  'a declined card': {
    go: async ({ shop }, { page }) => {
      await payByKeyboard(page, cards.declined);
      await page.waitForURL((url) => url.origin === shop.origin);
    },
    attempts: ['declined'],
  },
  'the question of 3-D Secure': {
    go: async (_, { page }) => {
      await payByKeyboard(page, cards.challenged);
      await page.waitForURL(/\/sandbox\/3ds\//);
    },
    attempts: ['requires_action'],
  },
  'leaving with the fields filled in': { go: leaveFilledIn, attempts: [] },
  'leaving with fields that the browser has stored': { go: leaveFilledIn, attempts: [], storesEarly: true },
};

for (const isKept of [true, false]) {
  describe(isKept ? 'Back to a page that the browser kept' : 'Back to a page that is loaded again', () => {
    let place: CheckoutFixture;
    before(async () => {
      const { browser, ...rest } = await openCheckoutFixture('server');
      await browser.close();
      place = { ...rest, browser: await launchBrowser(undefined, { keepsPages: isKept }) };
    });
    after(async () => {
      await place.browser.close();
      await place.close();
    });

    for (const [title, { go, attempts, storesEarly }] of Object.entries(ways)) {
      test(`after ${title} the page shows no card number or security code`, async () => {
        const scene = await openRecorded(place, storesEarly);
        const { page, code, customer } = scene;
        const before = (await showsOf(scene)).length;
        await go(place, scene);
        assert.deepEqual(await attemptsOf(place, code), attempts);
        // Shown from the bfcache, then loaded again.
        const shows = await goBack(scene, isKept ? 2 : 1, before);
        assert.equal(shows[0]?.persisted, isKept, 'the page comes from the bfcache');
        for (const { number, csc } of shows) assert.deepEqual([number, csc], ['', '']);
        assert.equal(shows.at(-1)?.persisted, false, 'the page is loaded again');
        assert.deepEqual(await fieldsOf(page), ['', '']);
        assert.deepEqual(customer.troubles, []);
        await customer.leave();
      });
    }

    test('after a wrong security code, Back and Forward show empty fields, and the second attempt pays', async () => {
      const scene = await openRecorded(place);
      const { page, code, customer } = scene;
      await payByKeyboard(page, cards.wrongCode);
      await page.waitForSelector('#alert');
      assert.deepEqual(await fieldsOf(page), ['', '']);
      await typeCard(page, cards.wrongCode);
      const before = (await showsOf(scene)).length;
      await page.goto(`${place.shop.origin}/elsewhere`);
      await goBack(scene, isKept ? 2 : 1, before);
      for (const { number, csc } of await showsOf(scene)) assert.deepEqual([number, csc], ['', '']);
      assert.deepEqual(await fieldsOf(page), ['', '']);
      await payByKeyboard(page, cards.success);
      await page.waitForURL((url) => url.origin === place.shop.origin);
      assert.deepEqual(await attemptsOf(place, code), ['declined', 'succeeded']);
      assert.deepEqual(customer.troubles, []);
      await customer.leave();
    });
  });
}

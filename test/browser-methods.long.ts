// Paying at a processor in a real browser, with and without script, and the layout of these pages: no axe violations
// and no horizontal scrolling, in both languages, on phone and desktop, in light and dark.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  auditPage,
  openWindow,
  overflowOf,
  pressByKeyboard,
  type WindowOptions,
  weighVisit,
  windows,
} from './harness/browser.ts';
import {
  type CheckoutFixture,
  type OpenCheckout,
  openCheckoutFixture,
  textOf,
} from './harness/checkout-fixture.ts';
import { createLinkAs, type Json } from './harness/client.ts';
import {
  account,
  createFakeHostedProcessor,
  createFakeTransferProcessor,
  openFakeHostedProcessor,
  withSandbox,
} from './harness/fake-processors.ts';
import { listAttempts, noCards, openCompany } from './harness/payment-methods.ts';

const lake = createFakeHostedProcessor('paylake', 'Paylake');
const bank = createFakeTransferProcessor();
let pond: Awaited<ReturnType<typeof openFakeHostedProcessor>>;
let place: CheckoutFixture;
before(async () => {
  pond = await openFakeHostedProcessor('paypond', 'Paypond');
  place = await openCheckoutFixture('server', { processors: withSandbox([pond.kind, lake.kind, bank.kind]) });
});
after(async () => {
  await place.close();
  await pond.close();
});
beforeEach(() => {
  for (const page of [pond, lake]) page.mood = 'good';
});

type Ways = readonly (string | Json)[];
const pondAlone: Ways = ['paypond', noCards];
const everyWay: Ways = ['paypond', 'pretend_transfer', 'paylake'];

/** A new link of a company with these payment methods, and a customer who may also open the processor's page. */
async function openScene(ways: Ways, window: Omit<WindowOptions, 'origins'> = {}): Promise<OpenCheckout> {
  const { paylink, shop, browser } = place;
  const { owner } = await openCompany(paylink, ...ways);
  const made = await createLinkAs(paylink, owner, shop.addresses);
  const origins = [paylink.baseUrl, shop.origin, pond.origin];
  const customer = await openWindow(browser, { ...window, origins });
  return { ...made, customer, page: customer.page };
}

const isAtShop = (url: URL) => url.origin === place.shop.origin && url.pathname === '/thanks';
const isAtPond = (url: URL) => url.origin === pond.origin;

describe('paying at a processor', () => {
  for (const script of [true, false]) {
    test(`a customer pays at the processor by keyboard and returns, ${script ? 'with' : 'without'} script`, async () => {
      const { page, link, customer } = await openScene(pondAlone, { script });
      const captured = pond.captured;
      await page.goto(link);
      await pressByKeyboard(page, '#pay-button');
      await page.waitForURL(isAtPond);
      assert.equal(await page.evaluate('document.referrer'), '');
      await page.click('#pay');
      await page.waitForURL(isAtShop);
      assert.equal(pond.captured - captured, 1);
      assert.deepEqual(customer.troubles, []);
      await customer.leave();
    });
  }

  for (const script of [true, false]) {
    test(`among several methods the arrow keys choose one, and one button pays with it, ${script ? 'with' : 'without'} script`, async () => {
      const { page, link, customer } = await openScene(everyWay, { script });
      await page.goto(link);
      assert.equal(await page.isVisible('#cc_number'), true, 'the first method is open');
      await page.fill('#cc_number', '4242 4242 4242 4242');
      await page.focus('[data-takes=card]');
      await page.keyboard.press('ArrowDown');
      assert.equal(await page.isVisible('#cc_number'), false);
      const posted = page.waitForRequest((request) => request.method() === 'POST');
      await pressByKeyboard(page, '#pay-button');
      const body = new URLSearchParams((await posted).postData() ?? '');
      if (script) assert.deepEqual([...body.keys()].sort(), ['form_token', 'last_attempt', 'method']);
      await page.waitForURL(isAtPond);
      assert.deepEqual(customer.troubles, []);
      await customer.leave();
    });
  }

  test('the Back button leads to a page with a link back to the processor', async () => {
    const { page, link, customer } = await openScene(pondAlone);
    await page.goto(link);
    await page.click('#pay-button');
    await page.waitForURL(isAtPond);
    await page.goBack();
    await page.waitForURL(link);
    await page.reload();
    assert.match(await textOf(page, 'main'), /Finish your payment at Paypond/);
    await pressByKeyboard(page, 'a.button');
    await page.waitForURL(isAtPond);
    await page.click('#turn');
    await page.waitForURL(link);
    assert.match(await textOf(page, 'main'), /You returned without paying/);
    assert.deepEqual(customer.troubles, []);
    await customer.leave();
  });

  test('a double click starts one attempt', async () => {
    const { page, link, code, customer } = await openScene(pondAlone);
    await page.goto(link);
    await page.dblclick('#pay-button');
    await page.waitForURL(isAtPond);
    assert.equal((await listAttempts(place.paylink, code)).length, 1);
    await customer.leave();
  });

  test('each value of a transfer can be copied, with a confirmation', async () => {
    const { page, link, customer } = await openScene(everyWay);
    await customer.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(link);
    await choose(page, 'transfer');
    await page.waitForURL(`${link}/wait`);
    await page.getByRole('button', { name: 'Copy Reference' }).click();
    await page.waitForFunction('document.getElementById("copy-status").textContent === "Copied."');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), account.reference);
    assert.deepEqual(customer.troubles, []);
    await customer.leave();
  });
});

/** Chooses a method, by its name or by `transfer`, and pays. */
async function choose(page: OpenCheckout['page'], name: string): Promise<void> {
  const method = name === 'transfer' ? '.method:has([data-takes=transfer])' : `.method:has-text("${name}")`;
  await page.click(method);
  await page.click('#pay-button');
}

type PageCase = {
  title: string;
  /** Texts that only this page has, in English and in German. */
  words: readonly [string, string];
  ways: Ways;
  reach(scene: OpenCheckout): Promise<unknown>;
};

async function press({ page, link }: OpenCheckout, name?: string): Promise<void> {
  await page.goto(link);
  if (name) return await choose(page, name);
  await page.click('#pay-button');
}

const pages: readonly PageCase[] = [
  {
    title: 'one payment method',
    words: ['You’ll pay at Paypond', 'Sie bezahlen bei Paypond'],
    ways: pondAlone,
    reach: async ({ page, link }) => await page.goto(link),
  },
  {
    title: 'several payment methods',
    words: ['How would you like to pay?', 'Wie möchten Sie bezahlen?'],
    ways: everyWay,
    reach: async ({ page, link }) => {
      await page.goto(link);
      await page.click('.method >> nth=1');
    },
  },
  {
    title: 'an unavailable payment method',
    words: ['Paypond is unavailable right now.', 'Paypond ist im Moment nicht verfügbar.'],
    ways: everyWay,
    reach: async (scene) => {
      pond.mood = 'down';
      await press(scene, 'Paypond');
      await scene.page.waitForSelector('#alert');
      pond.mood = 'good';
    },
  },
  {
    title: 'the redirect page',
    words: ['Redirecting you to Paypond…', 'Sie werden zu Paypond weitergeleitet…'],
    ways: pondAlone,
    reach: async (scene) => {
      await press(scene);
      await scene.page.waitForURL(isAtPond);
      // Removes the refresh, so that the page stays open.
      await scene.page.route('**/continue', async (route) => {
        const answer = await route.fetch();
        const { refresh, ...headers } = answer.headers();
        assert.match(refresh ?? '', /^0;url=/);
        await route.fulfill({ response: answer, headers });
      });
      await scene.page.goto(`${scene.link}/continue`);
    },
  },
  {
    title: 'an unfinished payment at a processor',
    words: ['Finish your payment at Paypond', 'Schließen Sie Ihre Zahlung bei Paypond ab'],
    ways: pondAlone,
    reach: async (scene) => {
      await press(scene);
      await scene.page.waitForURL(isAtPond);
      await scene.page.goto(`${scene.link}/kept`);
    },
  },
  {
    title: 'the note after returning without paying',
    words: ['You returned without paying.', 'Sie sind zurückgekehrt, ohne zu bezahlen.'],
    ways: everyWay,
    reach: async (scene) => {
      await press(scene, 'Paypond');
      await scene.page.waitForURL(isAtPond);
      await scene.page.click('#turn');
      await scene.page.waitForURL(scene.link);
    },
  },
  {
    title: 'a partially received transfer',
    words: ['We received €5.00.', 'Wir haben 5,00 € erhalten.'],
    ways: everyWay,
    reach: async (scene) => {
      await press(scene, 'transfer');
      await scene.page.waitForURL(/\/wait$/);
      const [attempt] = await listAttempts(place.paylink, scene.code);
      bank.arrived.set(attempt?.id ?? '', 500);
      await scene.page.goto(scene.link);
    },
  },
  {
    title: 'a waiting transfer',
    words: ['We have not received your transfer yet.', 'Wir haben Ihre Überweisung noch nicht erhalten.'],
    ways: everyWay,
    reach: async (scene) => {
      await press(scene, 'transfer');
      await scene.page.waitForURL(/\/wait$/);
    },
  },
  {
    title: 'a link without a payment method',
    words: ['No payment method available', 'Keine Zahlungsart verfügbar'],
    ways: [noCards],
    reach: async ({ page, link }) => await page.goto(link),
  },
];

const languages = ['en-GB', 'de-DE'] as const;

async function checkLooks(page: OpenCheckout['page'], what: string): Promise<void> {
  for (const size of Object.values(windows)) {
    await page.setViewportSize(size);
    assert.ok((await overflowOf(page)) <= 0, `${what} scrolls sideways at ${size.width}`);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await auditPage(page), [], `${what}, ${colorScheme}`);
  }
}

describe('the layout of these pages', () => {
  for (const pageCase of pages) {
    test(`${pageCase.title}: no axe violations and no horizontal scrolling`, async () => {
      for (const [index, language] of languages.entries()) {
        const scene = await openScene(pageCase.ways, { language, size: windows.phone });
        await pageCase.reach(scene);
        const shown = await textOf(scene.page, 'body');
        const words = pageCase.words[index] ?? '';
        assert.ok(shown.includes(words), `“${words}” is not in: ${shown}`);
        await checkLooks(scene.page, `${pageCase.title}, ${language}`);
        await scene.customer.leave();
      }
    });
  }

  test('the largest page takes at most 4 requests and 30 kB', async () => {
    const { page, link, customer } = await openScene(everyWay);
    const choice = await weighVisit(page, link);
    await choose(page, 'transfer');
    await page.waitForURL(`${link}/wait`);
    // In a separate window with an empty cache.
    const other = await openWindow(place.browser, { origins: [place.paylink.baseUrl] });
    const transfer = await weighVisit(other.page, link);
    await other.leave();
    for (const { requests, bytes } of [choice, transfer]) {
      assert.ok(requests >= 3 && requests <= 4, `${requests} requests`);
      assert.ok(bytes > 5_000 && bytes <= 30_000, `${bytes} bytes`);
    }
    await customer.leave();
  });
});

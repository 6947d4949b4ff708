// Every customer page in a real browser: no axe violations and no horizontal scrolling, on phone and desktop, in light
// and dark, in English and German, small, and under a strict policy.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { transitionPayment } from '../src/payments/transition.ts';
import {
  auditPage,
  overflowOf,
  payByKeyboard,
  pressByKeyboard,
  weighVisit,
  windows,
} from './harness/browser.ts';
import {
  type CheckoutFixture,
  cards,
  type OpenCheckout,
  openCheckoutFixture,
  prepareCheckout,
  textOf,
} from './harness/checkout-fixture.ts';
import type { Json } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { fillCard, visit } from './harness/visitor.ts';

const dayMs = 24 * 60 * 60 * 1000;
const bankPage = /\/sandbox\/3ds\//;
const clock = manualClock();
let place: CheckoutFixture;
before(async () => {
  place = await openCheckoutFixture('server', { clock, processorTimeoutMs: 6000 });
});
after(async () => {
  await Promise.all(underWay);
  await place.close();
});

/** Payments that were started only to show their page; the tests wait for them at the end. */
const underWay: Promise<unknown>[] = [];

/** Posts a card without following the redirect to the waiting page, which would query the bank again. */
async function postCard({ page, link }: OpenCheckout, card: { number: string }): Promise<void> {
  // Paying keeps the language of the page.
  const headers = { 'accept-language': await page.evaluate<string>('navigator.language') };
  const { action, body } = fillCard(await visit(link, { headers }), card);
  assert.equal((await fetch(action, { method: 'POST', headers, body, redirect: 'manual' })).status, 303);
}

async function openAndPay({ page, link }: OpenCheckout, card: { number: string }): Promise<void> {
  await page.goto(link);
  await payByKeyboard(page, card);
}

async function cancel(code: string): Promise<void> {
  const { deps } = place.paylink.app;
  const [row] = await deps.db.asOwner.query<{ id: string }>(
    'select payment_id as id from payments where code = $1',
    [code],
  );
  await deps.db.inTenant({ companyId: place.paylink.merchant.companyId, mode: 'test' }, async (tx) => {
    const paymentId = String(row?.id);
    const at = clock.now();
    await transitionPayment(tx, { paymentId, from: 'open', to: 'cancelled', at, actor: 'test' });
  });
}

type PageCase = {
  title: string;
  /** Texts that only this page has, in English and in German. */
  words: readonly [string, string];
  order?: () => Json;
  reach(scene: OpenCheckout): Promise<unknown>;
};

const payPages: readonly PageCase[] = [
  {
    title: 'the pay page',
    words: ['Pay €19.99', '19,99 € bezahlen'],
    reach: async ({ page, link }) => await page.goto(link),
  },
  {
    title: 'the pay page after a fixable decline',
    words: ['Your card’s security code is incorrect.', 'Die Prüfnummer Ihrer Karte ist falsch.'],
    reach: async (scene) => {
      await openAndPay(scene, cards.wrongCode);
      await scene.page.waitForSelector('#alert');
    },
  },
  {
    title: 'the pay page with an error at each field',
    words: ['Enter the expiry date.', 'Geben Sie das Ablaufdatum ein.'],
    reach: async ({ page, link }) => {
      await page.goto(link);
      await page.fill('#cc_name', '');
      await pressByKeyboard(page, '#pay-button');
      await pressByKeyboard(page, '#pay-button');
      await page.waitForSelector('#alert');
      assert.equal(await page.locator('[aria-invalid=true]').count(), 4);
    },
  },
];

const runningPages: readonly PageCase[] = [
  {
    title: 'the bank’s own page',
    words: ['Do you confirm this payment?', 'Bestätigen Sie diese Zahlung?'],
    reach: async (scene) => {
      await openAndPay(scene, cards.challenged);
      await scene.page.waitForURL(bankPage);
    },
  },
  {
    title: 'a link that waits for confirmation with the bank',
    words: ['Confirm this payment with your bank', 'Bestätigen Sie diese Zahlung bei Ihrer Bank'],
    reach: async (scene) => {
      await openAndPay(scene, cards.challenged);
      await scene.page.waitForURL(bankPage);
      await scene.page.goto(scene.link);
    },
  },
  {
    title: 'a link with a payment in progress',
    words: ['Your payment is being processed', 'Ihre Zahlung wird verarbeitet'],
    reach: async (scene) => {
      const { page, link } = scene;
      // If the post fails, the page below is not the expected one, so the test fails anyway.
      underWay.push(postCard(scene, cards.answersLate).catch(() => undefined));
      for (let looks = 0; looks < 100 && (await visit(link)).text.includes('<form'); looks++) await sleep(20);
      await page.goto(link);
    },
  },
  {
    title: 'a link without a response from the bank',
    words: ['We’re checking with your bank', 'Wir prüfen Ihre Zahlung bei Ihrer Bank'],
    reach: async (scene) => {
      await postCard(scene, cards.losesAnswer);
      await scene.page.goto(scene.link);
    },
  },
];

const finishedPages: readonly PageCase[] = [
  {
    title: 'a paid link',
    words: ['Payment received', 'Zahlung erhalten'],
    reach: async (scene) => {
      await openAndPay(scene, cards.success);
      await scene.page.waitForURL((url) => url.origin === place.shop.origin);
      await scene.page.goto(scene.link);
    },
  },
  {
    title: 'a failed link',
    words: ['Payment failed', 'Zahlung fehlgeschlagen'],
    reach: async (scene) => {
      await openAndPay(scene, cards.declined);
      await scene.page.waitForURL((url) => url.origin === place.shop.origin);
      await scene.page.goto(scene.link);
    },
  },
  {
    title: 'a cancelled link',
    words: ['This payment link was cancelled', 'Dieser Zahlungslink wurde storniert'],
    reach: async ({ page, link, code }) => {
      await cancel(code);
      await page.goto(link);
    },
  },
  {
    title: 'an expired link',
    words: ['This payment link has expired', 'Dieser Zahlungslink ist abgelaufen'],
    reach: async ({ page, link }) => {
      clock.advanceMs(8 * dayMs);
      await page.goto(link);
    },
  },
  {
    title: 'a link that does not exist',
    words: ['Payment link not found', 'Zahlungslink nicht gefunden'],
    reach: async ({ page, link }) => await page.goto(`${link}x`),
  },
  {
    title: 'the demo shop’s page',
    words: ['Thank you for your order', 'Danke für Ihre Bestellung'],
    order: () => ({ success_url: `${place.paylink.baseUrl}/sandbox/shop/success` }),
    reach: async (scene) => {
      await openAndPay(scene, cards.success);
      await scene.page.waitForURL(/\/sandbox\/shop\//);
    },
  },
];

const languages = ['en-GB', 'de-DE'] as const;
const schemes = ['light', 'dark'] as const;

async function reachPage(pageCase: PageCase, language: (typeof languages)[number]): Promise<OpenCheckout> {
  const scene = await prepareCheckout(place, {
    size: windows.phone,
    language,
    ...(pageCase.order ? { order: pageCase.order() } : {}),
  });
  // A reload of the waiting page would interrupt the check; an empty response keeps the page.
  await scene.page.route('**/wait', async (route) => await route.fulfill({ status: 204 }));
  await pageCase.reach(scene);
  const words = pageCase.words[language === 'en-GB' ? 0 : 1];
  const shown = await textOf(scene.page, 'body');
  assert.ok(shown.includes(words), `“${words}” is not in: ${shown}`);
  assert.equal(await scene.page.getAttribute('html', 'lang'), language.slice(0, 2));
  return scene;
}

describe('every page', () => {
  for (const pageCase of [...payPages, ...runningPages, ...finishedPages]) {
    test(`${pageCase.title}: no axe violations and no horizontal scrolling`, async () => {
      for (const language of languages) {
        const scene = await reachPage(pageCase, language);
        const { page } = scene;
        for (const [name, size] of Object.entries(windows)) {
          await page.setViewportSize(size);
          assert.ok((await overflowOf(page)) <= 0, `it scrolls sideways on a ${name} in ${language}`);
          // Another language changes the lengths of texts but no colours.
          for (const colorScheme of language === 'en-GB' ? schemes : ['dark' as const]) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await auditPage(page), [], `${name}, ${colorScheme}, ${language}`);
          }
        }
        await scene.customer.leave();
      }
    });
  }
});

describe('the pay page', () => {
  test('every page takes at most 4 requests and 30 kB', async () => {
    const { page, customer, link } = await prepareCheckout(place);
    const { requests, bytes } = await weighVisit(page, link);
    assert.ok(requests >= 3 && requests <= 4, `${requests} requests`);
    assert.ok(bytes > 5_000 && bytes <= 30_000, `${bytes} bytes`);
    assert.deepEqual(customer.troubles, []);
    await customer.leave();
  });

  test('the policy allows nothing unsafe, and the browser enforces it', async () => {
    const { page, customer, link } = await prepareCheckout(place);
    const answer = await page.goto(link);
    assert.doesNotMatch(answer?.headers()['content-security-policy'] ?? 'unsafe', /unsafe|\*/);
    const refused = await page.evaluate<string[]>(`new Promise((resolve) => {
      const directives = [];
      addEventListener('securitypolicyviolation', (event) => {
        directives.push(event.effectiveDirective);
        if (directives.length === 3) resolve(directives.sort());
      });
      const plant = (tag, fields) => document.body.append(Object.assign(document.createElement(tag), fields));
      plant('script', { textContent: 'document.title = "hit"' });
      plant('style', { textContent: 'body { display: none }' });
      plant('img', { src: '${place.shop.origin}/pixel' });
    })`);
    assert.deepEqual(refused, ['img-src', 'script-src-elem', 'style-src-elem']);
    assert.notEqual(await page.title(), 'hit');
    assert.ok(!place.shop.visits.some(({ url }) => url.pathname === '/pixel'));
    await customer.leave();
  });
});

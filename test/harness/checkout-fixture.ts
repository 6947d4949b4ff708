// A customer's path in the browser from a link to the shop. Each arrival is checked completely.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Browser, Page } from 'playwright-core';
import { type Customer, openBrowser, openWindow, type WindowOptions } from './browser.ts';
import { createLink, type Json } from './client.ts';
import { type Engine, type Paylink, startPaylink } from './paylink.ts';
import { openShop, type Shop } from './shop.ts';

const arrivalLimitMs = 60_000;

export const cards = {
  success: { number: '4242 4242 4242 4242' },
  declined: { number: '4000000000000002' },
  wrongCode: { number: '4000000000000127' },
  challenged: { number: '4000002760003184' },
  challengedThenDeclined: { number: '4000008400001629' },
  losesAnswer: { number: '4000000000009011' },
  answersLate: { number: '4000000000009029' },
} as const;

export type CheckoutFixture = {
  paylink: Paylink;
  shop: Shop;
  browser: Browser;
  /** Other origins of the journey: the pages of processors. */
  processorOrigins?: readonly string[];
  close(): Promise<void>;
};

/** A browser, a shop and a service, opened and closed together. */
export async function openCheckoutFixture(
  engine: Engine,
  options: Parameters<typeof startPaylink>[1] = {},
): Promise<CheckoutFixture> {
  // The browser first, so that nothing else stays open if it does not start.
  const browser = await openBrowser();
  const shop = await openShop();
  const closeBoth = async () => await Promise.allSettled([browser.close(), shop.stop()]);
  const paylink = await startPaylink(engine, options).catch(async (error: unknown) => {
    await closeBoth();
    throw error;
  });
  const close = async () => {
    await closeBoth();
    await paylink.stop();
  };
  return { paylink, shop, browser, close };
}

export type OpenCheckout = { link: string; code: string; customer: Customer; page: Page };
export type CheckoutSettings = Omit<WindowOptions, 'origins'> & {
  order?: Json;
};

export async function prepareCheckout(
  place: CheckoutFixture,
  setting: CheckoutSettings = {},
): Promise<OpenCheckout> {
  const { order, ...window } = setting;
  const { paylink, shop, browser, processorOrigins = [] } = place;
  const made = await createLink(paylink, { ...shop.addresses, ...order });
  const origins = [paylink.baseUrl, shop.origin, ...processorOrigins];
  const customer = await openWindow(browser, { ...window, origins });
  return { ...made, customer, page: customer.page };
}

/** A new link, open in its own window. */
export async function openLink(
  place: CheckoutFixture,
  setting: CheckoutSettings = {},
): Promise<OpenCheckout> {
  const scene = await prepareCheckout(place, setting);
  await scene.page.goto(scene.link);
  return scene;
}

// Instead of waitForURL, which fails when a second press interrupts the first navigation.
async function waitForOrigin(page: Page, origin: string): Promise<void> {
  const deadline = Date.now() + arrivalLimitMs;
  while (new URL(page.url()).origin !== origin) {
    assert.ok(Date.now() < deadline, `the customer is still at ${page.url()}`);
    await sleep(25);
  }
  await page.waitForLoadState();
}

/** Waits until a tab is at the shop, with `status` in the address and in its signed result. */
export async function waitForShop(
  place: CheckoutFixture,
  scene: OpenCheckout,
  status: string,
  page: Page = scene.page,
): Promise<void> {
  const { paylink, shop } = place;
  await waitForOrigin(page, shop.origin);
  const { pathname, searchParams: query, hash } = new URL(page.url());
  assert.equal(pathname, status === 'paid' ? '/thanks' : '/sorry');
  if (status === 'paid') assert.deepEqual([query.get('cart'), hash], ['7', '#top']);
  const keys = createRemoteJWKSet(new URL(`${paylink.baseUrl}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(query.get('paymentResult') ?? '', keys, {
    issuer: paylink.baseUrl,
    audience: paylink.merchant.companyId,
    subject: scene.code,
    currentDate: paylink.app.deps.clock.now(),
  });
  assert.deepEqual([payload.amount, payload.currency, payload.status], [19.99, 'EUR', status]);
  assert.equal(payload.customerOrderId, query.get('customerOrderId'));
}

/** The end of a successful journey: a single visit at the shop, without errors. */
export async function assertReturnedToShop(
  place: CheckoutFixture,
  scene: OpenCheckout,
  status: string,
): Promise<void> {
  await waitForShop(place, scene, status);
  const visits = place.shop.visits.filter(
    ({ url }) => url.searchParams.get('PaymentLinkCode') === scene.code,
  );
  assert.equal(visits.length, 1, 'the shop is visited once');
  assert.equal(visits[0]?.method, 'GET');
  assert.equal(visits[0]?.headers.referer, undefined, 'the browser does not tell the shop the link');
  assert.deepEqual(scene.customer.troubles, []);
  await scene.customer.leave();
}

export async function attemptsOf(place: CheckoutFixture, code: string): Promise<string[]> {
  const rows = await place.paylink.app.deps.db.asOwner.query<{ state: string }>(
    `select a.state from attempts a join payments p using (company_id, payment_id)
     where p.code = $1 order by a.attempt_id`,
    [code],
  );
  return rows.map(({ state }) => state);
}

/** The visible text of an element, with normalized spaces. */
export async function textOf(page: Page, selector: string): Promise<string> {
  return (await page.locator(selector).innerText()).replace(/\s+/gu, ' ').trim();
}

// A company's colour and logo in a real browser: the button has the colour in light and dark, and the page stays small
// and readable without violating its policy.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditPage, overflowOf, payByKeyboard, weighVisit, windows } from './harness/browser.ts';
import {
  assertReturnedToShop,
  type CheckoutFixture,
  cards,
  openCheckoutFixture,
  openLink,
  prepareCheckout,
} from './harness/checkout-fixture.ts';
import { call, credentialHeaders, type Json, logIn } from './harness/client.ts';
import { makePng } from './harness/png.ts';
import { until } from './harness/process.ts';

let place: CheckoutFixture;
before(async () => {
  place = await openCheckoutFixture('server');
});
after(async () => await place.close());

async function setBranding(branding: Json): Promise<void> {
  const owner = await logIn(place.paylink);
  const { status, body } = await call(place.paylink, owner, ['PATCH', '/v1/company'], { branding });
  assert.equal(status, 200, JSON.stringify(body));
}

const asText = (bytes: Buffer) => bytes.toString('base64');
const styleOf = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`;

test('the main button has the company’s colour with white text in light and dark, and the secondary button does not', async () => {
  await setBranding({ color: '#0b6e4f', logo: asText(makePng({ width: 300, height: 80 })) });
  const { page, customer } = await openLink(place, { size: windows.phone });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const colours = await page.evaluate<string[]>(
      `[${styleOf('#pay-button', 'backgroundColor')}, ${styleOf('#pay-button', 'color')}]`,
    );
    assert.deepEqual(colours, ['rgb(11, 110, 79)', 'rgb(255, 255, 255)'], colorScheme);
    assert.notEqual(await page.evaluate(styleOf('.leave .as-link', 'color')), 'rgb(255, 255, 255)');
    assert.deepEqual(await auditPage(page), [], colorScheme);
    assert.ok((await overflowOf(page)) <= 0, 'it does not scroll sideways');
  }
  const shown = await page.evaluate<number[]>(
    '(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.querySelector(".logo img"))',
  );
  assert.deepEqual(shown, [300, 80]);
  assert.deepEqual(customer.troubles, []);
  await customer.leave();
});

test('a page reserves the place of its logo: nothing moves when the file arrives', async () => {
  await setBranding({ color: '#0b6e4f', logo: asText(makePng({ width: 300, height: 80 })) });
  const { page, customer, link } = await prepareCheckout(place, { size: windows.phone });
  const { promise: mayArrive, resolve: letArrive } = Promise.withResolvers<void>();
  await page.route('**/assets/logos/**', async (route) => {
    await mayArrive;
    await route.continue();
  });
  await page.goto(link, { waitUntil: 'domcontentloaded' });
  const isShown = 'document.querySelector(".logo img").naturalWidth > 0';
  const readPlaces = async () =>
    await page.evaluate<Json[]>(
      '[...document.querySelectorAll(".logo img, h1, #pay-button")].map((one) => one.getBoundingClientRect().toJSON())',
    );
  assert.equal(await page.evaluate(isShown), false);
  const places = await readPlaces();
  assert.equal(places.length, 3);
  letArrive();
  await until(async () => await page.evaluate<boolean>(isShown), 'the logo is shown');
  assert.deepEqual(await readPlaces(), places);
  await customer.leave();
});

test('in forced colours the logo keeps its white background', async () => {
  // Most logos are black: without a background they would be invisible on the black canvas of a dark contrast theme.
  await setBranding({
    color: '#0b6e4f',
    logo: asText(makePng({ width: 300, height: 80, color: '#000000' })),
  });
  const { page, customer } = await openLink(place);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    const [canvas, ground] = await page.evaluate<string[]>(
      `[${styleOf('body', 'backgroundColor')}, ${styleOf('.logo img', 'backgroundColor')}]`,
    );
    assert.equal(ground, 'rgb(255, 255, 255)', colorScheme);
    assert.equal(canvas, colorScheme === 'dark' ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)');
  }
  await customer.leave();
});

/** Uploads both variants as SVG, and the contact of the company. */
async function setLogos(): Promise<void> {
  const owner = await logIn(place.paylink);
  for (const [query, fill] of [
    ['', '#101010'],
    ['?variant=dark', '#f0f0f0'],
  ] as const) {
    const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80"><rect width="240" height="80" fill="${fill}"/></svg>`;
    const headers = { ...credentialHeaders(owner), 'content-type': 'image/svg+xml' };
    const url = `${place.paylink.baseUrl}/v1/company/logo${query}`;
    assert.equal((await fetch(url, { method: 'PUT', headers, body })).status, 200);
  }
  const identity = {
    ...{ supportEmail: 'help@shop.example', supportPhone: '+49 30 901820', website: 'https://shop.example' },
    ...{ imprintUrl: 'https://shop.example/i', termsUrl: 'https://shop.example/t' },
    privacyUrl: 'https://shop.example/p',
  };
  assert.equal((await call(place.paylink, owner, ['PATCH', '/v1/company'], { identity })).status, 200);
}

test('a dark page shows the dark logo on the colour of the card, and links and the focus ring have a shade of the colour', async () => {
  await setBranding({ color: '#0b6e4f', logo: null });
  await setLogos();
  const { page, customer } = await openLink(place, { size: windows.phone });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const file = colorScheme === 'dark' ? 'source").srcset' : 'img").getAttribute("src")';
    const isShown = `document.querySelector(".logo img").currentSrc.endsWith(document.querySelector(".logo ${file})`;
    await until(async () => await page.evaluate<boolean>(isShown), `the ${colorScheme} logo is shown`);
    const [ground, card, link] = await page.evaluate<string[]>(
      `[${styleOf('.logo img', 'backgroundColor')}, ${styleOf('.card', 'backgroundColor')}, ${styleOf('.contact a', 'color')}]`,
    );
    assert.equal(ground, card, colorScheme);
    assert.equal(link === 'rgb(11, 110, 79)', colorScheme === 'light', link);
    assert.equal(
      await page.evaluate('document.querySelector(".logo img").getBoundingClientRect().height'),
      48,
    );
    assert.deepEqual(await auditPage(page), [], colorScheme);
    assert.ok((await overflowOf(page)) <= 0, 'it does not scroll sideways');
  }
  assert.deepEqual(customer.troubles, []);
  const owner = await logIn(place.paylink);
  assert.equal((await call(place.paylink, owner, ['DELETE', '/v1/company/logo'])).status, 200);
  await customer.leave();
});

test('a page with the largest logo and a colour takes at most 4 requests, and 30 kB beside the logo', async () => {
  await setBranding({ color: '#767676', logo: asText(makePng({ width: 512, height: 512, bytes: 8000 })) });
  const { page, customer, link } = await prepareCheckout(place);
  const { requests, bytes } = await weighVisit(page, link);
  assert.equal(requests, 4);
  assert.ok(bytes > 8_000 + 5_000 && bytes <= 8_000 + 30_000, `${bytes} bytes`);
  assert.deepEqual(customer.troubles, []);
  await customer.leave();
});

test('a customer pays on a branded page and returns to the shop', async () => {
  await setBranding({ color: '#000000', logo: asText(makePng({ width: 64, height: 64 })) });
  const scene = await openLink(place);
  await payByKeyboard(scene.page, cards.success);
  await assertReturnedToShop(place, scene, 'paid');
});

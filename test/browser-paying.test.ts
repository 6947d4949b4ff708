// Paying in a real browser by keyboard only, on phone and desktop, in English and German, with and without script.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { payByKeyboard, pressByKeyboard, typeCard, windows } from './harness/browser.ts';
import {
  assertReturnedToShop,
  attemptsOf,
  type CheckoutFixture,
  type CheckoutSettings,
  cards,
  openCheckoutFixture,
  openLink,
  textOf,
} from './harness/checkout-fixture.ts';
import { type Engine, engines } from './harness/paylink.ts';

const bankPage = /\/sandbox\/3ds\//;

/** Opens a fixture for the tests of a `describe`. */
function usePlace(engine: Engine): () => CheckoutFixture {
  let place: CheckoutFixture;
  before(async () => {
    place = await openCheckoutFixture(engine);
  });
  after(async () => await place.close());
  return () => place;
}

function testMainJob(here: () => CheckoutFixture): void {
  test('4242… leads to the success URL with a valid signed result', async () => {
    const scene = await openLink(here());
    await payByKeyboard(scene.page, cards.success);
    await assertReturnedToShop(here(), scene, 'paid');
    assert.deepEqual(await attemptsOf(here(), scene.code), ['succeeded']);
  });

  test('…0002 leads to the failure URL with a valid signed result', async () => {
    const scene = await openLink(here(), { size: windows.phone, language: 'de-DE' });
    await payByKeyboard(scene.page, cards.declined);
    await assertReturnedToShop(here(), scene, 'failed');
    assert.deepEqual(await attemptsOf(here(), scene.code), ['declined']);
  });

  test('approved 3-D Secure leads to the success URL', async () => {
    const scene = await openLink(here(), { size: windows.phone });
    await payByKeyboard(scene.page, cards.challenged);
    await scene.page.waitForURL(bankPage);
    await pressByKeyboard(scene.page, '[value=approve]');
    await assertReturnedToShop(here(), scene, 'paid');
  });
}

const settings: (CheckoutSettings & { title: string; button: string })[] = [
  { title: 'a phone in English', size: windows.phone, button: 'Pay €19.99' },
  {
    title: 'an English phone, for a payment in German',
    size: windows.phone,
    order: { locale: 'de' },
    button: '19,99 € bezahlen',
  },
  { title: 'an Austrian desktop', size: windows.desktop, language: 'de-AT', button: '19,99 € bezahlen' },
  {
    title: 'a German desktop, for a payment in English',
    size: windows.desktop,
    language: 'de-DE',
    order: { locale: 'en-US' },
    button: 'Pay €19.99',
  },
];

for (const engine of engines)
  describe(`paying in a browser on the ${engine} database`, () => {
    const here = usePlace(engine);
    testMainJob(here);

    for (const { title, button, ...setting } of settings) {
      test(`on ${title}: a customer can pay by keyboard only, and Enter in a field submits the form`, async () => {
        const scene = await openLink(here(), setting);
        assert.equal(await textOf(scene.page, '#pay-button'), button);
        await typeCard(scene.page, cards.success);
        await scene.page.keyboard.press('Enter');
        await assertReturnedToShop(here(), scene, 'paid');
      });

      test(`on ${title}: a declined card leads to the failure URL`, async () => {
        const scene = await openLink(here(), setting);
        await payByKeyboard(scene.page, cards.declined);
        await assertReturnedToShop(here(), scene, 'failed');
      });
    }

    test('declined 3-D Secure leads back to the form with the reason, and another card pays', async () => {
      const scene = await openLink(here(), { language: 'de-DE', size: windows.phone });
      const { page } = scene;
      await payByKeyboard(page, cards.challenged);
      await page.waitForURL(bankPage);
      await pressByKeyboard(page, '[value=decline]');
      await page.waitForURL(scene.link);
      assert.match(
        await textOf(page, '#alert'),
        /^Diese Zahlung konnte bei Ihrer Bank nicht bestätigt werden\. Es wurde nichts abgebucht\./,
      );
      await payByKeyboard(page, cards.success);
      await assertReturnedToShop(here(), scene, 'paid');
      assert.deepEqual(await attemptsOf(here(), scene.code), ['declined', 'succeeded']);
    });

    test('a card declined after 3-D Secure leads to the failure URL', async () => {
      const scene = await openLink(here());
      await payByKeyboard(scene.page, cards.challengedThenDeclined);
      await scene.page.waitForURL(bankPage);
      await pressByKeyboard(scene.page, '[value=approve]');
      await assertReturnedToShop(here(), scene, 'failed');
    });

    test('a customer who leaves the bank’s page can return to it and pay', async () => {
      const scene = await openLink(here());
      const { page } = scene;
      await payByKeyboard(page, cards.challenged);
      await page.waitForURL(bankPage);
      await pressByKeyboard(page, 'a.away');
      await page.waitForURL(scene.link);
      assert.equal(await textOf(page, 'h1'), 'Confirm this payment with your bank');
      await pressByKeyboard(page, 'main a.button');
      await page.waitForURL(bankPage);
      await pressByKeyboard(page, '[value=approve]');
      await assertReturnedToShop(here(), scene, 'paid');
      assert.deepEqual(await attemptsOf(here(), scene.code), ['succeeded']);
    });

    test('a customer who leaves the bank’s page can use another card, and the first is not charged', async () => {
      const scene = await openLink(here());
      const { page } = scene;
      await payByKeyboard(page, cards.challenged);
      await page.waitForURL(bankPage);
      await page.goto(scene.link);
      await pressByKeyboard(page, 'form.leave button');
      await page.waitForSelector('#pay');
      assert.match(
        await textOf(page, '#alert'),
        /^You didn’t finish confirming this payment with your bank\. You have not been charged\./,
      );
      await payByKeyboard(page, cards.success);
      await assertReturnedToShop(here(), scene, 'paid');
      assert.deepEqual(await attemptsOf(here(), scene.code), ['cancelled', 'succeeded']);
    });

    test('“Cancel and return” leads to the shop with the result “open”', async () => {
      const scene = await openLink(here());
      await pressByKeyboard(scene.page, 'form.leave button');
      await assertReturnedToShop(here(), scene, 'open');
      assert.deepEqual(await attemptsOf(here(), scene.code), []);
    });

    test('everything works without script: an input error, a wrong code, 3-D Secure, payment', async () => {
      const scene = await openLink(here(), { script: false, size: windows.phone, language: 'de' });
      const { page } = scene;
      await payByKeyboard(page, { number: '4242 4242 4242 4241' });
      await page.waitForSelector('#alert');
      assert.equal(await page.evaluate('document.activeElement.id'), 'alert');
      assert.match(await textOf(page, '#cc_number-error'), /^Prüfen Sie Ihre Kartennummer\./);
      // The browser itself reports the status 422 of the response as an error.
      assert.match(scene.customer.troubles.splice(0).join(), /^console: [^,]*status of 422[^,]*$/);
      await payByKeyboard(page, cards.wrongCode);
      await page.waitForSelector('text=Die Prüfnummer Ihrer Karte ist falsch.');
      assert.equal(page.url(), scene.link);
      await payByKeyboard(page, cards.challenged);
      await page.waitForURL(bankPage);
      await pressByKeyboard(page, '[value=approve]');
      await assertReturnedToShop(here(), scene, 'paid');
      assert.deepEqual(await attemptsOf(here(), scene.code), ['declined', 'succeeded']);
    });
  });

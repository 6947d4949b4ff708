// The main job in a real browser, by keyboard alone: open the link, pay, come back to the shop with a
// result that verifies. Phone and desk, English and German, with script and without.

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
import type { Engine } from './harness/paylink.ts';

const bankPage = /\/sandbox\/3ds\//;

/** Opens a place for the tests of a `describe`. */
function usePlace(engine: Engine): () => CheckoutFixture {
  let place: CheckoutFixture;
  before(async () => {
    place = await openCheckoutFixture(engine);
  });
  after(async () => await place.close());
  return () => place;
}

/** Everything that both databases must carry. */
function testMainJob(here: () => CheckoutFixture): void {
  test('4242… ends at the success address with a signed result that verifies', async () => {
    const scene = await openLink(here());
    await payByKeyboard(scene.page, cards.success);
    await assertReturnedToShop(here(), scene, 'paid');
    assert.deepEqual(await attemptsOf(here(), scene.code), ['succeeded']);
  });

  test('…0002 ends at the failure address with a signed result that verifies', async () => {
    const scene = await openLink(here(), { size: windows.phone, language: 'de-DE' });
    await payByKeyboard(scene.page, cards.declined);
    await assertReturnedToShop(here(), scene, 'failed');
    assert.deepEqual(await attemptsOf(here(), scene.code), ['declined']);
  });

  test('3-D Secure approved on the bank’s page ends at the success address', async () => {
    const scene = await openLink(here(), { size: windows.phone });
    await payByKeyboard(scene.page, cards.challenged);
    await scene.page.waitForURL(bankPage);
    await pressByKeyboard(scene.page, '[value=approve]');
    await assertReturnedToShop(here(), scene, 'paid');
  });
}

describe('paying in a browser on the embedded database', () => {
  testMainJob(usePlace('embedded'));
});

const settings: (CheckoutSettings & { title: string; button: string })[] = [
  { title: 'a phone in English', size: windows.phone, button: 'Pay €19.99' },
  {
    title: 'an English phone, for a payment in German',
    size: windows.phone,
    order: { locale: 'de' },
    button: '19,99 € bezahlen',
  },
  { title: 'an Austrian desk', size: windows.desk, language: 'de-AT', button: '19,99 € bezahlen' },
  {
    title: 'a German desk, for a payment in English',
    size: windows.desk,
    language: 'de-DE',
    order: { locale: 'en-US' },
    button: 'Pay €19.99',
  },
];

describe('paying in a browser on the server database', () => {
  const here = usePlace('server');
  testMainJob(here);

  for (const { title, button, ...setting } of settings) {
    test(`on ${title}: the keyboard alone pays, and Enter in a field is as good as the button`, async () => {
      const scene = await openLink(here(), setting);
      assert.equal(await textOf(scene.page, '#pay-button'), button);
      await typeCard(scene.page, cards.success);
      await scene.page.keyboard.press('Enter');
      await assertReturnedToShop(here(), scene, 'paid');
    });

    test(`on ${title}: a declined card ends at the failure address`, async () => {
      const scene = await openLink(here(), setting);
      await payByKeyboard(scene.page, cards.declined);
      await assertReturnedToShop(here(), scene, 'failed');
    });
  }

  test('3-D Secure declined on the bank’s page leads back to the form with the reason, and another card pays', async () => {
    const scene = await openLink(here(), { language: 'de-DE', size: windows.phone });
    const { page } = scene;
    await payByKeyboard(page, cards.challenged);
    await page.waitForURL(bankPage);
    await pressByKeyboard(page, '[value=decline]');
    await page.waitForURL(scene.link);
    assert.match(
      await textOf(page, '#alert'),
      /^Ihre Bank konnte nicht bestätigen, dass Sie es sind\. Es wurde nichts abgebucht\./,
    );
    await payByKeyboard(page, cards.success);
    await assertReturnedToShop(here(), scene, 'paid');
    assert.deepEqual(await attemptsOf(here(), scene.code), ['declined', 'succeeded']);
  });

  test('a card that is declined after the customer’s approval ends at the failure address', async () => {
    const scene = await openLink(here());
    await payByKeyboard(scene.page, cards.challengedThenDeclined);
    await scene.page.waitForURL(bankPage);
    await pressByKeyboard(scene.page, '[value=approve]');
    await assertReturnedToShop(here(), scene, 'failed');
  });

  test('who walks away from the bank’s page is led back there, and pays', async () => {
    const scene = await openLink(here());
    const { page } = scene;
    await payByKeyboard(page, cards.challenged);
    await page.waitForURL(bankPage);
    await pressByKeyboard(page, 'a.away');
    await page.waitForURL(scene.link);
    assert.equal(await textOf(page, 'h1'), 'Your bank asks you to confirm');
    await pressByKeyboard(page, 'main a.button');
    await page.waitForURL(bankPage);
    await pressByKeyboard(page, '[value=approve]');
    await assertReturnedToShop(here(), scene, 'paid');
    assert.deepEqual(await attemptsOf(here(), scene.code), ['succeeded']);
  });

  test('who walks away from the bank’s page can use another card, and the first one is not charged', async () => {
    const scene = await openLink(here());
    const { page } = scene;
    await payByKeyboard(page, cards.challenged);
    await page.waitForURL(bankPage);
    await page.goto(scene.link);
    await pressByKeyboard(page, 'form.leave button');
    await page.waitForSelector('#pay');
    assert.match(await textOf(page, '#alert'), /was not finished\. You have not been charged\./);
    await payByKeyboard(page, cards.success);
    await assertReturnedToShop(here(), scene, 'paid');
    assert.deepEqual(await attemptsOf(here(), scene.code), ['cancelled', 'succeeded']);
  });

  test('“Cancel and return” leads to the shop, with a result that says that the link is open', async () => {
    const scene = await openLink(here());
    await pressByKeyboard(scene.page, 'form.leave button');
    await assertReturnedToShop(here(), scene, 'open');
    assert.deepEqual(await attemptsOf(here(), scene.code), []);
  });

  test('without script the whole way is open: a mistake, a wrong code, 3-D Secure, paid', async () => {
    const scene = await openLink(here(), { script: false, size: windows.phone, language: 'de' });
    const { page } = scene;
    await payByKeyboard(page, { number: '4242 4242 4242 4241' });
    await page.waitForSelector('#alert');
    assert.equal(await page.evaluate('document.activeElement.id'), 'alert');
    assert.match(await textOf(page, '#cc_number-error'), /^Diese Kartennummer stimmt nicht\./);
    // The browser itself reports the answer's status, 422, as an error.
    assert.match(scene.customer.troubles.splice(0).join(), /^console: [^,]*status of 422[^,]*$/);
    await payByKeyboard(page, cards.wrongCode);
    await page.waitForSelector('text=Die Prüfnummer stimmte nicht.');
    assert.equal(page.url(), scene.link);
    await payByKeyboard(page, cards.challenged);
    await page.waitForURL(bankPage);
    await pressByKeyboard(page, '[value=approve]');
    await assertReturnedToShop(here(), scene, 'paid');
    assert.deepEqual(await attemptsOf(here(), scene.code), ['declined', 'succeeded']);
  });
});

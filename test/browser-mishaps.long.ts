// Double clicks, Back, reloads, two tabs and long waits in a real browser: each ends with one charge at most, and with
// a correct page.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { payByKeyboard, pressByKeyboard, tabTo, typeCard } from './harness/browser.ts';
import {
  assertReturnedToShop,
  attemptsOf,
  type CheckoutFixture,
  cards,
  type OpenCheckout,
  openCheckoutFixture,
  openLink,
  textOf,
  waitForShop,
} from './harness/checkout-fixture.ts';
import { manualClock } from './harness/manual-clock.ts';

const clock = manualClock();
let place: CheckoutFixture;
before(async () => {
  place = await openCheckoutFixture('server', { clock, processorTimeoutMs: 1000 });
});
after(async () => await place.close());

/** How often a card was charged for a link. */
async function chargesOf(code: string): Promise<number> {
  const rows = await place.paylink.app.deps.db.asOwner.query(
    `select 1 as one from sandbox_charges c join attempts a on a.attempt_id = c.idempotency_key
     join payments p using (payment_id) where p.code = $1 and c.state = 'succeeded'`,
    [code],
  );
  return rows.length;
}

async function expectOneCharge(scene: OpenCheckout): Promise<void> {
  assert.deepEqual(await attemptsOf(place, scene.code), ['succeeded']);
  assert.equal(await chargesOf(scene.code), 1);
  await scene.customer.leave();
}

describe('pressing twice', () => {
  const presses: Record<string, (scene: OpenCheckout) => Promise<void>> = {
    'a double click on Pay': async ({ page }) => {
      await page.dblclick('#pay-button', { noWaitAfter: true });
    },
    'Enter twice on Pay': async ({ page }) => {
      await tabTo(page, '#pay-button');
      await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')]);
    },
    'Enter twice in the last field': async ({ page }) => {
      await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')]);
    },
  };
  for (const [title, press] of Object.entries(presses)) {
    for (const script of [true, false]) {
      test(`${title} ${script ? 'with' : 'without'} script charges once and ends at the shop`, async () => {
        const scene = await openLink(place, { script });
        await typeCard(scene.page, cards.success);
        await press(scene);
        await waitForShop(place, scene, 'paid');
        await expectOneCharge(scene);
      });
    }
  }

  test('during the payment the button is disabled and a status is shown', async () => {
    const scene = await openLink(place);
    await typeCard(scene.page, cards.answersLate);
    // Clicks and reads in one call: afterwards the browser responds only when the next page is loaded.
    const shown = await scene.page.evaluate(`(() => {
      const [button, status] = ['pay-button', 'pay-status'].map((id) => document.getElementById(id));
      button.click();
      return [button.disabled, status.role, status.innerText];
    })()`);
    assert.deepEqual(shown, [true, 'status', 'Processing your payment… Please do not close this page.']);
    await scene.page.waitForURL(/\/wait$/);
    await scene.customer.leave();
  });
});

describe('Back and repeated submits', () => {
  test('Back after paying shows that the payment was received, and a link to the shop', async () => {
    const scene = await openLink(place);
    const { page } = scene;
    await payByKeyboard(page, cards.success);
    await waitForShop(place, scene, 'paid');
    await page.goBack();
    assert.equal(await textOf(page, 'h1'), 'Payment received');
    assert.match(await textOf(page, 'main'), /Your card was charged once\./);
    await pressByKeyboard(page, 'main a.button');
    await waitForShop(place, scene, 'paid');
    assert.deepEqual(scene.customer.troubles, []);
    await expectOneCharge(scene);
  });

  test('submitting an open form again after paying charges nothing and leads to the shop', async () => {
    const scene = await openLink(place);
    const old = await scene.customer.context.newPage();
    await old.goto(scene.link);
    await typeCard(old, cards.success);
    await payByKeyboard(scene.page, cards.success);
    await waitForShop(place, scene, 'paid');
    await pressByKeyboard(old, '#pay-button');
    await waitForShop(place, scene, 'paid', old);
    await expectOneCharge(scene);
  });

  test('two tabs paying one link charge once, and both lead to the shop', async () => {
    const scene = await openLink(place);
    const second = await scene.customer.context.newPage();
    await second.goto(scene.link);
    for (const page of [scene.page, second]) {
      await page.bringToFront();
      await typeCard(page, cards.success);
    }
    // Clicked by script in each page: only one tab at a time has the keyboard.
    const press = 'document.getElementById("pay-button").click()';
    await Promise.all([scene.page.evaluate(press), second.evaluate(press)]);
    await waitForShop(place, scene, 'paid', second);
    await waitForShop(place, scene, 'paid');
    await expectOneCharge(scene);
  });

  test('a reload after a decline does not call the processor again, and shows the reason again', async () => {
    const scene = await openLink(place);
    const { page } = scene;
    await payByKeyboard(page, cards.wrongCode);
    await page.waitForSelector('#alert');
    for (let reloads = 0; reloads < 2; reloads++) {
      await page.reload();
      assert.match(await textOf(page, '#alert'), /^Your card’s security code is incorrect\./);
      assert.equal(await page.inputValue('#cc_number'), '');
    }
    assert.deepEqual(await attemptsOf(place, scene.code), ['declined']);
    await payByKeyboard(page, cards.success);
    await assertReturnedToShop(place, scene, 'paid');
    assert.equal(await chargesOf(scene.code), 1);
  });

  test('a reload of a refused form does not call the processor', async () => {
    const scene = await openLink(place, { script: false });
    const { page } = scene;
    await payByKeyboard(page, { number: '4242424242424241' });
    await page.waitForSelector('#alert');
    await page.reload();
    assert.match(await textOf(page, '#alert'), /^Check your card details\./);
    assert.deepEqual(await attemptsOf(place, scene.code), []);
    await scene.customer.leave();
  });
});

describe('waiting', () => {
  for (const script of [true, false]) {
    test(`the waiting page ${script ? 'with' : 'without'} script reloads by itself, and continues once the bank has responded`, async () => {
      const scene = await openLink(place, { script });
      const { page } = scene;
      await payByKeyboard(page, cards.answersLate);
      await page.waitForURL(`${scene.link}/wait`);
      assert.match(await textOf(page, 'main'), /Please do not pay again\./);
      assert.equal(await page.locator('form').count(), 0, 'there is nothing to pay with');
      await page.waitForEvent('request', (request) => request.url() === `${scene.link}/wait`);
      clock.advanceMs(41_000);
      await waitForShop(place, scene, 'paid');
      assert.deepEqual(scene.customer.troubles, []);
      await expectOneCharge(scene);
    });
  }
});

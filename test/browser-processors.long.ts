// Complete journeys with each live processor in a real browser, against the fakes: from our page to the processor's and
// back to the shop. All tests share one browser and one service.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { reconcileAttempt } from '../src/attempts/reconcile-attempt.ts';
import { compareAllProcessors, verifyAllLedgers } from '../src/verify-companies.ts';
import { payByKeyboard, pressByKeyboard, windows } from './harness/browser.ts';
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
import { type Credentials, call, type Json, logIn } from './harness/client.ts';
import { listAttempts } from './harness/payment-methods.ts';
import type { Button } from './processors/kit/hosted-page.ts';
import {
  type Connected,
  connect,
  type Live,
  liveMakers,
  settingsOf,
  startFakes,
  stopFakes,
} from './processors/live.ts';

const hangGuardMs = 60_000;

/** Where a customer lands after failing the bank's challenge: at the processor's page, at our page, or at the shop. */
const failedChallenges: Readonly<Record<string, 'there' | 'here'>> = {
  stripe: 'there',
  mollie: 'here',
  paypal: 'here',
};

let lives: Live[] = [];
let whole: CheckoutFixture;
let aheadMs = 0;

before(async () => {
  lives = await startFakes();
  whole = await openCheckoutFixture('server', {
    settings: settingsOf(lives),
    clock: { now: () => new Date(Date.now() + aheadMs) },
    // Jobs query nothing during the tests, so a test knows what finished a payment.
    firstReconcileSeconds: 3_600,
  });
});
after(async () => {
  await whole?.close();
  await stopFakes(lives);
});

/** A merchant with one processor besides the built-in card form. */
type Stall = { place: CheckoutFixture; owner: Credentials; title: string; connected: Connected };

async function openStall(live: Live): Promise<Stall> {
  const merchant = await whole.paylink.createMerchant();
  const paylink = { ...whole.paylink, merchant };
  const owner = await logIn(paylink);
  const { title } = paylink.app.deps.processors.find(live.name);
  const place = { ...whole, paylink, processorOrigins: [live.rig.fakeUrl] };
  return { place, owner, title, connected: await connect(paylink, owner, live) };
}

/** Waits until a page is one of the processor's pages. */
async function atProcessor(page: Page, { connected }: Stall): Promise<void> {
  await page.waitForURL((url) => url.origin === connected.rig.fakeUrl);
}

/** Chooses the processor on our page, if there are other methods, and pays, by keyboard. */
async function pressPay(page: Page, { connected }: Stall): Promise<void> {
  const choice = page.locator(`[type=radio][value="${connected.connectionId}"]`);
  if ((await choice.count()) > 0) {
    await choice.focus();
    await page.keyboard.press('Space');
  }
  await pressByKeyboard(page, '#pay-button');
}

/** The same, and waits for the redirect. */
async function choose(page: Page, stall: Stall): Promise<void> {
  await pressPay(page, stall);
  await atProcessor(page, stall);
}

/** Pays in a second tab, which asks the customer to continue to the page of the first tab's attempt. */
async function chooseBeside(page: Page, stall: Stall): Promise<void> {
  await pressPay(page, stall);
  const goOn = page.locator('h1', { hasText: 'Finish your payment at' }).waitFor();
  await Promise.race([goOn, atProcessor(page, stall)]);
  if (new URL(page.url()).origin !== stall.connected.rig.fakeUrl)
    await pressByKeyboard(page, 'main a.button');
  await atProcessor(page, stall);
}

/** A customer at the processor's page of a new link. */
async function goThere(stall: Stall, setting: Parameters<typeof openLink>[1] = {}): Promise<OpenCheckout> {
  const scene = await openLink(stall.place, setting);
  await choose(scene.page, stall);
  return scene;
}

const press = async (page: Page, button: Button) => await page.click(`[value="${button}"]`);

/** The charges of a link, by the processor's journal. */
async function chargesOf({ connected }: Stall, { code }: OpenCheckout): Promise<number[]> {
  const money = await connected.rig.money();
  return money
    .filter(({ type, linkCode }) => type === 'charge' && linkCode === code)
    .map(({ amountMinor }) => amountMinor);
}

/** Asserts that a paid journey ended at the shop with a valid result, and that the customer was charged once. */
async function arrivePaid(stall: Stall, scene: OpenCheckout, attempts = ['succeeded']): Promise<void> {
  await assertReturnedToShop(stall.place, scene, 'paid');
  assert.deepEqual(await chargesOf(stall, scene), [1999]);
  assert.deepEqual(await attemptsOf(stall.place, scene.code), attempts);
}

/** Asserts that a failed journey ended at the shop, that the merchant sees why, and that nothing was charged. */
async function arriveFailed(stall: Stall, scene: OpenCheckout): Promise<void> {
  await assertReturnedToShop(stall.place, scene, 'failed');
  assert.deepEqual(await chargesOf(stall, scene), []);
  const path = ['GET', `/v1/payments/${scene.code}/events`] as const;
  const { data } = (await call(stall.place.paylink, stall.owner, path)).body as { data: Json[] };
  const failed = data.find(({ type }) => type === 'payment.failed');
  assert.equal((failed?.data as Json).declineCode, 'source_declined');
}

/** The customer pays, and closes the window before the processor redirects or reports anything. */
async function payAndClose({ connected }: Stall, { page, customer }: OpenCheckout): Promise<void> {
  const { rig } = connected;
  await rig.control({ outage: { fault: { kind: 'hang', isPerformed: true }, on: 'pages', times: 1 } });
  const sent = (await rig.webhooks()).length;
  await page.click('[value="pay"]', { noWaitAfter: true });
  const guard = AbortSignal.timeout(hangGuardMs);
  // A webhook is recorded together with its change, even if it is not sent.
  while ((await rig.webhooks()).length === sent) {
    assert.ok(!guard.aborted, 'the processor has heard of it');
    await sleep(25);
  }
  assert.deepEqual(customer.troubles, []);
  await customer.leave();
}

/** Waits until the attempt of a link has ended. Returns what ended it. */
async function awaitFinisher({ place }: Stall, { code }: OpenCheckout): Promise<string> {
  const guard = AbortSignal.timeout(hangGuardMs);
  for (;;) {
    const [row] = await place.paylink.app.deps.db.asOwner.query<{ actor: string }>(
      `select e.actor from events e join payments p using (company_id, payment_id)
       where p.code = $1 and e.type = 'payment.paid'`,
      [code],
    );
    if (row) return row.actor;
    assert.ok(!guard.aborted, 'the payment is finished');
    await sleep(50);
  }
}

/** Opens a stall with a processor for the tests of a `describe`. */
function useStall(index: number): () => Stall {
  let stall: Stall;
  before(async () => {
    const live = lives[index];
    assert.ok(live);
    stall = await openStall(live);
  });
  return () => stall;
}

type Maker = (typeof liveMakers)[number];

/** The outcomes of a payment by the actions of the customer and the bank. */
function testAnswers(here: () => Stall, { name, features }: Maker): void {
  test('a customer who pays there returns to the shop with a valid result, charged once', async () => {
    const stall = here();
    const scene = await goThere(stall, { size: windows.phone, language: 'de-DE' });
    await press(scene.page, 'pay');
    await arrivePaid(stall, scene);
  });

  test('a customer who is declined there can choose another card or account, and pays once', async () => {
    const stall = here();
    const scene = await goThere(stall);
    const { page } = scene;
    await press(page, 'decline');
    if (!features.declineEnds) {
      assert.match(await textOf(page, '[role=alert]'), /declined/);
      await press(page, 'back');
    }
    await page.waitForURL(scene.link);
    assert.match(
      await textOf(page, '#alert'),
      /declined the card or account you chose\. You have not been charged\./,
    );
    await choose(page, stall);
    await press(page, 'pay');
    await arrivePaid(stall, scene, ['declined', 'succeeded']);
  });

  test('after three declines the customer returns to the shop, and the merchant is notified of the failure', async () => {
    const stall = here();
    const scene = await openLink(stall.place);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await choose(scene.page, stall);
      await press(scene.page, 'decline');
      if (!features.declineEnds) await press(scene.page, 'back');
      if (attempt < 3) await scene.page.waitForURL(scene.link);
    }
    await arriveFailed(stall, scene);
  });

  test('approved 3-D Secure there leads to the shop, paid', async () => {
    const stall = here();
    const scene = await goThere(stall);
    await press(scene.page, '3ds');
    await press(scene.page, 'pass');
    await arrivePaid(stall, scene);
  });

  test('failed 3-D Secure there charges nothing, and a retry pays once', async () => {
    const stall = here();
    const scene = await goThere(stall);
    const { page } = scene;
    await press(page, '3ds');
    await press(page, 'fail');
    const then = failedChallenges[name];
    if (then === 'here') {
      await page.waitForURL(scene.link);
      assert.match(await textOf(page, '#alert'), /declined.*You have not been charged\./s);
      await choose(page, stall);
    } else assert.match(await textOf(page, '[role=alert]'), /could not verify you/);
    await press(page, 'pay');
    await arrivePaid(stall, scene, then === 'here' ? ['declined', 'succeeded'] : ['succeeded']);
  });
}

/** Customers who leave the processor's page. */
function testLeaving(here: () => Stall): void {
  test('a customer who cancels there is not charged, and can pay another way', async () => {
    const stall = here();
    const scene = await goThere(stall);
    const { page } = scene;
    await press(page, 'back');
    await page.waitForURL(scene.link);
    assert.match(await textOf(page, 'main'), /You returned without paying\. You have not been charged\./);
    await page.focus('[data-takes=card]');
    await page.keyboard.press('Space');
    await payByKeyboard(page, cards.success);
    await assertReturnedToShop(stall.place, scene, 'paid');
    assert.deepEqual(await attemptsOf(stall.place, scene.code), ['cancelled', 'succeeded']);
    assert.deepEqual(await chargesOf(stall, scene), []);
  });

  test('the Back button leads to a page with a link to the same attempt', async () => {
    const stall = here();
    const scene = await goThere(stall);
    const { page } = scene;
    const there = page.url();
    await page.goBack();
    await page.waitForURL(scene.link);
    assert.equal(await textOf(page, 'h1'), `Finish your payment at ${stall.title}`);
    await pressByKeyboard(page, 'main a.button');
    await atProcessor(page, stall);
    assert.equal(page.url(), there);
    await press(page, 'pay');
    await arrivePaid(stall, scene);
  });
}

/** Customers with two tabs, and those who close their window. */
function testWindows(here: () => Stall, name: string): void {
  test('a customer who pays in two tabs is charged once, and both tabs show it', async () => {
    const stall = here();
    const scene = await openLink(stall.place);
    const second = await scene.customer.context.newPage();
    await second.goto(scene.link);
    await Promise.all([chooseBeside(scene.page, stall), chooseBeside(second, stall)]);
    assert.equal(scene.page.url(), second.url());
    await Promise.all([press(scene.page, 'pay'), press(second, 'pay')]);
    for (const page of [scene.page, second]) {
      await page.waitForLoadState();
      await page.goto(scene.link);
      assert.equal(await textOf(page, 'h1'), 'Payment received');
    }
    assert.deepEqual(await chargesOf(stall, scene), [1999]);
    assert.deepEqual(await attemptsOf(stall.place, scene.code), ['succeeded']);
    await pressByKeyboard(second, 'main a.button');
    await waitForShop(stall.place, scene, 'paid', second);
    assert.deepEqual(scene.customer.troubles, []);
    await scene.customer.leave();
  });

  test('if the customer closes the window after paying, the webhook completes the payment', async () => {
    const stall = here();
    const scene = await goThere(stall);
    await payAndClose(stall, scene);
    assert.equal(await awaitFinisher(stall, scene), `webhook:${name}`);
    assert.deepEqual(await chargesOf(stall, scene), [1999]);
  });

  test('if the customer closes the window after paying and no webhook comes, the job completes the payment', async () => {
    const stall = here();
    const { rig } = stall.connected;
    await rig.control({ webhooks: { isOn: false } });
    const scene = await goThere(stall);
    await payAndClose(stall, scene);
    const { companyId } = stall.place.paylink.merchant;
    const [attempt] = await listAttempts(stall.place.paylink, scene.code);
    assert.equal(attempt?.state, 'requires_action');
    await reconcileAttempt(stall.place.paylink.app.deps, { companyId, attemptId: attempt.id });
    assert.equal(await awaitFinisher(stall, scene), 'job:reconcile-attempt');
    assert.deepEqual(await chargesOf(stall, scene), [1999]);
    await rig.control({ reset: true });
  });
}

for (const [index, maker] of liveMakers.entries())
  describe(`in a browser by ${maker.name}`, () => {
    const here = useStall(index);
    testAnswers(here, maker);
    testLeaving(here);
    testWindows(here, maker.name);
  });

test('afterwards the ledger and the processors’ lists match the payments', async () => {
  const { deps } = whole.paylink.app;
  aheadMs += 2 * 60 * 60 * 1000;
  await Promise.all(lives.map(async ({ rig }) => await rig.advanceMs(aheadMs)));
  assert.deepEqual((await compareAllProcessors(deps)).findings, []);
  assert.deepEqual((await verifyAllLedgers(deps.db)).findings, []);
});

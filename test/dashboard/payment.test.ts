// One payment in the dashboard: live updates, partial refunds, cancelling after a confirmation, and its history in
// words. Actions that a role may not use are not shown.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { RefundOutcome } from '../../src/processors/processor.ts';
import { createProcessors, listProcessors } from '../../src/processors/registry.ts';
import { openBrowser } from '../harness/browser.ts';
import { cards } from '../harness/checkout-fixture.ts';
import { type Credentials, call, createLinkAs, logIn } from '../harness/client.ts';
import {
  assertAccessible,
  type DashboardWindow,
  openDashboard,
  openFollowing,
  pressTwice,
} from '../harness/dashboard-window.ts';
import { logInLive, moveToLive } from '../harness/modes.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { join } from '../harness/people.ts';
import { payWith, press } from '../harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';

type Mood = 'usual' | 'silent' | 'refuses' | 'slow';

/** The sandbox with refund results that a test sets. */
function withMood(moodOf: () => Mood): typeof createProcessors {
  return (deps) => {
    const { builtIn } = createProcessors(deps);
    const connect: typeof builtIn.connect = (...given) => {
      const processor = builtIn.connect(...given);
      const refund: typeof processor.refund = async (request, signal): Promise<RefundOutcome> => {
        const mood = moodOf();
        if (mood === 'silent') throw new Error('no answer');
        if (mood === 'refuses') return { kind: 'failed', reference: 'r', code: 'too_old' };
        if (mood === 'slow') return { kind: 'processing', reference: 'r' };
        return await processor.refund(request, signal);
      };
      return { ...processor, refund };
    };
    return listProcessors({ ...builtIn, connect }, []);
  };
}

const badge = (page: Page, state: string | RegExp) =>
  page.locator('.payment-status .badge', { hasText: state });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('one payment', () => {
  let paylink: Paylink;
  let browser: Browser;
  let receiver: Receiver;
  let merchant: Merchant;
  let owner: Credentials;
  let mood: Mood = 'usual';
  before(async () => {
    [paylink, browser, receiver] = await Promise.all([
      startPaylink('server', { settings: loopbackSettings, processors: withMood(() => mood) }),
      openBrowser(),
      startReceiver(),
    ]);
    merchant = await paylink.createMerchant();
    owner = await logIn(paylink, merchant);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
    await receiver.close();
  });

  const openPayment = async (
    code: string,
    options: Parameters<typeof openDashboard>[2] = {},
  ): Promise<DashboardWindow> => {
    const window = await openDashboard(paylink, browser, { merchant, ...options });
    await window.open(`/payments/${code}`);
    return window;
  };
  const makePaid = async (): Promise<string> => {
    const { link, code } = await createLinkAs(paylink, owner);
    await payWith(link, cards.success);
    return code;
  };
  const statusOf = async (code: string) =>
    (await call(paylink, owner, ['GET', `/v1/payments/${code}`])).body.status;

  test('an open payment turns paid without a reload, and then offers other actions', async () => {
    const { link, code } = await createLinkAs(paylink, owner);
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await openFollowing(window, `/payments/${code}`);
    await page.locator('img[alt="QR code of the payment link"]').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Payment link' }).inputValue(), link);
    await assertAccessible(window, 'an open payment');
    await payWith(link, cards.success);
    await badge(page, 'Paid').waitFor();
    await page.getByText('Payment captured').waitFor();
    assert.equal(await button(page, 'Cancel the link').count(), 0);
    assert.equal(await page.getByRole('textbox', { name: 'Payment link' }).count(), 0);
    await button(page, 'Refund').waitFor();
    await assertAccessible(window, 'a paid payment');
    await window.leave();
  });

  test('a payment is partially refunded once, and the rest can be refunded later', async () => {
    const window = await openPayment(await makePaid(), { language: 'de', look: 'dark', size: 'phone' });
    const { page } = window;
    await button(page, 'Erstatten').click();
    const amount = page.getByLabel('Betrag in EUR');
    assert.equal(await amount.inputValue(), '19,99');
    await amount.fill('zwölf');
    await page.keyboard.press('Enter');
    await page.getByText('Geben Sie einen Betrag wie 19,99 ein.').waitFor();
    await amount.fill('50');
    await button(page, '50,00 € erstatten').click();
    await page.getByText('Sie können höchstens 19,99 € erstatten.').waitFor();
    await amount.fill('5,5');
    await page.getByLabel('Grund').fill('Zerbrochen');
    await assertAccessible({ ...window, troubles: [] }, 'the refund dialog');
    const sent = await pressTwice(button(page, '5,50 € erstatten'));
    await page.getByText('5,50 € wurden erstattet.').waitFor();
    assert.equal(sent.length, 1, sent.join());
    await button(page, 'Fertig').click();
    await badge(page, 'Teilweise erstattet').waitFor();
    await page.getByText('5,50 € erstattet, 14,49 € übrig.').waitFor();
    await page.getByRole('cell', { name: 'Zerbrochen' }).waitFor();
    await assertAccessible({ ...window, troubles: [] }, 'a partially refunded payment');
    await button(page, 'Erstatten').click();
    assert.equal(await amount.inputValue(), '14,49');
    await button(page, '14,49 € erstatten').click();
    await button(page, 'Fertig').click();
    await badge(page, /^Erstattet$/).waitFor();
    assert.equal(await button(page, 'Erstatten').count(), 0);
    await window.leave();
  });

  test('a refund is refused if somebody else refunded a part meanwhile, and the form shows what is left', async () => {
    const code = await makePaid();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    // The page must not be notified of it.
    await page.route('**/v1/events?*', async (route) => await route.abort());
    await window.open(`/payments/${code}`);
    await button(page, 'Refund').click();
    await page.getByLabel('Reason').fill('my reason');
    await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], { amount: 5 });
    await button(page, 'Refund €19.99').click();
    await page.getByText('This payment was partially refunded in the meantime').waitFor();
    await page.getByText('Up to €14.99.').waitFor();
    assert.equal(await page.getByLabel('Reason').inputValue(), 'my reason');
    await page.getByLabel('Amount in EUR').fill('14.99');
    await button(page, 'Refund €14.99').click();
    await page.getByText('€14.99 was refunded.').waitFor();
    await window.leave();
  });

  test('a refund that is repeated after a lost response is carried out once', async () => {
    const code = await makePaid();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await openFollowing(window, `/payments/${code}`);
    let isLost = true;
    await page.route('**/refunds', async (route) => {
      if (route.request().method() !== 'POST' || !isLost) return await route.fallback();
      isLost = false;
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Refund').click();
    await page.getByLabel('Amount in EUR').fill('5');
    await button(page, 'Refund €5.00').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await badge(page, 'Partially refunded').waitFor();
    await button(page, 'Refund €5.00').click();
    await page.getByText('€5.00 was refunded.').waitFor();
    const { body } = await call(paylink, owner, ['GET', `/v1/payments/${code}`]);
    assert.equal(body.refundedAmount, 5);
    await window.leave();
  });

  test('the result of a refund is shown: in progress, unknown, or failed', async () => {
    const results: Readonly<Record<Exclude<Mood, 'usual'>, [sentence: string, state: string]>> = {
      slow: ['The refund of €19.99 is in progress.', 'In progress'],
      silent: ['Paylink keeps checking', 'Unknown'],
      refuses: ['The payment provider refused the refund of €19.99.', 'Failed'],
    };
    for (const [given, [sentence, state]] of Object.entries(results)) {
      const code = await makePaid();
      mood = given as Mood;
      const window = await openPayment(code);
      const { page } = window;
      await button(page, 'Refund').click();
      await button(page, 'Refund €19.99').click();
      await page.getByRole('dialog').getByText(sentence).waitFor();
      await button(page, 'Done').click();
      await page.getByRole('cell', { name: state }).waitFor();
      const isOffered = given === 'refuses';
      // The page loads refunds and payment separately.
      await button(page, 'Refund').waitFor({ state: isOffered ? 'attached' : 'detached' });
      await window.leave();
      mood = 'usual';
    }
  });

  test('a link is cancelled after a confirmation', async () => {
    const { code } = await createLinkAs(paylink, owner);
    const window = await openPayment(code);
    const { page } = window;
    await button(page, 'Cancel the link').click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this link?' });
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await statusOf(code), 'open');
    await button(page, 'Cancel the link').click();
    await dialog.getByRole('button', { name: 'Cancel the link' }).click();
    await badge(page, 'Cancelled').waitFor();
    assert.equal(await statusOf(code), 'cancelled');
    await page.getByText('Link cancelled').waitFor();
    await window.leave();
  });

  test('an action that was refused while the customer paid succeeds when it is repeated later', async () => {
    const { link, code } = await createLinkAs(paylink, owner);
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await page.route('**/v1/events?*', async (route) => await route.abort());
    await window.open(`/payments/${code}`);
    await button(page, 'Cancel the link').click();
    const challenge = await payWith(link, cards.challenged);
    const act = page.getByRole('dialog').getByRole('button', { name: 'Cancel the link' });
    await act.click();
    await page.getByText('The customer is paying. Try again later.').waitFor();
    await badge(page, 'In progress').waitFor();
    await press(challenge, { form: 0, extra: { decision: 'decline' } });
    await act.click();
    await badge(page, 'Cancelled').waitFor();
    assert.equal(await statusOf(code), 'cancelled');
    await window.leave();
  });

  test('the expiry of a link can be changed, and the link can be emailed and saved as a QR code', async () => {
    const { code } = await createLinkAs(paylink, owner);
    const window = await openPayment(code);
    const { page } = window;
    await button(page, 'Change expiry').click();
    await page.getByLabel('Expires').selectOption('own');
    await button(page, 'Save changes').click();
    await page.getByText('Choose a day and a time.').waitFor();
    await page.getByLabel('Time', { exact: true }).fill('2020-01-01T10:00');
    await button(page, 'Save changes').click();
    await page.getByText('This must be 5 minutes to 180 days from now.').waitFor();
    await page.getByLabel('Expires').selectOption('month');
    await button(page, 'Save changes').click();
    await page.getByText('The link now expires').waitFor();
    await button(page, 'Send by email').click();
    await page.getByText('The link was emailed to ada@example.com').waitFor();
    await page.getByText('Link sent by email').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Save QR code').click(),
    ]);
    assert.equal(download.suggestedFilename(), `payment-${code}.png`);
    await window.leave();
  });

  test('the history shows each attempt with its reason, and the webhooks with their results', async () => {
    await createTestEndpoint(paylink, owner, {
      url: receiver.at('shop', { status: 500 }),
      events: ['payment.created'],
    });
    const { link, code } = await createLinkAs(paylink, owner);
    await payWith(link, cards.wrongCode);
    await payWith(link, cards.declined);
    await receiver.waitFor('shop', 1);
    const window = await openPayment(code);
    const { page } = window;
    await badge(page, 'Failed').waitFor();
    const history = await page.locator('.timeline').innerText();
    for (const words of [
      'Link created\n\n€19.99',
      'Reason: the security code was wrong.',
      'Sandbox · Attempt 1',
      'Not paid; the link can be paid again',
      'Reason: the bank gave no reason.',
      'Sandbox · Attempt 2',
      'Payment failed',
      merchant.email,
    ])
      assert.ok(history.includes(words), `${words} in ${history}`);
    const delivery = page.getByRole('row', { name: 'Link created' });
    await delivery.getByText('HTTP 500').waitFor();
    assert.match(
      (await delivery.getByRole('link').getAttribute('href')) ?? '',
      /\/webhooks\/whe_\w+\/whd_\w+$/,
    );
    await assertAccessible(window, 'a failed payment');
    await window.leave();
  });

  test('items are shown with quantity, unit amount and the tax in them; a payment without items has none', async () => {
    const items = [
      { name: 'Ticket', quantity: 2, unitAmount: 12.5, taxRate: 19 },
      { name: 'Discount', quantity: 1, unitAmount: -5.01, taxRate: 19 },
    ];
    const { code } = await createLinkAs(paylink, owner, { items });
    const window = await openPayment(code);
    const list = window.page.locator('details', { hasText: 'Items (2)' });
    assert.deepEqual(
      (await list.locator('dl > div').allInnerTexts()).map((text) => text.split('\n')),
      [
        ['Ticket', '2 × €12.50'],
        ['Discount', '1 × -€5.01'],
        ['Includes 19% tax', '€3.19'],
      ],
    );
    await assertAccessible(window, 'a payment with items');
    await window.leave();
    const other = await openPayment((await createLinkAs(paylink, owner)).code);
    await other.page.getByText('History').waitFor();
    assert.equal(await other.page.getByText('Items (').count(), 0);
    await other.leave();
  });

  test('values of customers are shown as text on a payment, and fit the window', async () => {
    const wide = 'W'.repeat(128);
    const fields = {
      customerOrderId: `<img src=x onerror=alert(1)>${wide}`.slice(0, 128),
      firstName: '\u202Eevil<b>',
      description: '<script>alert(1)</script>'.repeat(20),
      email: `${'a'.repeat(200)}@example.com`,
      success_url: `https://shop.example/${'x'.repeat(2000)}`,
      metadata: Object.fromEntries([...Array(20)].map((_, index) => [`${wide.slice(0, 38)}${index}`, wide])),
      amount: 20,
      items: [...Array(20)].map(() => ({ name: `<b>${'W'.repeat(190)}`, quantity: 1, unitAmount: 1 })),
    };
    const { code } = await createLinkAs(paylink, owner, fields);
    const window = await openPayment(code, { size: 'phone', language: 'de', look: 'dark' });
    const { page } = window;
    assert.equal(await page.locator('#content :is(script, b, img:not([src^="blob:"]))').count(), 0);
    await page.getByText('Metadaten (20)').click();
    await page.getByText('Positionen (20)').click();
    await assertAccessible(window, 'a payment of a stranger');
    await window.leave();
  });

  test('a viewer is offered no actions, and a developer no refunds', async () => {
    const [{ code: openCode }, paidCode] = [await createLinkAs(paylink, owner), await makePaid()];
    const offered = async (role: 'viewer' | 'developer', code: string) => {
      const window = await openPayment(code, { merchant: await join(paylink, owner, [role]) });
      await window.page.getByText('History').waitFor();
      const names = ['Change expiry', 'Cancel the link', 'Send by email', 'Refund'];
      const counts = await Promise.all(names.map(async (name) => await button(window.page, name).count()));
      const webhooks = await window.page.getByRole('heading', { name: 'Webhooks' }).count();
      assert.deepEqual(window.troubles, []);
      await window.leave();
      return [...counts, webhooks];
    };
    assert.deepEqual(await offered('viewer', openCode), [0, 0, 0, 0, 0]);
    assert.deepEqual(await offered('viewer', paidCode), [0, 0, 0, 0, 0]);
    assert.deepEqual(await offered('developer', openCode), [1, 1, 1, 0, 1]);
    assert.deepEqual(await offered('developer', paidCode), [0, 0, 0, 0, 1]);
  });

  test('the link of an email opens its payment, whichever mode was chosen last; then the mode can be changed', async () => {
    const seller = await paylink.createMerchant();
    const { code } = await createLinkAs(paylink, await logInLive(paylink, seller));
    await moveToLive(paylink, seller.companyId);
    const window = await openDashboard(paylink, browser, { merchant: seller });
    const { page } = window;
    await window.open('/');
    await page.locator('.top label', { hasText: 'Test' }).click();
    await window.open(`/payments/${code}`);
    await page.getByText('No payment has this code.').waitFor();
    await window.open(`/payments/${code}?mode=live`);
    await badge(page, 'Open').waitFor();
    assert.equal(page.url(), `${paylink.baseUrl}/dashboard/payments/${code}`);
    await page.reload();
    await badge(page, 'Open').waitFor();
    await page.locator('.top label', { hasText: 'Test' }).click();
    await page.getByText('No payment has this code.').waitFor();
    await window.leave();
  });

  test('an unknown code shows an error and a link back', async () => {
    const window = await openPayment('nothing-of-ours');
    await window.page.getByText('No payment has this code.').waitFor();
    assert.ok((await window.page.getByRole('link', { name: 'Payments' }).count()) > 1);
    await window.leave();
  });
});

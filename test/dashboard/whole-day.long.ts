// A merchant's day in the dashboard, from sign-in to sign-out, without a page reload: an endpoint, a link, a customer
// who pays it, a refund of half, the webhooks, the search, and an export. The merchant's only other program is the
// receiver of webhooks.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openWindow, payByKeyboard, windows } from '../harness/browser.ts';
import { cards } from '../harness/checkout-fixture.ts';
import { readTable } from '../harness/csv.ts';
import {
  assertAccessible,
  type DashboardOptions,
  type DashboardWindow,
  openDashboard,
} from '../harness/dashboard-window.ts';
import { type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { loopbackSettings, verify } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';

/** The texts that the merchant reads and presses. */
const english = {
  email: 'Email address',
  password: 'Password',
  menu: 'Menu',
  webhooks: 'Webhooks',
  addEndpoint: 'Add an endpoint',
  address: 'URL',
  secret: 'Signing secret',
  saved: 'I have saved it',
  newLink: 'New payment link',
  amount: 'Amount',
  half: '42.00',
  order: 'Order number',
  ready: 'The link is ready',
  link: 'Payment link',
  paid: 'The link was paid',
  view: 'View the payment',
  refund: 'Refund',
  refundAmount: 'Amount in EUR',
  refundHalf: 'Refund €42.00',
  refunded: '€42.00 was refunded.',
  done: 'Done',
  partially: 'Partially refunded',
  refundEvent: 'Refund succeeded',
  delivered: 'Delivered',
  payments: 'Payments',
  export: 'Export CSV',
  exported: '1 payment was exported.',
  signOut: 'Sign out',
};

const german: typeof english = {
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  menu: 'Menü',
  webhooks: 'Webhooks',
  addEndpoint: 'Endpunkt hinzufügen',
  address: 'URL',
  secret: 'Signaturgeheimnis',
  saved: 'Ich habe es gespeichert',
  newLink: 'Neuer Zahlungslink',
  amount: 'Betrag',
  half: '42,00',
  order: 'Bestellnummer',
  ready: 'Der Link ist fertig',
  link: 'Zahlungslink',
  paid: 'Der Link wurde bezahlt',
  view: 'Zahlung ansehen',
  refund: 'Erstatten',
  refundAmount: 'Betrag in EUR',
  refundHalf: '42,00 € erstatten',
  refunded: '42,00 € wurden erstattet.',
  done: 'Fertig',
  partially: 'Teilweise erstattet',
  refundEvent: 'Erstattung erfolgreich',
  delivered: 'Zugestellt',
  payments: 'Zahlungen',
  export: 'CSV exportieren',
  exported: '1 Zahlung wurde exportiert.',
  signOut: 'Abmelden',
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

type Day = DashboardWindow & { words: typeof english; loads: () => number };

/** Opens a screen by the menu, which is behind a button on a phone. */
async function goTo({ page, words }: Day, screen: string): Promise<void> {
  const menu = button(page, words.menu);
  if (await menu.isVisible()) await menu.click();
  await page.locator('#menu').getByRole('link', { name: screen, exact: true }).click();
  await heading(page, screen).waitFor();
}

async function enter({ page, words }: Day, email: string): Promise<void> {
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.password, { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.company', { hasText: 'Blumen Özlem' }).waitFor();
}

/** Adds the shop's endpoint. Returns its secret. */
async function addEndpoint(day: Day, url: string): Promise<string> {
  const { page, words } = day;
  await goTo(day, words.webhooks);
  await button(page, words.addEndpoint).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words.address).fill(url);
  await dialog.getByRole('button', { name: words.addEndpoint }).click();
  const secret = await page.getByLabel(words.secret, { exact: true }).inputValue();
  await button(page, words.saved).click();
  await page.getByRole('link', { name: url }).waitFor();
  return secret;
}

async function makeLink(day: Day): Promise<{ order: string; link: string }> {
  const { page, words } = day;
  await goTo(day, words.newLink);
  const order = await page.getByLabel(words.order).inputValue();
  await page.getByLabel(words.amount).fill('84');
  await page.getByLabel(words.email).fill('mia@example.com');
  await page.keyboard.press('Enter');
  await heading(page, words.ready).waitFor();
  return { order, link: await page.getByRole('textbox', { name: words.link }).inputValue() };
}

async function refundHalf({ page, words }: Day): Promise<void> {
  await page.getByRole('link', { name: words.view }).click();
  await button(page, words.refund).click();
  await page.getByLabel(words.refundAmount).fill(words.half);
  await button(page, words.refundHalf).click();
  await page.getByText(words.refunded).waitFor();
  await button(page, words.done).click();
  await page.locator('.payment-status .badge', { hasText: words.partially }).waitFor();
}

/** Exports the search results. Returns the rows of the file. */
async function exportFound(day: Day, order: string): Promise<Record<string, string>[]> {
  const { page, words } = day;
  await goTo(day, words.payments);
  await page.keyboard.press('/');
  await page.keyboard.type(order);
  await page.getByRole('link', { name: order }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, words.export).click()]);
  await page.getByText(words.exported).waitFor();
  return readTable(await readFile(await download.path(), 'utf8'));
}

async function leave({ page, words }: Day): Promise<void> {
  await page.locator('.account-menu summary').click();
  await button(page, words.signOut).click();
  await page.getByLabel(words.password, { exact: true }).waitFor();
}

describe('a merchant’s whole day in the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  let receiver: Receiver;
  before(async () => {
    [paylink, browser, receiver] = await Promise.all([
      startPaylink('server', { settings: loopbackSettings }),
      openBrowser(),
      startReceiver(),
    ]);
  });
  after(async () => {
    await Promise.all([browser.close(), receiver.close()]);
    await paylink.stop();
  });

  const begin = async (options: DashboardOptions): Promise<Day> => {
    const window = await openDashboard(paylink, browser, options);
    let loads = 0;
    window.page.on('domcontentloaded', () => loads++);
    await window.open('/');
    return { ...window, words: options.language === 'de' ? german : english, loads: () => loads };
  };

  /** A customer in another window, who has only the link. */
  const payElsewhere = async (link: string, options: DashboardOptions) => {
    const { phone, desktop } = windows;
    const customer = await openWindow(browser, {
      origins: [paylink.baseUrl],
      size: options.size === 'phone' ? phone : desktop,
      language: options.language === 'de' ? 'de-DE' : 'en-GB',
    });
    await customer.page.goto(link);
    await payByKeyboard(customer.page, cards.success);
    await customer.page.waitForURL('**/sandbox/shop/success?*');
    assert.deepEqual(customer.troubles, []);
    await customer.leave();
  };

  /** Waits until the shop has been notified, and the payment's page shows it. */
  const seeDeliveries = async ({ page, words }: Day, name: string, secret: string) => {
    const row = page.getByRole('row', { name: words.refundEvent });
    await row.getByText(words.delivered, { exact: true }).waitFor();
    const messages = receiver.messages(name).map((message) => verify({ secret }, message));
    const types = messages.map(({ type }) => type);
    for (const type of ['payment.created', 'payment.paid', 'refund.succeeded'])
      assert.ok(types.includes(type), `${type} among ${types.join()}`);
    const rows = page.getByRole('row').filter({ hasText: words.delivered });
    await until(async () => (await rows.count()) >= messages.length, 'the rows of the messages');
  };

  const liveThrough = async (name: string, options: DashboardOptions) => {
    const merchant = await paylink.createMerchant({ name: 'Blumen Özlem' });
    const day = await begin(options);
    await enter(day, merchant.email);
    const secret = await addEndpoint(day, receiver.at(name));
    await assertAccessible(day, 'an endpoint of the day');
    const { order, link } = await makeLink(day);
    await assertAccessible(day, 'a link of the day');
    await payElsewhere(link, options);
    await heading(day.page, day.words.paid).waitFor();
    await assertAccessible(day, 'a link that was paid');
    await refundHalf(day);
    await seeDeliveries(day, name, secret);
    await assertAccessible(day, 'a payment of which half was refunded');
    const rows = await exportFound(day, order);
    const { status, amount, currency, refundedAmount, email, customerOrderId } = rows[0] ?? {};
    assert.deepEqual(
      [rows.length, status, amount, currency, refundedAmount, email, customerOrderId],
      [1, 'paid', '84.00', 'EUR', '42.00', 'mia@example.com', order],
    );
    await leave(day);
    assert.equal(await day.page.getByText(order).count(), 0);
    assert.deepEqual(day.troubles, []);
    assert.equal(day.loads(), 1, 'the page was loaded once in the whole day');
    await day.leave();
  };

  test('link, payment, refund, webhooks, search and export work without a page reload', async () => {
    await liveThrough('desktop', {});
  });

  test('the same day works in German, in dark theme, on a phone', async () => {
    await liveThrough('phone', { size: 'phone', language: 'de', look: 'dark' });
  });
});

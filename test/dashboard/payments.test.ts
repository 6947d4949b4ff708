// The list of payments: search, filters, pages, columns, export, and hostile values shown as plain text.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, createLinkAs, logIn } from '../harness/client.ts';
import {
  assertAccessible,
  type DashboardWindow,
  openDashboard,
  openFollowing,
  settle,
} from '../harness/dashboard-window.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { fillWordsOf } from '../harness/payment-words.ts';
import { join } from '../harness/people.ts';
import { until } from '../harness/process.ts';

const rtl = '\u202E';
const hostile = {
  customerOrderId: '=1+1<img src=x onerror=alert(1)>',
  firstName: `<b>Eve</b>${rtl}evil`,
  lastName: '🦄'.repeat(49),
  description: `=HYPERLINK("https://evil.example")${rtl}${'<script>alert(1)</script>'.repeat(16)}`,
};

const orders = (page: Page) => page.locator('.payment-rows a.row-link');
const orderNames = async (page: Page) => await orders(page).allInnerTexts();

/** Waits until the list shows exactly these orders. */
async function untilOrders(page: Page, wanted: readonly string[]): Promise<void> {
  const names = wanted.join();
  await until(async () => (await orderNames(page)).join() === names, `the orders ${names}`);
}

describe('the list of payments', () => {
  let paylink: Paylink;
  let browser: Browser;
  let merchant: Merchant;
  let owner: Credentials;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
    merchant = await paylink.createMerchant();
    owner = await logIn(paylink, merchant);
    for (let number = 1; number <= 55; number++) {
      const isDollar = number % 2 === 0;
      await createLinkAs(paylink, owner, {
        customerOrderId: `A-${String(number).padStart(3, '0')}`,
        email: `${number === 7 ? 'mia' : 'ada'}@example.com`,
        lastName: number === 7 ? 'Weber' : 'Lovelace',
        amount: number,
        currency: isDollar ? 'USD' : 'EUR',
      });
    }
    await createLinkAs(paylink, owner, hostile);
    await fillWordsOf(paylink.app.deps.db, merchant.companyId);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  const openList = async (
    path = '/payments',
    options: Parameters<typeof openDashboard>[2] = {},
  ): Promise<DashboardWindow> => {
    const window = await openDashboard(paylink, browser, { merchant, ...options });
    await window.open(path);
    return window;
  };

  test('the search runs while typing, shows the results of the last text, and is in the URL', async () => {
    const window = await openList();
    const { page } = window;
    await page.keyboard.press('/');
    await page.keyboard.type('web', { delay: 20 });
    await untilOrders(page, ['A-007']);
    await page.waitForURL((url) => url.searchParams.get('text') === 'web');
    await page.reload();
    await untilOrders(page, ['A-007']);
    const search = page.getByRole('searchbox', { name: 'Search payments' });
    await until(async () => (await search.inputValue()) === 'web', 'the text of the URL');
    await search.fill('nobody');
    await page.getByText('No matching payments').waitFor();
    await assertAccessible(window, 'a search without a result');
    await page.getByRole('button', { name: 'Clear all' }).last().click();
    await page.getByText('The first 50 payments').waitFor();
    await until(async () => (await search.inputValue()) === '', 'an empty search');
    await window.leave();
  });

  test('“/” opens the search from any screen, and keys move through the rows to a payment', async () => {
    const window = await openList('/payments/new');
    const { page } = window;
    await page.keyboard.press('/');
    await page.locator('#payment-search:focus').waitFor();
    await page.waitForURL((url) => url.search === '');
    await page.keyboard.type('A-00');
    await untilOrders(
      page,
      [...Array(9)].map((_, index) => `A-00${index + 1}`),
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'A-002');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Payment of $2.00' }).waitFor();
    await page.getByRole('link', { name: 'Payments' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('text'), 'A-00', 'the way back leads to the same list');
    await window.leave();
  });

  test('filters are applied together, shown as chips, removed one by one, and survive the Back button', async () => {
    const window = await openList();
    const { page } = window;
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Amount from').fill('ten');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Enter an amount such as 19.99.').waitFor();
    await assertAccessible(window, 'the filters');
    await page.getByLabel('Amount from').fill('10');
    await page.getByLabel('Amount to').fill('12,50');
    await page.getByLabel('Sort by').selectOption('createdAt');
    await page.getByLabel('Created from').fill('2020-01-01');
    await page.getByRole('button', { name: 'Apply' }).click();
    await untilOrders(page, ['A-010', 'A-011', 'A-012']);
    assert.equal(await page.evaluate('document.activeElement.innerText'), 'Filters');
    await page.getByRole('radio', { name: 'Open' }).check();
    await untilOrders(page, ['A-010', 'A-011', 'A-012']);
    await page.getByRole('radio', { name: 'Paid' }).check();
    await page.getByText('No matching payments').waitFor();
    await page.goBack();
    await page.goBack();
    await untilOrders(page, ['A-010', 'A-011', 'A-012']);
    await page.getByRole('button', { name: 'Remove filter – Amount: 10 to 12.5' }).click();
    await page.getByText('The first 50 payments').waitFor();
    assert.equal((await orderNames(page))[0], 'A-001', 'oldest first, as before');
    const { searchParams } = new URL(page.url());
    assert.deepEqual([...searchParams.keys()].sort(), ['from', 'sort']);
    await window.leave();
  });

  test('more pages load on demand, a click in a row opens it, and chosen columns are stored', async () => {
    const window = await openList();
    const { page } = window;
    await page.getByText('The first 50 payments').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('56 payments', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Description').check();
    await page.getByLabel('Email', { exact: true }).uncheck();
    assert.equal(await page.getByLabel('Order', { exact: true }).isDisabled(), true);
    await page.reload();
    await settle(window);
    const titles = await page.getByRole('columnheader').allInnerTexts();
    assert.deepEqual(titles, ['Order', 'Amount', 'Status', 'Customer', 'Created', 'Description']);
    await page.locator('tbody tr').nth(1).getByText('€55.00').click();
    await page.getByRole('heading', { level: 1, name: 'Payment of €55.00' }).waitFor();
    await window.leave();
  });

  test('an export has the filtered payments, in a file that no spreadsheet runs', async () => {
    const window = await openList('/payments?customerOrderId=%3D*');
    const { page } = window;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /^payments-\d{4}-\d{2}-\d{2}\.csv$/);
    const csv = await readFile(await download.path(), 'utf8');
    assert.match(csv, /'=1\+1<img/);
    assert.match(csv, /'=HYPERLINK/);
    assert.doesNotMatch(csv, /A-001/);
    await page.getByText('1 payment was exported.').waitFor();
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('an export can be cancelled, and a failed one shows an error and saves no file', async () => {
    const window = await openList();
    const { page } = window;
    const downloads: unknown[] = [];
    page.on('download', (download) => downloads.push(download));
    await page.route('**/v1/exports/**', () => undefined);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByText('Export of payments.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Export of payments.').waitFor({ state: 'detached' });
    await page.unroute('**/v1/exports/**');
    await page.route('**/v1/exports/**', async (route) => await route.abort());
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByRole('alert').getByText('No file was saved').waitFor();
    assert.deepEqual(downloads, []);
    await window.leave();
  });

  test('values of customers are shown as text, on a desktop in light and on a phone in German and dark', async () => {
    const columns = 'order amount state customer email created expires description refunded mode';
    for (const options of [{}, { size: 'phone', language: 'de', look: 'dark' }] as const) {
      const window = await openList('/payments', options);
      const { page } = window;
      await page.evaluate(`localStorage.setItem('paylink.payments.columns', '${columns}')`);
      await page.reload();
      await settle(window);
      const row = page.locator('tbody tr').first();
      assert.equal(await row.locator('img, script, b').count(), 0);
      const text = (await row.textContent()) ?? '';
      for (const word of [hostile.customerOrderId, hostile.firstName, hostile.description])
        assert.ok(text.includes(word), word);
      await assertAccessible(window, `payments ${JSON.stringify(options)}`);
      await window.leave();
    }
  });

  test('a company without payments sees what to do, and a viewer is offered neither export nor links', async () => {
    const newcomer = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant: newcomer });
    await window.open('/payments');
    await window.page.getByText('No payments yet').waitFor();
    await assertAccessible(window, 'no payments');
    await window.leave();
    const viewer = await join(paylink, await logIn(paylink, newcomer), ['viewer']);
    const seen = await openDashboard(paylink, browser, { merchant: viewer });
    await seen.open('/payments');
    await seen.page.getByText('No payments yet').waitFor();
    assert.equal(await seen.page.getByRole('button', { name: 'Export CSV' }).count(), 0);
    assert.equal(await seen.page.getByRole('link', { name: 'New payment link' }).count(), 0);
    await seen.leave();
  });

  test('a list that could not be refreshed shows an error and a button to retry', async () => {
    const merchant = await paylink.createMerchant();
    const seller = await logIn(paylink, merchant);
    await createLinkAs(paylink, seller, { customerOrderId: 'first' });
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await openFollowing(window, '/payments');
    await page.getByText('first').waitFor();
    await page.route('**/v1/payments?*', async (route) => await route.abort());
    await createLinkAs(paylink, seller, { customerOrderId: 'second' });
    await page.getByRole('alert').waitFor();
    await page.unroute('**/v1/payments?*');
    await page.getByRole('alert').getByRole('button').click();
    await page.getByText('second').waitFor();
    await window.leave();
  });

  test('a page of the list is not lost to events that arrive while it loads', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await openFollowing(window, '/payments?customerOrderId=A-*');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/v1/payments?*cursor=*', async (route) => {
      await released;
      await route.continue();
    });
    const news = page.waitForResponse(
      async (answer) => answer.url().includes('/v1/events?') && (await answer.text()).includes('payment.'),
    );
    await page.getByText('The first 50 payments').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await createLinkAs(paylink, owner, { customerOrderId: 'heard-of' });
    await news;
    // The page has read it by now.
    await createLinkAs(paylink, owner, { customerOrderId: 'heard-of-too' });
    release();
    await page.getByText('55 payments', { exact: true }).waitFor();
    await window.leave();
  });
});

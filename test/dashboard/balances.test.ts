// Balances and ledger in a browser: the sum, its entries by pages and days, and roles without access.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, call, createLinkAs, logIn } from '../harness/client.ts';
import { assertAccessible, openDashboard, openFollowing, settle } from '../harness/dashboard-window.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { addMember } from '../harness/people.ts';
import { payWith } from '../harness/visitor.ts';

const good = { number: '4242424242424242' };

describe('balances', () => {
  let paylink: Paylink;
  let browser: Browser;
  let owner: Credentials;
  const take = async (amount: number, currency = 'EUR') => {
    const { link, code } = await createLinkAs(paylink, owner, { amount, currency });
    await payWith(link, good);
    return code;
  };
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
    owner = await logIn(paylink);
    for (let amount = 1; amount <= 26; amount++) await take(amount);
    const code = await take(1000.1, 'USD');
    await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], { amount: 0.2 });
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  const rowsOf = (page: Page) => page.locator('tbody tr');

  test('payments minus refunds give the balance, and every ledger entry is listed', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    await window.open('/balances');
    const dollars = page.locator('section', { has: page.getByRole('heading', { name: 'US Dollar (USD)' }) });
    await dollars.getByText('at your payment providers').waitFor();
    assert.deepEqual(await dollars.locator('dd').allInnerTexts(), ['$1,000.10', '-$0.20', '$999.90']);
    assert.equal(await rowsOf(page).count(), 25);
    assert.match(await rowsOf(page).first().innerText(), /Refund[\s\S]*-\$0\.20/);
    await assertAccessible(window, 'balances');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('tbody tr:nth-child(28)').waitFor();
    assert.match(await rowsOf(page).last().innerText(), /Payment[\s\S]*€1\.00/);
    await page.getByLabel('Sort by').selectOption({ label: 'Oldest first' });
    await page.waitForURL(/sort=createdAt/);
    await rowsOf(page).first().getByText('€1.00').waitFor();
    await page.getByLabel('To').fill('2020-01-01');
    await page.getByText('No entries in this period').waitFor();
    await page.reload();
    await settle(window);
    await page.getByText('No entries in this period').waitFor();
    await page.getByRole('button', { name: 'All days' }).click();
    await rowsOf(page).first().waitFor();
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('a new payment appears among the entries without a reload', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    await openFollowing(window, '/balances');
    await take(123.45);
    await rowsOf(window.page).first().getByText('€123.45').waitFor();
    await window.leave();
  });

  test('on a phone, in German and dark, the balances fit the window', async () => {
    const window = await openDashboard(paylink, browser, {
      ...{ merchant: paylink.merchant, size: 'phone', language: 'de', look: 'dark' },
    });
    await window.open('/balances');
    await window.page.getByText('bei Ihren Zahlungsanbietern').first().waitFor();
    await assertAccessible(window, 'balances on a phone');
    await window.leave();
  });

  test('a company without payments sees an empty state, and a developer is neither offered nor shown balances', async () => {
    const fresh = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant: fresh });
    await window.open('/balances');
    await window.page.getByText('No payments yet').waitFor();
    await assertAccessible(window, 'no balances');
    await window.leave();
    const developer = await addMember(paylink, owner, ['developer']);
    const theirs = await openDashboard(paylink, browser, { merchant: developer });
    await theirs.page.goto(`${paylink.baseUrl}/dashboard/balances`);
    await theirs.page.getByText('Your role does not include this page').waitFor();
    assert.equal(await theirs.page.getByRole('link', { name: 'Balances' }).count(), 0);
    assert.deepEqual(theirs.troubles, []);
    await theirs.leave();
  });
});

// The request log in a browser: the list with filters in the URL, one request by its ID with its redacted bodies, the way
// from an error to it, and roles without access.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, call, logIn, orderOf, processPayment } from '../harness/client.ts';
import { assertAccessible, openDashboard } from '../harness/dashboard-window.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { addMember } from '../harness/people.ts';
import { waitForCall } from '../harness/request-log.ts';

describe('the request log', () => {
  let paylink: Paylink;
  let browser: Browser;
  let owner: Credentials;
  let refusedId: string;

  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
    owner = await logIn(paylink);
    for (let made = 0; made < 3; made += 1) await processPayment(paylink, owner, orderOf());
    const refused = await processPayment(
      paylink,
      owner,
      orderOf({ amount: 'secret-amount', email: '<b>@x' }),
    );
    refusedId = String(refused.body.requestId);
    await call(paylink, owner, ['GET', '/v1/payments/none?text=ada@example.com']);
    await waitForCall(paylink, refusedId);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  test('calls are listed with status, duration and key, and filters are in the URL', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    await window.open('/requests');
    const created = page.locator('tbody tr', { hasText: 'POST /v1/payment/process' });
    await created.first().waitFor();
    assert.equal(await created.count(), 4);
    assert.match(await created.first().innerText(), /\d+ ms/);
    await created
      .first()
      .getByText(owner.apiKey.split('_')[2] ?? '')
      .waitFor();
    await assertAccessible(window, 'the request log');
    await page.getByLabel('Status').selectOption({ label: 'Rejected (4xx)' });
    await page.waitForURL(/status=4xx/);
    await page.getByLabel('Method').selectOption('POST');
    await page.waitForURL(/method=POST/);
    await page.getByLabel('Path begins with').fill('/v1/payment/');
    await page.waitForURL(/path=/);
    await page.locator('tbody tr:nth-child(2)').waitFor({ state: 'detached' });
    assert.equal(await page.locator('tbody tr', { hasText: 'invalid_fields' }).count(), 1);
    await page.reload();
    await page.locator('tbody tr', { hasText: 'invalid_fields' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.waitForURL(/\/requests$/);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('a request is found by its ID, and shows its bodies without personal data', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    await window.open('/requests');
    await page.getByLabel('Find a request by its ID').fill(` ${refusedId} `);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(new RegExp(`/requests/${refusedId}$`));
    await page.getByRole('heading', { name: 'POST /v1/payment/process' }).waitFor();
    const text = await page.locator('main').innerText();
    for (const shown of ['422', 'invalid_fields', '127.0.0.1', '[redacted]', 'customerOrderId'])
      assert.ok(text.includes(shown), shown);
    for (const absent of ['secret-amount', '<b>@x', 'ada@example.com'])
      assert.ok(!text.includes(absent), absent);
    await assertAccessible(window, 'a request');
    await page.getByRole('link', { name: 'All requests' }).click();
    await page.waitForURL(/\/requests$/);
    await window.leave();
  });

  test('an error of the service names its request, with a link to the log', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    const requestId = 'req_01m7wf3wswavyweszg1v4e9mnn';
    await page.route('**/v1/balances', async (route) => {
      const problem = {
        code: 'internal_error',
        status: 500,
        title: 'x',
        detail: 'It failed.',
        errors: [],
        requestId,
      };
      await route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify(problem),
      });
    });
    await page.goto(`${paylink.baseUrl}/dashboard/balances`);
    const link = page.getByRole('link', { name: requestId }).first();
    await link.waitFor();
    assert.match(String(await link.getAttribute('href')), new RegExp(`/requests/${requestId}$`));
    await window.leave();
  });

  test('on a phone, in German and dark, list and request fit the window', async () => {
    const window = await openDashboard(paylink, browser, {
      ...{ merchant: paylink.merchant, size: 'phone', language: 'de', look: 'dark' },
    });
    await window.open('/requests');
    await assertAccessible(window, 'the request log on a phone');
    await window.open(`/requests/${refusedId}`);
    await assertAccessible(window, 'a request on a phone');
    await window.leave();
  });

  test('roles without the right are neither offered nor shown the log', async () => {
    const support = await addMember(paylink, owner, ['support']);
    const window = await openDashboard(paylink, browser, { merchant: support });
    await window.page.goto(`${paylink.baseUrl}/dashboard/requests`);
    await window.page.getByText('Your role does not include this page').waitFor();
    assert.equal(await window.page.getByRole('link', { name: 'API requests' }).count(), 0);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });
});

// The page of the operator in a browser: who is offered it, what it shows, that it refreshes by itself, and its failed and
// empty states.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { assertAccessible, openDashboard } from '../harness/dashboard-window.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { makeOperator } from '../harness/people.ts';

describe('the page of the operator', () => {
  let paylink: Paylink;
  let browser: Browser;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
    makeOperator(paylink, paylink.merchant);
    // Whatever the time of day, its first time does not come during the tests.
    await change(
      `insert into scheduled_jobs (name, due_at) values ('verify-ledger', now() + interval '12 hours')
       on conflict (name) do update set due_at = excluded.due_at`,
    );
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });
  const change = async (text: string) => await paylink.app.deps.db.asOwner.query(text);

  test('an operator finds it in the menu: nothing needs a person, and there are no connections yet', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    await window.open('/');
    await page.getByRole('link', { name: 'Operation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Operation' }).waitFor();
    await page.getByText('Nothing needs a person.').waitFor();
    await page.getByText('No connections').waitFor();
    const job = page.locator('tr', { hasText: 'verify-ledger' });
    assert.match(await job.innerText(), /1 day[\s\S]*not recorded/);
    assert.equal(await page.locator('tr', { hasText: 'reconcile-attempt' }).count(), 1);
    await assertAccessible(window, 'the page of the operator');
    await window.leave();
  });

  test('what begins to need a person appears without a reload, with what to do, and nothing names a company', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    await window.open('/operation');
    await page.getByText('Nothing needs a person.').waitFor();
    await change(
      `insert into connections (company_id, connection_id, mode, processor, name, position, currencies, created_by,
                                created_at, updated_at, failures, open_until)
       select company_id, 'con_000000000000000000000001', 'live', 'stripe', 'Secret name', 0, '{EUR}', 'test', now(), now(), 3, now()
       from companies limit 1`,
    );
    await page.getByText('Failing connections').waitFor();
    await page.getByText('stripe live').waitFor();
    await page.getByText('Check the status page of the payment provider').waitFor();
    const row = page.locator('tbody tr', { hasText: 'stripe' });
    assert.match(await row.innerText(), /Live[\s\S]*Failing[\s\S]*1/);
    const text = await page.locator('#content').innerText();
    for (const secret of [paylink.merchant.companyId, 'Café Zürich', 'Secret name'])
      assert.equal(text.includes(secret), false, secret);
    await assertAccessible(window, 'the page of the operator with a problem');
    await window.leave();
  });

  test('on a phone, in German and dark, the page fits', async () => {
    const options = { size: 'phone', language: 'de', look: 'dark' } as const;
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant, ...options });
    await window.open('/operation');
    await window.page.getByRole('heading', { level: 1, name: 'Betrieb' }).waitFor();
    await window.page.getByText('Gestörte Verbindungen').waitFor();
    await assertAccessible(window, 'the page of the operator on a phone');
    await window.leave();
  });

  test('a status that cannot be read is said so, with a button to try again, and the last figures stay', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    let isDown = true;
    await page.route('**/v1/operator/status', async (route) => {
      if (!isDown) return await route.fallback();
      const problem = {
        code: 'unavailable',
        title: 'x',
        detail: 'x',
        status: 503,
        errors: [],
        requestId: 'req_1',
      };
      await route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify(problem),
      });
    });
    await page.goto(`${paylink.baseUrl}/dashboard/operation`);
    await page.getByText('Loading failed').waitFor();
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Recurring jobs' }).waitFor();
    assert.equal(await page.getByText('Loading failed').count(), 0);
    isDown = true;
    await page.getByText('Loading failed').waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Recurring jobs' }).count(), 1);
    await window.leave();
  });

  test('another account is not offered the page, and its address shows that there is no such page', async () => {
    const stranger = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant: stranger });
    const { page } = window;
    await window.open('/operation');
    await page.getByText('Page not found').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Operation' }).count(), 0);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });
});

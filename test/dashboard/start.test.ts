// The first steps in the dashboard: the shown examples run unchanged, a test payment turns paid without a reload, and
// no role is offered an action that it may not use.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { newApiKeyId } from '../../src/base/ids.ts';
import { openBrowser } from '../harness/browser.ts';
import { assertAccessible, openDashboard } from '../harness/dashboard-window.ts';
import { type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { payWith } from '../harness/visitor.ts';
import { installPacked, type Project, run } from '../sdk/packed.ts';

/** The example lines of a step, as copied. */
async function linesOf(page: Page, step: string): Promise<string> {
  const section = page.getByRole('region', { name: step });
  return (await section.locator('.code-block pre').first().textContent()) ?? '';
}

describe('the first steps in the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  let project: Project;
  before(async () => {
    [paylink, browser, project] = await Promise.all([startPaylink('server'), openBrowser(), installPacked()]);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
    await project.remove();
  });

  test('the examples in both languages run as shown, with the new key, and the page shows the link', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/start');
    await page.getByText('0 of 4 steps are done.').waitFor();
    await assertAccessible(window, 'first steps');
    await page.getByRole('button', { name: 'Create a key for these examples' }).click();
    const key = await page.getByLabel('API key', { exact: true }).inputValue();
    await page.getByText('1 of 4 steps are done.').waitFor();
    const shell = await linesOf(page, '2. A payment link from your program');
    assert.ok(shell.includes(key));
    const ready = shell.replace('your password', password);
    const curled = await run('sh', ['-c', ready], project.folder);
    assert.match(curled.output, /"PaymentLink":"http/, curled.errors);
    await page.getByText('Your link was created:').waitFor();
    await page.getByRole('tab', { name: 'TypeScript' }).first().click();
    const script = await project.write(
      'first-link.mts',
      await linesOf(page, '2. A payment link from your program'),
    );
    const made = await run(process.execPath, [script], project.folder, { PAYLINK_PASSWORD: password });
    assert.match(made.output, /^http\S+\/pay\/\S+\n$/, made.errors);
    await assertAccessible(window, 'first steps with a key');
    const kept = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
    assert.ok(!kept.includes(key));
    await window.leave();
  });

  test('one button creates a test payment, which turns paid without a reload', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/start');
    await page.getByRole('button', { name: 'Create a test payment' }).click();
    const link = await page.getByLabel('Payment link', { exact: true }).inputValue();
    assert.equal(await page.getByRole('link', { name: 'Open and pay' }).getAttribute('href'), link);
    await assertAccessible(window, 'a test payment');
    const number = await page
      .locator('.test-cards li', { hasText: 'succeeds' })
      .locator('.mono')
      .textContent();
    await payWith(link, { number: number ?? '' });
    await page.getByText('Payment received.').waitFor();
    await page.getByText('1 of 4 steps are done.').waitFor();
    await assertAccessible(window, 'a paid test payment');
    await window.leave();
  });

  test('live mode offers no step that would move money', async () => {
    const merchant = await paylink.createMerchant();
    // A live key, which the API creates only behind https.
    await paylink.app.deps.db.asOwner.query(
      `insert into api_keys (company_id, key_id, name, mode, created_at, created_by)
       values ($1, $2, 'Live', 'live', now(), 'system')`,
      [merchant.companyId, newApiKeyId(merchant.companyId)],
    );
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/start');
    await page.getByText('Live', { exact: true }).click();
    await page.getByText('The first steps use test mode').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create a test payment' }).count(), 0);
    await assertAccessible(window, 'first steps in live mode');
    await page.getByRole('button', { name: 'Switch to test mode' }).click();
    await page.getByRole('button', { name: 'Create a test payment' }).waitFor();
    await window.leave();
  });

  test('on a phone, in German and dark, roles without the right to create keys see the other steps', async () => {
    const support = await paylink.createMerchant({ roles: ['support'] });
    const window = await openDashboard(paylink, browser, {
      merchant: support,
      size: 'phone',
      language: 'de',
      look: 'dark',
    });
    const { page } = window;
    await window.open('/start');
    await page.getByText('0 von 3 Schritten sind erledigt.').waitFor();
    assert.equal(
      await page.getByRole('button', { name: 'Schlüssel für diese Beispiele anlegen' }).count(),
      0,
    );
    assert.equal(await page.getByRole('link', { name: 'Webhook einrichten' }).count(), 0);
    await assertAccessible(window, 'Erste Schritte');
    await page.getByRole('button', { name: 'Testzahlung anlegen' }).click();
    await page.getByLabel('Zahlungslink', { exact: true }).waitFor();
    await assertAccessible(window, 'Testzahlung');
    await window.leave();
  });
});

// API keys in the dashboard: created, shown once, replaced and revoked, and the actions that each role is offered.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, call, logIn } from '../harness/client.ts';
import { assertAccessible, openDashboard } from '../harness/dashboard-window.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';

describe('API keys in the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  const statusWith = async (credentials: Credentials, apiKey: string) =>
    (await call(paylink, { ...credentials, apiKey }, ['GET', '/v1/me'])).status;

  test('a new key is shown once, works, can be replaced, and is refused after it was revoked', async () => {
    const merchant = await paylink.createMerchant();
    const credentials = await logIn(paylink, merchant);
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/keys');
    await assertAccessible(window, 'keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop 🛒 <b>');
    await assertAccessible(window, 'a new key');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    const key = page.getByLabel('Key', { exact: true });
    const first = await key.inputValue();
    await page.keyboard.press('Escape');
    assert.equal(await statusWith(credentials, first), 200);
    await assertAccessible(window, 'the key');
    await page.getByRole('button', { name: 'I have saved it' }).click();
    const row = page.getByRole('row', { name: 'Shop 🛒 <b>' });
    await row.getByText('by you').waitFor();
    const known = await page.evaluate<string>(
      'document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage])',
    );
    assert.ok(!known.includes(first));
    await row.getByRole('button', { name: 'Replace' }).click();
    await page.getByLabel('Keep the old one valid for').selectOption('24 hours');
    await page.getByRole('button', { name: 'Create the new key' }).click();
    const second = await key.inputValue();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    assert.notEqual(second, first);
    for (const good of [first, second]) assert.equal(await statusWith(credentials, good), 200);
    await row.filter({ hasText: 'Expiring' }).getByRole('button', { name: 'Revoke' }).click();
    await assertAccessible(window, 'revoking a key');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await row.filter({ hasText: 'Revoked' }).waitFor();
    assert.equal(await statusWith(credentials, first), 401);
    assert.equal(await statusWith(credentials, second), 200);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('the last key can’t be revoked, and an invalid name and an impossible live key are explained', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/keys');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('This is the last key. Create another one first.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('\u202e');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.locator('.field-error', { hasText: 'printable characters' }).waitFor();
    await dialog.getByLabel('Name').fill('Till');
    await dialog.getByLabel('Mode').selectOption('Live: real money');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByText('This service is not set up for live payments yet.').waitFor();
    await dialog.getByText('The payment pages have no https address.').waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Till');
    // The browser logs each refusal to its console.
    assert.ok(window.troubles.every((trouble) => /40[19]|409|422/.test(trouble)));
    await assertAccessible({ ...window, troubles: [] }, 'refusals');
    await window.leave();
  });

  test('on a phone, in German and dark, keys with long names fit; live keys need their right', async () => {
    const developer = await paylink.createMerchant({ roles: ['developer'] });
    const credentials = await logIn(paylink, developer);
    for (const name of ['w'.repeat(100), 'مفتاح <script>alert(1)</script> =1+1'])
      await call(paylink, credentials, ['POST', '/v1/api-keys'], { name });
    const window = await openDashboard(paylink, browser, {
      merchant: developer,
      size: 'phone',
      language: 'de',
      look: 'dark',
    });
    const { page } = window;
    await window.open('/keys');
    await assertAccessible(window, 'Schlüssel');
    await page.getByRole('button', { name: 'Schlüssel anlegen', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    assert.equal(await page.getByLabel('Modus').count(), 0);
    await assertAccessible(window, 'Schlüssel anlegen');
    await window.leave();
  });

  test('roles without the right are neither offered nor shown keys', async () => {
    const viewer = await paylink.createMerchant({ roles: ['viewer'] });
    const window = await openDashboard(paylink, browser, { merchant: viewer });
    await window.page.goto(`${paylink.baseUrl}/dashboard/keys`);
    await window.page.getByText('Your role does not include this page').waitFor();
    assert.equal(await window.page.getByRole('link', { name: 'API keys' }).count(), 0);
    await window.leave();
  });
});

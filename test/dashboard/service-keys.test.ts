// Service keys in the dashboard: created with rights, an expiry and addresses, shown once, replaced and revoked.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { call, type Json, logIn } from '../harness/client.ts';
import { assertAccessible, openDashboard } from '../harness/dashboard-window.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { addMember } from '../harness/people.ts';
import { callWithKey, createServiceKey } from '../harness/service-keys.ts';

describe('service keys in the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  const statusWith = async (key: string) => (await callWithKey(paylink, key, ['GET', '/v1/payments'])).status;

  test('a new key is shown once, works, can be replaced, and is refused after it was revoked', async () => {
    const merchant = await paylink.createMerchant();
    const credentials = await logIn(paylink, merchant);
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/keys');
    await page.getByText('No service keys yet').waitFor();
    await page.getByRole('button', { name: 'Create a service key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop 🛒 <b>');
    await dialog.getByLabel('Refund payments').check();
    await dialog.getByLabel('Expires').selectOption('In 90 days');
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.0/8\n::1');
    await assertAccessible(window, 'a new service key');
    await dialog.getByRole('button', { name: 'Create a service key' }).click();
    const key = page.getByLabel('Service key', { exact: true });
    const first = await key.inputValue();
    assert.match(first, /^pls_test_/);
    await page.keyboard.press('Escape');
    await assertAccessible(window, 'the service key');
    assert.equal(await statusWith(first), 200);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    const row = page.getByRole('row', { name: 'Shop 🛒 <b>' });
    await row.getByText('payments:create payments:read payments:refund').waitFor();
    await row.getByText('127.0.0.0/8 ::1').waitFor();
    const known = await page.evaluate<string>(
      'document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage])',
    );
    assert.ok(!known.includes(first));
    await row.getByRole('button', { name: 'Replace' }).click();
    await page.getByLabel('Keep the old one valid for').selectOption('24 hours');
    await page.getByRole('button', { name: 'Create the new key' }).click();
    const second = await key.inputValue();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    for (const good of [first, second]) assert.equal(await statusWith(good), 200);
    await row.filter({ hasText: 'Expiring' }).getByRole('button', { name: 'Revoke' }).click();
    await assertAccessible(window, 'revoking a service key');
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await row.filter({ hasText: 'Revoked' }).waitFor();
    assert.deepEqual([await statusWith(first), await statusWith(second)], [401, 200]);
    const { body } = await call(paylink, credentials, ['GET', '/v1/service-keys']);
    const [newest] = body.data as Json[];
    const lifetimeMs = Date.parse(String(newest?.expiresAt)) - Date.parse(String(newest?.createdAt));
    assert.ok(Math.abs(lifetimeMs / 86_400_000 - 90) < 0.01, `${lifetimeMs} ms`);
    await window.open('/audit');
    await page.getByText('Service key revoked').waitFor();
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('a key without rights and a wrong address are explained at their fields', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/keys');
    await page.getByRole('button', { name: 'Create a service key' }).click();
    const dialog = page.getByRole('dialog');
    for (const box of await dialog.getByRole('checkbox').all()) await box.setChecked(false);
    const send = dialog.getByRole('button', { name: 'Create a service key' });
    await send.click();
    await dialog.locator('.field-error', { hasText: 'at least 1 entries' }).waitFor();
    await dialog.getByLabel('Create payment links').check();
    await dialog.getByLabel('Allowed addresses').fill('192.0.2.1, shop.example');
    await send.click();
    await dialog.locator('.field-error', { hasText: 'IPv4 or IPv6 address' }).waitFor();
    await assertAccessible({ ...window, troubles: [] }, 'refusals');
    await window.leave();
  });

  test('on a phone, in German and dark, it fits; a developer is offered only the rights and keys of the role', async () => {
    const owner = await paylink.createMerchant();
    const credentials = await logIn(paylink, owner);
    const name = 'w'.repeat(100);
    await createServiceKey(paylink, credentials, { name, scopes: ['payments:refund'] });
    const developer = await addMember(paylink, credentials, ['developer']);
    const window = await openDashboard(paylink, browser, {
      merchant: developer,
      size: 'phone',
      language: 'de',
      look: 'dark',
    });
    const { page } = window;
    await window.open('/keys');
    await page.getByRole('row', { name }).waitFor();
    await assertAccessible(window, 'Dienstschlüssel');
    assert.equal(
      await page.getByRole('group', { name }).getByRole('button', { name: 'Ersetzen' }).count(),
      0,
    );
    await page.getByRole('button', { name: 'Dienstschlüssel anlegen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Zahlungslinks anlegen').waitFor();
    assert.equal(await dialog.getByLabel('Zahlungen erstatten').count(), 0);
    assert.equal(await dialog.getByLabel('Modus').count(), 0);
    await assertAccessible(window, 'Dienstschlüssel anlegen');
    await window.leave();
  });
});

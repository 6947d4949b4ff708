// The dashboard as served: its policy, its form, one page for every path below it, and the elements around its screens.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { languages } from '../../web/src/base/languages.ts';
import { openBrowser } from '../harness/browser.ts';
import { assertAccessible, openDashboard, settle } from '../harness/dashboard-window.ts';
import { type Paylink, password, startPaylink } from '../harness/paylink.ts';

describe('the frame of the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  test('every path below /dashboard serves one page, whose policy allows only its own resources', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/payments/x', '/dashboard/reset']) {
      const answer = await fetch(paylink.baseUrl + path);
      assert.equal(answer.status, 200, path);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      const policy = answer.headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/);
      const page = await answer.text();
      assert.doesNotMatch(page, /<script(?![^>]+src=)|<style|style=| on\w+=/);
    }
    const missing = await fetch(`${paylink.baseUrl}/dashboard/assets/index-00000000.js`);
    assert.equal(missing.status, 404);
  });

  test('the first screen loads at most 150 kB of compressed script in each language, and its files are cached permanently', async () => {
    const page = await (await fetch(`${paylink.baseUrl}/dashboard`)).text();
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
    const preloaded = [...page.matchAll(/"modulepreload"[^>]+href="([^"]+)"/g)].map(([, href = '']) => href);
    const load = async (path: string) => {
      const answer = await fetch(paylink.baseUrl + path, { headers: { 'accept-encoding': 'br' } });
      assert.equal(answer.headers.get('content-encoding'), 'br');
      return answer;
    };
    const sizeOf = async (path: string) => Number((await load(path)).headers.get('content-length'));
    const shared = await Promise.all([script, ...preloaded].map(sizeOf));
    const raw = await load(script);
    const code = await raw.text();
    for (const language of Object.keys(languages)) {
      const [file = ''] = new RegExp(`assets/${language}-[\\w-]{8}\\.js`).exec(code) ?? [];
      const sizes = [...shared, await sizeOf(`/dashboard/${file}`)];
      const total = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(total < 150_000, `${language}: ${sizes.join(' + ')}`);
    }
    assert.equal(raw.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const etag = raw.headers.get('etag') ?? '';
    // Proxies weaken an ETag, and a browser may name several.
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const headers = { 'accept-encoding': 'br', 'if-none-match': known };
      assert.equal((await fetch(paylink.baseUrl + script, { headers })).status, 304, known);
    }
    const plain = await fetch(paylink.baseUrl + script, { headers: { 'accept-encoding': 'br;q=0' } });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.notEqual(plain.headers.get('etag'), etag);
  });

  test('after the sign-in the company is shown, and after the sign-out nothing of it', async () => {
    const merchant = await paylink.createMerchant({ name: 'Café Zürich' });
    const window = await openDashboard(paylink, browser);
    const { page } = window;
    await window.open('/');
    await assertAccessible(window, 'sign in');
    await page.getByLabel('Email address').fill(merchant.email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('.company', { hasText: 'Café Zürich' }).waitFor();
    await settle(window);
    await page.locator('.account-menu summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    assert.equal(await page.getByText('Café Zürich').count(), 0);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('while the service is unreachable, a screen and the sign-out say so, and a retry loads the screen later', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant });
    const { context, page } = window;
    const away = 'The service cannot be reached.';
    await window.open('/');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Audit log' }).click();
    const alert = page.getByRole('alert').filter({ hasText: away });
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.account-menu summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('.toast', { hasText: away }).waitFor();
    // If the page had navigated to an unreachable one, its content would be gone.
    assert.equal(await alert.count(), 1);
    await page.keyboard.press('Escape');
    await context.setOffline(false);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await window.leave();
  });

  test('the end of a session keeps the page and its input, and a new sign-in continues there', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page, troubles } = window;
    // Without a response the feed does not notice the end of the session before the person does.
    await page.route('**/v1/events?*', () => undefined);
    await window.open('/');
    const ended = 'delete from browser_sessions where company_id = $1';
    await paylink.app.deps.db.asOwner.query(ended, [merchant.companyId]);
    await page.locator('#menu').getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('Your session has ended').waitFor();
    await assertAccessible({ ...window, troubles: [] }, 'a session that has ended');
    await page.getByLabel('Email address').fill(merchant.email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    // The browser itself logs each 401 to its console.
    assert.deepEqual(
      troubles.filter((trouble) => !trouble.includes('401')),
      [],
    );
    await window.leave();
  });

  test('shortcuts open help and screens, and are ignored while somebody types', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await assertAccessible(window, 'help');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Sent together, because the second key must follow within a second.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('p')]);
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 1, name: 'New payment link' }).waitFor();
    await window.leave();
  });
});

// The pages without a session: signing in with everything that an account may require, a forgotten password, and an
// invitation.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { logIn } from '../harness/client.ts';
import {
  assertAccessible,
  type DashboardWindow,
  openDashboard,
  settle,
} from '../harness/dashboard-window.ts';
import { listResets, resetToken } from '../harness/password-resets.ts';
import { freePort, type Merchant, type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { invite } from '../harness/people.ts';
import { addTotp, wrongCode } from '../harness/second-factors.ts';

const newPassword = 'four quiet rivers at dawn';

describe('the sign-in pages', () => {
  let paylink: Paylink;
  let browser: Browser;
  before(async () => {
    const port = await freePort();
    // Passkeys are offered only at a host name.
    const baseUrl = `http://localhost:${port}`;
    const settings = { PORT: String(port), BASE_URL: baseUrl };
    const [started, opened] = await Promise.all([startPaylink('server', { settings }), openBrowser()]);
    paylink = { ...started, baseUrl };
    browser = opened;
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  async function enter(page: Page, email: string, word = password): Promise<void> {
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(word);
    await page.keyboard.press('Enter');
  }
  const companyShown = async (page: Page) => await page.locator('.company').waitFor();
  /** Accepts refusals, which the browser itself logs to its console. */
  const requireNoTrouble = ({ troubles }: DashboardWindow) =>
    assert.deepEqual(
      troubles.filter((trouble) => !/status of 4\d\d/.test(trouble)),
      [],
    );
  const focusedRole = async (page: Page) =>
    await page.evaluate<string | null>('document.activeElement.getAttribute("role")');

  test('each page is accessible on a desktop in English and on a phone in German and dark', async () => {
    const paths = ['/', '/forgotten', '/reset', '/reset#reset_x', '/invitation', '/invitation#invite_x'];
    for (const options of [{}, { size: 'phone', language: 'de', look: 'dark' }] as const) {
      const window = await openDashboard(paylink, browser, options);
      const titles = new Set<string>();
      for (const path of paths) {
        await window.open('/forgotten');
        await window.open(path);
        await assertAccessible(window, path);
        titles.add(await window.page.title());
      }
      assert.equal(titles.size, paths.length, [...titles].join());
      await window.leave();
    }
  });

  test('the error of a wrong password has the focus, and the right password leads to the requested page', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser);
    const { page } = window;
    await window.open('/team');
    const all = '[...document.querySelectorAll("input")].map(({ autocomplete }) => autocomplete)';
    const names = await page.evaluate<string[]>(all);
    assert.deepEqual(names, ['username', 'current-password']);
    await enter(page, merchant.email, 'wrong horse battery');
    await page.getByRole('alert').waitFor();
    assert.equal(await focusedRole(page), 'alert');
    await assertAccessible({ ...window, troubles: [] }, 'a wrong password');
    assert.equal(await page.getByLabel('Email address').inputValue(), merchant.email);
    await enter(page, merchant.email);
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    requireNoTrouble(window);
    await window.leave();
  });

  test('too many failed attempts show how long to wait', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser);
    const { page } = window;
    await window.open('/');
    const idle = page.locator('button[type=submit]:not([aria-disabled])');
    for (let tries = 0; tries < 11; tries++) {
      const answer = page.waitForResponse((response) => response.request().method() === 'POST');
      await enter(page, merchant.email, 'wrong horse battery');
      await answer;
      // Until the form has shown the response, it ignores the key.
      await page.locator('[role=alert]:focus').waitFor();
      await idle.waitFor();
    }
    await page.getByText('Wait up to 30 minutes, or set a new password with an emailed link').waitFor();
    await window.leave();
  });

  test('an account with an app needs its code, or a recovery code', async () => {
    const merchant = await paylink.createMerchant();
    const app = await addTotp(paylink, await logIn(paylink, merchant));
    const window = await openDashboard(paylink, browser);
    const { page } = window;
    await window.open('/');
    await enter(page, merchant.email);
    const code = page.getByLabel('Code from your authenticator app');
    await code.waitFor();
    await assertAccessible({ ...window, troubles: [] }, 'second factor');
    // The field has the focus, so a code can be typed at once.
    await page.keyboard.type(wrongCode(app.code));
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong').waitFor();
    assert.equal(await focusedRole(page), 'alert');
    const good = app.code();
    await code.fill(`${good.slice(0, 3)} ${good.slice(3)}`);
    await page.keyboard.press('Enter');
    await companyShown(page);

    await page.context().clearCookies();
    await window.open('/');
    await enter(page, merchant.email);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.keyboard.type(app.recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await companyShown(page);
    requireNoTrouble(window);
    await window.leave();
  });

  test('a password reset does not reveal who has an account, and the emailed link sets a new password', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openDashboard(paylink, browser);
    const { page } = window;
    const said: string[] = [];
    for (const email of ['nobody@example.com', merchant.email]) {
      await window.open('/');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByRole('heading', { level: 1, name: 'Forgotten password' }).waitFor();
      await page.keyboard.type(email);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Check your email' }).waitFor();
      said.push((await page.locator('.card').innerText()).replace(email, ''));
    }
    assert.equal(said[0], said[1]);
    await assertAccessible(window, 'a mail is on its way');
    assert.equal((await listResets(paylink, merchant)).length, 1);

    const token = await resetToken(paylink, merchant);
    await window.open(`/reset#${token}`);
    // The page removes the token from the address after it has shown itself.
    await page.waitForURL((url) => url.hash === '');
    await page.keyboard.type('password1234');
    await page.keyboard.press('Enter');
    await page.locator('.field-error', { hasText: 'one of the most common' }).waitFor();
    await page.getByLabel('Show the password').check();
    await assertAccessible({ ...window, troubles: [] }, 'a password that is too easy');
    await page.getByLabel('New password').fill(newPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your new password is set' }).waitFor();
    await assertAccessible({ ...window, troubles: [] }, 'a password is set');
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await enter(page, merchant.email, newPassword);
    await companyShown(page);

    // The same link in the same tab, where only the part after the # changes.
    await window.open('/reset');
    await page.evaluate(`location.hash = ${JSON.stringify(token)}`);
    await page.getByLabel('New password').fill(newPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor();
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Forgotten password' }).waitFor();
    requireNoTrouble(window);
    await window.leave();
  });

  async function invitationFor(owner: Merchant, email: string): Promise<string> {
    const { token } = await invite(paylink, await logIn(paylink, owner), { email, roles: ['developer'] });
    return token;
  }

  test('an invitation creates an account and signs in once', async () => {
    const [first, second] = [await paylink.createMerchant(), await paylink.createMerchant()];
    const email = 'grace@example.com';
    const tokens = [await invitationFor(first, email), await invitationFor(second, email)];
    const window = await openDashboard(paylink, browser);
    const { page } = window;
    await window.open(`/invitation#${tokens[0]}`);
    // The page removes the token from the address after it has shown itself.
    await page.waitForURL((url) => url.hash === '');
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await page.locator('.field-error', { hasText: 'at least 12 characters' }).waitFor();
    await page.getByLabel('New password').fill(newPassword);
    await page.keyboard.press('Enter');
    await companyShown(page);
    await settle(window);
    assert.equal(await page.locator('.account-menu summary').innerText(), email);

    for (const [token, title] of [
      [tokens[0], 'This invitation is no longer valid'],
      [tokens[1], 'An account with this email address exists'],
    ]) {
      await window.open('/forgotten');
      await window.open(`/invitation#${token}`);
      await page.getByLabel('New password').fill(newPassword);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: title ?? '' }).waitFor();
      await assertAccessible({ ...window, troubles: [] }, title ?? '');
    }
    requireNoTrouble(window);
    await window.leave();
  });
});

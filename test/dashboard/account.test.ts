// A person's own account in the dashboard: password, second factors and sessions.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import jsQr from 'jsqr';
import type { Browser, Page } from 'playwright-core';
import { codeOfStep, stepOf } from '../../src/second-factors/totp.ts';
import { openBrowser } from '../harness/browser.ts';
import { logIn } from '../harness/client.ts';
import { browse, signIn } from '../harness/dashboard.ts';
import { assertAccessible, type DashboardWindow, openDashboard } from '../harness/dashboard-window.ts';
import { freePort, type Merchant, type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { readSvg } from '../harness/qr-picture.ts';
import { addPasskey, addTotp, fromBase32, wrongCode } from '../harness/second-factors.ts';

const newPassword = 'four quiet rivers at dawn';
const dialogOf = (page: Page) => page.getByRole('dialog');

/** Accepts refusals, which the browser itself logs to its console. */
const requireNoTrouble = ({ troubles }: DashboardWindow) =>
  assert.deepEqual(
    troubles.filter((trouble) => !/status of 4\d\d/.test(trouble)),
    [],
  );

describe('the account in the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  before(async () => {
    const port = await freePort();
    // Browsers support passkeys only at a host name.
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

  async function openAccount(merchant: Merchant): Promise<DashboardWindow> {
    const window = await openDashboard(paylink, browser, { merchant });
    await window.open('/account');
    return window;
  }
  const press = async (page: Page, name: string) =>
    await page.getByRole('button', { name, exact: true }).click();
  /** Confirms the open dialog with the current password, typed where the focus is. */
  async function confirm(page: Page, word = password): Promise<void> {
    await dialogOf(page).getByLabel('Your current password').fill(word);
    await page.keyboard.press('Enter');
  }
  /** Records whether an error takes the focus when it appears; later it would take it from the field being edited. */
  const watchFaultFocus = async (page: Page) =>
    await page.evaluate(`new MutationObserver((_, observer) => {
      const fault = document.querySelector('.notice-bad');
      if (!fault) return;
      window.hadFocusAtOnce = document.activeElement === fault;
      observer.disconnect();
    }).observe(document.body, { childList: true, subtree: true })`);
  const canSignIn = async ({ email }: Merchant, body: object) =>
    (await browse(paylink, null, ['POST', '/v1/session'], { body: { email, ...body } })).status === 200;
  const shownCodes = async (page: Page) => (await page.locator('.recovery-codes li').allInnerTexts()) ?? [];

  test('the account screen is accessible on a desktop in English and on a phone in German and dark', async () => {
    const merchant = await paylink.createMerchant({ name: `${'W'.repeat(150)}\u{1f680}<b>x</b>` });
    const credentials = await logIn(paylink, merchant);
    const stub = await openDashboard(paylink, browser, { merchant });
    const phone = await openDashboard(paylink, browser, {
      ...{ merchant, size: 'phone', language: 'de', look: 'dark' },
    });
    await stub.open('/account');
    await assertAccessible(stub, 'an account with a password alone');
    await addTotp(paylink, credentials);
    await addPasskey(paylink, credentials, `<img src=x>${'W'.repeat(80)}`);
    for (const window of [stub, phone]) {
      await window.open('/account');
      await window.page.getByText('<img src=x>').waitFor();
      await assertAccessible(window, 'an account with second factors');
      await window.leave();
    }
  });

  test('an invalid new password shows an error at its field, and a valid one ends all other sessions', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openAccount(merchant);
    const { page } = window;
    const other = await signIn(paylink, merchant);
    await press(page, 'Change the password');
    await page.getByLabel('New password').fill('short');
    await confirm(page, 'wrong horse battery');
    await page.locator('.field-error', { hasText: 'at least 12 characters' }).waitFor();
    await page.getByLabel('New password').fill(newPassword);
    await page.keyboard.press('Enter');
    await page.locator('.field-error', { hasText: 'not the password of your account' }).waitFor();
    await assertAccessible({ ...window, troubles: [] }, 'a wrong password');
    assert.equal(await page.getByLabel('New password').inputValue(), newPassword);
    await confirm(page);
    await page.getByText('Your new password is set.').waitFor();
    assert.equal((await browse(paylink, other, ['GET', '/v1/me'])).status, 401);
    assert.ok(await canSignIn(merchant, { password: newPassword }));
    requireNoTrouble(window);
    await window.leave();
  });

  test('an authenticator app is added with the QR code, and its recovery codes are shown once and can be saved', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openAccount(merchant);
    const { page } = window;
    await press(page, 'Add an app');
    // The field has the focus, so the password can be typed at once.
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    const picture = page.locator('.qr-picture');
    await picture.waitFor();
    await assertAccessible(window, 'the QR code of an app');
    const { side, pixels } = readSvg(
      await page.evaluate<string>('decodeURIComponent(document.querySelector(".qr-picture").src)'),
    );
    const address = new URL(jsQr.default(pixels, side, side)?.data ?? '');
    const secret = address.searchParams.get('secret') ?? '';
    assert.equal(secret, await page.getByLabel('Secret').inputValue());
    await watchFaultFocus(page);
    const codeAt = (steps: number) =>
      codeOfStep(fromBase32(secret), stepOf(paylink.app.deps.clock.now()) + steps);
    await page.getByLabel('Code from the app').fill(wrongCode(codeAt));
    await page.keyboard.press('Enter');
    await page.locator('.field-error').waitFor();
    assert.equal(await page.evaluate('window.hadFocusAtOnce'), true, 'the fault has the focus at once');
    // The current code: the previous one may expire before the service checks it.
    await page.getByLabel('Code from the app').fill(codeAt(0));
    await page.keyboard.press('Enter');
    await page.getByText('Save these recovery codes').waitFor();
    await assertAccessible({ ...window, troubles: [] }, 'recovery codes');
    const codes = await shownCodes(page);
    assert.equal(codes.length, 10);
    // Escape, even repeated, does not close what is shown only once.
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Escape');
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save as a file')]);
    const saved = readFileSync(await download.path(), 'utf8').split('\r\n');
    assert.deepEqual(
      codes.filter((one) => !saved.includes(one)),
      [],
    );
    assert.equal(await canSignIn(merchant, { password }), false);
    assert.ok(await canSignIn(merchant, { password, recoveryCode: codes[0] }));
    await press(page, 'I have saved them');

    await page.reload();
    await page.getByText('9 codes left.').waitFor();
    await press(page, 'Create new codes');
    await confirm(page);
    await page.getByText('Save these recovery codes').waitFor();
    assert.equal(
      (await shownCodes(page)).some((one) => codes.includes(one)),
      false,
    );
    await press(page, 'I have saved them');
    await press(page, 'Remove the app');
    await confirm(page, 'wrong horse battery');
    await page.locator('.field-error').waitFor();
    await confirm(page);
    await page.getByText('The app was removed.').waitFor();
    assert.ok(await canSignIn(merchant, { password }));
    requireNoTrouble(window);
    await window.leave();
  });

  /** Adds a virtual passkey device whose user always agrees. */
  async function plugDevice({ context, page }: DashboardWindow): Promise<void> {
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  test('a passkey signs in without a password until it is removed', async () => {
    const merchant = await paylink.createMerchant();
    const window = await openAccount(merchant);
    const { page } = window;
    await plugDevice(window);
    const add = async () => {
      await press(page, 'Add a passkey');
      await page.getByLabel('Name', { exact: true }).fill('My laptop');
      await confirm(page);
    };
    await add();
    await page.getByText('Save these recovery codes').waitFor();
    await press(page, 'I have saved them');
    await page.getByRole('cell', { name: 'My laptop', exact: true }).waitFor();
    await assertAccessible(window, 'a passkey');
    await add();
    await page.getByText('This device already has a passkey for your account.').waitFor();
    await page.keyboard.press('Escape');

    const byPasskey = async () => {
      await page.context().clearCookies();
      await window.open('/account');
      await press(page, 'Sign in with a passkey');
    };
    await byPasskey();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await page.getByRole('row', { name: /My laptop/ }).waitFor();
    assert.equal(await page.getByRole('row', { name: /My laptop.*Never/ }).count(), 0);
    await page.getByRole('button', { name: 'Remove: My laptop' }).click();
    await confirm(page);
    await page.getByText('The passkey was removed.').waitFor();
    await byPasskey();
    await page.getByText('This passkey is unknown.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'alert');
    requireNoTrouble(window);
    await window.leave();
  });

  test('on an IP address passkeys are not offered, and the page says why', async () => {
    const { baseUrl } = paylink;
    const at = { baseUrl: baseUrl.replace('localhost', '127.0.0.1') };
    const window = await openDashboard(at, browser, { merchant: await paylink.createMerchant() });
    await window.open('/account');
    await window.page.getByText('Passkeys cannot be added here').waitFor();
    assert.equal(await window.page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
    await window.leave();
  });

  test('one session can be ended, and all other sessions together', async () => {
    const merchant = await paylink.createMerchant();
    await logIn(paylink, merchant);
    const others = [
      await signIn(paylink, merchant),
      await signIn(paylink, merchant),
      await signIn(paylink, merchant),
    ];
    const window = await openAccount(merchant);
    const { page } = window;
    const ended = async () =>
      (await Promise.all(others.map(async (one) => await browse(paylink, one, ['GET', '/v1/me'])))).filter(
        ({ status }) => status === 401,
      ).length;
    const ends = page.getByRole('button', { name: /^End the session of/ });
    assert.equal(await ends.count(), 4);
    await page.getByRole('row', { name: /^Program/ }).waitFor();
    await page.getByText('This session').waitFor();
    await ends.first().click();
    await page.getByText('The session has ended.').waitFor();
    assert.equal(await ended(), 1);
    await press(page, 'End all other sessions');
    await assertAccessible(window, 'a question before all sessions end');
    await dialogOf(page).getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('All other sessions have ended.').waitFor();
    assert.equal(await ended(), 3);
    await ends.first().waitFor({ state: 'detached' });
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });
});

// The settings of the company: the preview of unsaved input, saving, errors at their fields, and roles that can only
// read.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, call, type Json, logIn } from '../harness/client.ts';
import { assertAccessible, openDashboard, withoutRefusals } from '../harness/dashboard-window.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { join } from '../harness/people.ts';
import { makePng } from '../harness/png.ts';
import { until } from '../harness/process.ts';

const hostileName = '<img src=x onerror=alert(1)>שלום 💐 & Söhne';

const sectionOf = (page: Page, name: string) => page.getByRole('region', { name });
const pageOf = (page: Page): FrameLocator => page.frameLocator('.preview-frame:not(.preview-next)');

/** Waits until the preview is rendered, and its buttons have a colour, as browsers write it. */
async function waitForButton(page: Page, color: string): Promise<void> {
  const colorNow = `getComputedStyle(document.querySelector('.preview-frame:not(.preview-next)')
    ?.contentDocument.querySelector('#pay-button') ?? document.body).backgroundColor`;
  await until(async () => (await page.evaluate<string>(colorNow)) === color, `the button is ${color}`);
}

describe('the settings of the company', () => {
  let paylink: Paylink;
  let browser: Browser;
  let merchant: Merchant;
  let owner: Credentials;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
    merchant = await paylink.createMerchant({ name: 'Blumen' });
    owner = await logIn(paylink, merchant);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  const kept = async (): Promise<Json> => (await call(paylink, owner, ['GET', '/v1/company'])).body;

  test('the preview shows unsaved branding, which applies when it is saved and not before', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/settings');
    await waitForButton(page, 'rgb(24, 73, 169)');
    await assertAccessible(window, 'settings');
    const section = sectionOf(page, 'Branding');
    await section.getByLabel('Button colour').fill('#FFCC00');
    await section.getByText('Hard to read').waitFor();
    await waitForButton(page, 'rgb(255, 204, 0)');
    await section.getByRole('button', { name: /^Use #/ }).click();
    await section.getByText('Easy to read').waitFor();
    await section.getByLabel('Company name').fill(hostileName);
    await pageOf(page).getByText(hostileName).first().waitFor();
    await assertAccessible(window, 'settings that are not saved');
    assert.equal((await kept()).name, 'Blumen');
    await section.getByRole('button', { name: 'Save changes' }).click();
    await page.locator('.company', { hasText: hostileName }).waitFor();
    await section.getByText('Unsaved changes').waitFor({ state: 'detached' });
    const { name, branding } = (await kept()) as { name: string; branding: { color: string } };
    assert.equal(name, hostileName);
    assert.match(branding.color, /^#[0-9a-f]{6}$/);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('a logo and its dark variant are saved at once and shown in the preview, and a refused file says why', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/settings');
    const section = sectionOf(page, 'Branding');
    const slot = (name: string) => section.getByRole('group', { name, exact: true });
    const choose = async (name: string, mimeType: string, buffer: Buffer) =>
      await slot(name).locator('input[type=file]').setInputFiles({ name: 'logo', mimeType, buffer });
    const logoNow = async () => ({
      ...((await kept()).logo as { url: string | null; darkUrl: string | null }),
    });
    const svg = (inside: string) =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 80">${inside}</svg>`);
    await choose('Logo', 'image/svg+xml', svg('<script>alert(1)</script>'));
    await slot('Logo').getByText('The file was refused: The file has scripts').waitFor();
    assert.deepEqual(await logoNow(), { url: null, darkUrl: null });
    await choose('Logo', 'image/svg+xml', svg('<rect width="240" height="80" fill="#c02060"/>'));
    await slot('Logo').getByText('The logo is saved.').waitFor();
    assert.match((await logoNow()).url ?? '', /\.svg$/);
    const small = Buffer.from(String(((await kept()).branding as Json).logo), 'base64');
    assert.equal(small.toString('latin1', 1, 4), 'PNG', 'emails get a PNG');
    await choose('Logo', 'image/png', makePng({ width: 600, height: 200, bytes: 60_000 }));
    await until(async () => /\.png$/.test((await logoNow()).url ?? ''), 'the PNG is uploaded');
    await until(async () => {
      const now = String(((await kept()).branding as Json).logo);
      return now !== small.toString('base64') && now.startsWith('iVBOR');
    }, 'the small PNG shows the new logo');
    await choose('Logo on dark pages', 'image/png', makePng({ width: 3_000, height: 750, bytes: 150_000 }));
    await slot('Logo on dark pages').getByText('The logo is saved.').waitFor();
    const { darkUrl } = await logoNow();
    await pageOf(page)
      .locator(`source[srcset$="${new URL(darkUrl ?? '').pathname}"]`)
      .waitFor({ state: 'attached' });
    await assertAccessible(withoutRefusals(window), 'settings with logos');
    await slot('Logo').getByRole('button', { name: 'Remove the logo' }).click();
    await slot('Logo').getByText('The logo is removed.').waitFor();
    assert.deepEqual(await logoNow(), { url: null, darkUrl: null });
    assert.deepEqual(withoutRefusals(window).troubles, []);
    await window.leave();
  });

  test('contact and legal data are saved, removed when emptied, and have their errors at their fields', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/settings');
    const section = sectionOf(page, 'Contact and legal');
    await section.getByLabel('Support email').fill('help@shop.example');
    await section.getByLabel('Postal address').fill('Hauptstraße 1\n10115 Berlin');
    await section.getByLabel('Imprint').fill('shop.example');
    await section.getByRole('button', { name: 'Save changes' }).click();
    await section.getByText('absolute URL').waitFor();
    await section.getByLabel('Imprint').fill('https://shop.example/imprint');
    await section.getByRole('button', { name: 'Save changes' }).click();
    await section.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await section.getByLabel('Support email').fill('');
    await section.getByRole('button', { name: 'Save changes' }).click();
    await section.getByText('Unsaved changes').waitFor({ state: 'detached' });
    const { supportEmail, postalAddress, imprintUrl } = (await kept()).identity as Json;
    assert.deepEqual(
      [supportEmail, postalAddress, imprintUrl],
      [null, 'Hauptstraße 1\n10115 Berlin', 'https://shop.example/imprint'],
    );
    assert.deepEqual(withoutRefusals(window).troubles, []);
    await window.leave();
  });

  test('the preview shows other languages, devices and statuses, and runs nothing', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/settings');
    await page.getByLabel('Page language').selectOption('German');
    await pageOf(page).locator('html[lang=de]').waitFor();
    await page.getByRole('radio', { name: 'Computer' }).check({ force: true });
    await page.getByLabel('Page', { exact: true }).selectOption('Paid');
    await pageOf(page).getByText('Bezahlt').first().waitFor();
    const frame = page.locator('.preview-frame:not(.preview-next)');
    assert.equal(await frame.getAttribute('sandbox'), 'allow-same-origin');
    await assertAccessible(window, 'the page of a payment that is paid');
    await window.leave();
  });

  test('unsaved input survives a visit to another screen, causes a warning on leaving, and can be restored after it was discarded', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/settings');
    const isAskedAbout = async () =>
      !(await page.evaluate<boolean>('dispatchEvent(new Event("beforeunload", { cancelable: true }))'));
    const section = sectionOf(page, 'Emails');
    const replyTo = section.getByLabel('Reply-to address');
    assert.equal(await isAskedAbout(), false);
    await replyTo.fill('help@shop.example');
    await section.getByText('Unsaved changes').waitFor();
    await until(isAskedAbout, 'the page to ask before it is left');
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    assert.equal(await replyTo.inputValue(), 'help@shop.example');
    await section.getByRole('button', { name: 'Discard changes' }).click();
    assert.equal(await replyTo.inputValue(), '');
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await replyTo.inputValue(), 'help@shop.example');
    await call(paylink, owner, ['PATCH', '/v1/company'], { mail: { receipts: false } });
    await section.getByRole('button', { name: 'Save changes' }).click();
    await section.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await until(async () => !(await isAskedAbout()), 'the page not to ask any more');
    const { mail } = (await kept()) as { mail: Json };
    assert.equal(mail.replyTo, 'help@shop.example');
    assert.equal(mail.receipts, false, 'what somebody else changed meanwhile stays');
    await window.leave();
  });

  test('errors are shown at their fields, and the input stays', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/settings');
    const mail = sectionOf(page, 'Emails');
    await mail.getByLabel('Your notification address').fill('nobody');
    await mail.getByLabel('Remind customers').fill('0');
    await mail.getByRole('button', { name: 'Save changes' }).click();
    await mail.getByText('whole number of hours from 1 to 168').waitFor();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    await mail.getByLabel('Remind customers').fill('24');
    await mail.getByRole('button', { name: 'Save changes' }).click();
    await mail.getByText('This must be an email address.').waitFor();
    assert.equal(await mail.getByLabel('Your notification address').inputValue(), 'nobody');
    const origins = sectionOf(page, 'Allowed return addresses');
    for (const text of ['https://shop.example/cart', 'shop.example', 'not one']) {
      await origins.getByRole('button', { name: 'Add an origin' }).click();
      await origins.locator('input:focus').waitFor();
      await page.keyboard.type(text);
    }
    await origins.getByRole('button', { name: 'Save changes' }).click();
    await origins.getByText('This origin is already in the list.').waitFor();
    await origins.getByText('Enter an origin such as').waitFor();
    await assertAccessible(withoutRefusals(window), 'settings that were refused');
    await origins.getByRole('button', { name: 'Remove not one' }).click();
    await origins
      .getByRole('button', { name: /^Remove/ })
      .last()
      .click();
    await origins.getByRole('button', { name: 'Save changes' }).click();
    await origins.getByText('Unsaved changes').waitFor({ state: 'detached' });
    assert.deepEqual((await kept()).allowedOrigins, ['https://shop.example']);
    const paying = sectionOf(page, 'Payments');
    await paying.getByRole('radio', { name: 'Live mode' }).check();
    await paying.getByRole('button', { name: 'Save changes' }).click();
    await paying.getByText('There is no key for this mode.').waitFor();
    assert.equal(await paying.getByRole('radio', { name: 'Live mode' }).isChecked(), true);
    await window.leave();
  });

  test('on a phone, in German and dark, the settings are accessible', async () => {
    const options = { merchant, size: 'phone', language: 'de', look: 'dark' } as const;
    const window = await openDashboard(paylink, browser, options);
    await window.open('/settings');
    await pageOf(window.page).locator('html[lang=de]').waitFor();
    await assertAccessible(window, 'Einstellungen');
    await window.leave();
  });

  for (const role of ['developer', 'support', 'viewer'] as const)
    test(`the role ${role} sees the settings and the preview, and can change nothing`, async () => {
      const person = await join(paylink, owner, [role]);
      const options = { merchant: person, size: 'phone', language: 'de', look: 'dark' } as const;
      const window = await openDashboard(paylink, browser, options);
      const { page } = window;
      await window.open('/settings');
      await page.getByText('Ihre Rolle kann die Einstellungen ansehen').waitFor();
      await pageOf(page).locator('html[lang=de]').waitFor();
      await page.locator('#content').getByText('help@shop.example').waitFor();
      assert.equal(await page.getByRole('button', { name: 'speichern' }).count(), 0);
      assert.equal(await page.locator('#content').getByRole('textbox').count(), 0);
      if (role === 'viewer') await assertAccessible(window, 'settings to look at');
      await window.leave();
    });
});

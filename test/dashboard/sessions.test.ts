// A page whose session ends, is renewed or is replaced by another account, in this tab or another: nothing is done or
// shown as another account, nothing is lost, and background calls do not extend a session.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { cards } from '../harness/checkout-fixture.ts';
import { type Credentials, call, createLinkAs, logIn } from '../harness/client.ts';
import { signIn } from '../harness/dashboard.ts';
import { type DashboardWindow, openDashboard, settle } from '../harness/dashboard-window.ts';
import { type Merchant, type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { join } from '../harness/people.ts';
import { payWith } from '../harness/visitor.ts';

const ended = 'Your session has ended';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function enterAs(page: Page, { email }: Pick<Merchant, 'email'>): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

describe('a session that ends or changes under a page', () => {
  let paylink: Paylink;
  let browser: Browser;
  let merchant: Merchant;
  let owner: Credentials;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
    merchant = await paylink.createMerchant({ name: 'Café Zürich' });
    owner = await logIn(paylink, merchant);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  const endSessions = async () =>
    await paylink.app.deps.db.asOwner.query('delete from browser_sessions where company_id = $1', [
      merchant.companyId,
    ]);
  /** An open payment, in a window that gets no events. */
  const openPayment = async (): Promise<DashboardWindow & { code: string; link: string }> => {
    const made = await createLinkAs(paylink, owner);
    const window = await openDashboard(paylink, browser, { merchant });
    await window.page.route('**/v1/events?*', async (route) => await route.abort());
    await window.open(`/payments/${made.code}`);
    return { ...window, ...made };
  };
  const cancelLink = async (page: Page) => {
    await button(page, 'Cancel the link').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the link' }).click();
  };
  const statusOf = async (code: string) =>
    (await call(paylink, owner, ['GET', `/v1/payments/${code}`])).body.status;

  test('an action that waits for a sign-in is not carried out if another account signs in', async () => {
    const colleague = await join(paylink, owner, ['admin']);
    const { page, code, leave } = await openPayment();
    await endSessions();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await cancelLink(page);
    await page.getByText(ended).waitFor();
    // The page must not send the action while it is being left.
    await page.route(`${paylink.baseUrl}/dashboard`, async (route) => {
      await call(paylink, owner, ['GET', '/v1/me']);
      await route.continue();
    });
    await enterAs(page, colleague);
    await page.locator('.account-menu', { hasText: colleague.email }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.deepEqual(
      sent.filter((one) => one.endsWith('/cancel')),
      [`POST /v1/payments/${code}/cancel`],
    );
    assert.equal(await statusOf(code), 'open');
    await leave();
  });

  test('when another tab signs in with another account, the page switches to it and shows no data of the first', async () => {
    const other = await paylink.createMerchant({ name: 'Bäckerei Bern' });
    await createLinkAs(paylink, await logIn(paylink, other), { customerOrderId: 'of-bern' });
    const { page, context, leave } = await openPayment();
    await page.goto(`${paylink.baseUrl}/dashboard/payments`);
    await settle({ page });
    const tab = await context.newPage();
    await tab.goto(`${paylink.baseUrl}/dashboard`);
    await tab.locator('.account-menu summary').click();
    await button(tab, 'Sign out').click();
    await tab.getByLabel('Password').waitFor();
    await enterAs(tab, other);
    await tab.locator('.company', { hasText: 'Bäckerei Bern' }).waitFor();
    await page.locator('#payment-search').fill('of-bern');
    const bern = page.locator('.company', { hasText: 'Bäckerei Bern' });
    await bern.or(page.getByText('of-bern')).first().waitFor();
    await bern.waitFor();
    await leave();
  });

  test('a missing cookie counts as an ended session', async () => {
    const { page, context, code, leave } = await openPayment();
    await context.clearCookies();
    await cancelLink(page);
    await page.getByText(ended).waitFor();
    await enterAs(page, merchant);
    await page.getByText('The link was cancelled.', { exact: true }).waitFor();
    assert.equal(await statusOf(code), 'cancelled');
    await leave();
  });

  test('a page continues when its person signs in again in another tab', async () => {
    const { page, context, code, leave } = await openPayment();
    const { cookie } = await signIn(paylink, merchant);
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: paylink.baseUrl, httpOnly: true, sameSite: 'Strict' }]);
    await cancelLink(page);
    await page.getByText('The link was cancelled.', { exact: true }).waitFor();
    assert.equal(await statusOf(code), 'cancelled');
    await leave();
  });

  test('events that happened without a session are shown after the sign-in', async () => {
    const { page, link, leave } = await openPayment();
    await endSessions();
    await button(page, 'Save QR code').click();
    await page.getByText(ended).waitFor();
    await payWith(link, cards.success);
    await enterAs(page, merchant);
    await page.locator('.payment-status .badge', { hasText: 'Paid' }).waitFor();
    await leave();
  });

  test('actions work on plain http, where browsers disable some functions', async () => {
    const { page, code, leave } = await openPayment();
    await page.evaluate('delete Crypto.prototype.randomUUID');
    await cancelLink(page);
    await page.getByText('The link was cancelled.', { exact: true }).waitFor();
    assert.equal(await statusOf(code), 'cancelled');
    await leave();
  });

  test('a sign-out that does not reach the service shows an error', async () => {
    const { page, leave } = await openPayment();
    await page.route('**/v1/session', async (route) => await route.abort());
    await page.locator('.account-menu summary').click();
    await button(page, 'Sign out').click();
    await page.getByText('The service cannot be reached.').waitFor();
    await leave();
  });

  test('queries that events cause do not extend the session', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    const heard = page.waitForResponse((response) => response.url().includes('/v1/events?after=latest'));
    await window.open('/payments');
    await heard;
    const asked: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/payments?')) asked.push(request.headers()['x-paylink-background']);
    });
    await createLinkAs(paylink, owner, { customerOrderId: 'heard-of' });
    await page.getByText('heard-of').waitFor();
    assert.deepEqual([...new Set(asked)], ['true']);
    const byHand = page.waitForRequest((request) => request.url().includes('text=heard'));
    await page.locator('#payment-search').fill('heard');
    assert.equal((await byHand).headers()['x-paylink-background'], undefined);
    await window.leave();
  });
});

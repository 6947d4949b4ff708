// A signed-in merchant with a real browser in the dashboard. Collects console errors and policy violations.

import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { type Language, languages } from '../../web/src/base/languages.ts';
import { auditPage, type Customer, openWindow, overflowOf } from './browser.ts';
import { signIn } from './dashboard.ts';
import type { Merchant, Paylink } from './paylink.ts';

/** Window sizes that every screen must support. */
export const screenSizes = {
  narrowPhone: { width: 320, height: 640 },
  phone: { width: 360, height: 740 },
  widePhone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;

export type DashboardOptions = {
  merchant?: Pick<Merchant, 'email'> | null;
  size?: keyof typeof screenSizes;
  language?: Language;
  look?: 'light' | 'dark';
};

export type DashboardWindow = Customer & {
  /** Opens a path below /dashboard and waits until it is loaded. */
  open(path: string): Promise<void>;
};

export async function openDashboard(
  paylink: Pick<Paylink, 'baseUrl'>,
  browser: Browser,
  options: DashboardOptions = {},
): Promise<DashboardWindow> {
  const customer = await openWindow(browser, {
    origins: [paylink.baseUrl],
    size: screenSizes[options.size ?? 'desktop'],
    language: languages[options.language ?? 'en'].locale,
  });
  const { context, page, troubles } = customer;
  await page.emulateMedia({ colorScheme: options.look ?? 'light' });
  if (options.merchant) {
    const { cookie } = await signIn(paylink, options.merchant);
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: paylink.baseUrl, httpOnly: true, sameSite: 'Strict' }]);
  }
  const open = async (path: string) => {
    await page.goto(`${paylink.baseUrl}/dashboard${path}`);
    await settle(customer);
  };
  // Background requests that are aborted when the page is left are not errors.
  context.on('requestfailed', (request) => {
    const at = troubles.indexOf(`failed: ${request.url()} net::ERR_ABORTED`);
    if (at >= 0) troubles.splice(at, 1);
  });
  return { ...customer, open };
}

/** Opens a path, and waits until the page follows the feed from its end: no later event escapes it. */
export async function openFollowing({ page, open }: DashboardWindow, path: string): Promise<void> {
  const following = page.waitForRequest((request) => /\/events\?after=(?!latest)/.test(request.url()));
  await open(path);
  await following;
}

/** Removes the line that the browser itself logs for each 4xx response. */
export const withoutRefusals = (window: DashboardWindow): DashboardWindow => ({
  ...window,
  troubles: window.troubles.filter((trouble) => !/status of 4\d\d/.test(trouble)),
});

/** Waits until a screen is fully loaded. */
export async function settle({ page }: Pick<Customer, 'page'>): Promise<void> {
  await page.locator('h1').first().waitFor();
  // The policy forbids evaluating text, so waitForFunction does not work.
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

/** Presses a button twice without a redraw in between. Returns a growing list of the changing requests. */
export async function pressTwice(button: Locator): Promise<readonly string[]> {
  const sent: string[] = [];
  button.page().on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await button.evaluate((element: { click(): void }) => {
    element.click();
    element.click();
  });
  return sent;
}

/** Fails unless the page is accessible, fits its window, and has no errors. */
export async function assertAccessible({ page, troubles }: Customer, where: string): Promise<void> {
  assert.deepEqual(await auditPage(page), [], `axe: ${where}`);
  const overflow = await overflowOf(page);
  assert.ok(overflow <= 0, `${where} is ${overflow} pixels wider than its window`);
  assert.deepEqual(troubles, [], where);
}

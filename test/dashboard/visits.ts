// Visits every screen of a role and checks that it is accessible, fits its window, is in its language, and has no
// errors. every-screen.campaign.ts and its short form share it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Role } from '../../src/http/authentication.ts';
import { type Language, languages } from '../../web/src/base/languages.ts';
import type english from '../../web/src/texts/en.json';
import { overflowOf } from '../harness/browser.ts';
import { flattenTexts } from '../harness/check-catalogue.ts';
import { assertAccessible, type DashboardOptions, openDashboard } from '../harness/dashboard-window.ts';
import type { Paylink } from '../harness/paylink.ts';

export type Screens = Readonly<Record<string, string>>;

/** The objects of a busy company that the screens show. */
export type Sights = {
  code: string;
  openCode: string;
  endpointId: string;
  deliveryId: string;
  requestId: string;
};

/** The paths of all screens, by the names of their pictures. */
export const screensOf = ({ code, openCode, endpointId, deliveryId, requestId }: Sights): Screens => ({
  overview: '/',
  payments: '/payments',
  'payments-found': '/payments?text=anna1&status=paid',
  payment: `/payments/${code}`,
  'payment-open': `/payments/${openCode}`,
  'new-link': '/payments/new',
  cases: '/cases',
  balances: '/balances',
  webhooks: '/webhooks',
  endpoint: `/webhooks/${endpointId}`,
  delivery: `/webhooks/${endpointId}/${deliveryId}`,
  processors: '/processors',
  keys: '/keys',
  requests: '/requests',
  request: `/requests/${requestId}`,
  team: '/team',
  audit: '/audit',
  settings: '/settings',
  start: '/start',
  // For all but the operator there is no such page.
  operation: '/operation',
  account: '/account',
  nowhere: '/there-is-no-such-page',
});

/** Screens that only these roles have; other roles see a message instead. */
const onlyFor: Readonly<Record<string, readonly Role[]>> = {
  'new-link': ['owner', 'admin', 'developer', 'support'],
  start: ['owner', 'admin', 'developer', 'support'],
  balances: ['owner', 'admin', 'support', 'viewer'],
  webhooks: ['owner', 'admin', 'developer'],
  endpoint: ['owner', 'admin', 'developer'],
  delivery: ['owner', 'admin', 'developer'],
  processors: ['owner', 'admin', 'developer'],
  keys: ['owner', 'admin', 'developer'],
  requests: ['owner', 'admin', 'developer'],
  request: ['owner', 'admin', 'developer'],
  team: ['owner', 'admin'],
  audit: ['owner', 'admin'],
};

export type Walk = Required<Omit<DashboardOptions, 'merchant'>> & { role: Role; email: string };

export const allLanguages = Object.keys(languages) as Language[];

/** The texts of a language, as in its file. */
export function textsOf(language: Language): typeof english {
  const file = new URL(`../../web/src/texts/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as typeof english;
}

/** The language whose texts have the most letters. */
export function findLongestLanguage(): Language {
  const lengths = allLanguages.map((language) => {
    const length = [...flattenTexts(textsOf(language)).values()].join('').length;
    return { language, length };
  });
  return lengths.sort((one, other) => other.length - one.length)[0]?.language ?? 'en';
}

const signedOutPaths = ['/', '/forgotten', '/reset', '/reset#reset_x', '/invitation', '/invitation#invite_x'];

type NarrowVisit = { email: string; size: 'narrowPhone' | 'widePhone'; language: Language };

/** Visits all screens and the pages without a session, opens the menus, and returns what is wider than the window. */
export async function findTooWide(
  paylink: Pick<Paylink, 'baseUrl'>,
  browser: Browser,
  screens: Screens,
  { email, size, language }: NarrowVisit,
): Promise<string[]> {
  const wide: string[] = [];
  for (const merchant of [null, { email }]) {
    const window = await openDashboard(paylink, browser, { merchant, size, language });
    const { page } = window;
    const check = async (where: string) => {
      const overflow = await overflowOf(page);
      if (overflow > 0) wide.push(`${where} is ${overflow} pixels wider than ${size}, in ${language}`);
      const folder = process.env.PICTURES_DIR;
      const file = `${size}-${language}-${where.replaceAll(/\W+/g, '-')}.png`;
      if (folder) await page.screenshot({ path: path.join(folder, file), fullPage: true });
    };
    for (const address of merchant ? Object.values(screens) : signedOutPaths) {
      await window.open(address);
      assert.equal(await page.locator('html').getAttribute('lang'), language, address);
      await check(`${merchant ? 'signed in' : 'signed out'} ${address}`);
    }
    if (merchant) {
      await page.locator('.account-menu summary').click();
      await check('the account menu');
      await page.keyboard.press('Escape');
      await page.locator('.menu-button').click();
      await check('the menu');
    }
    await window.leave();
  }
  return wide;
}

/** Visits all screens; with PICTURES_DIR set, also takes a picture of each. */
export async function walk(
  paylink: Pick<Paylink, 'baseUrl'>,
  browser: Browser,
  screens: Screens,
  { role, email, ...options }: Walk,
): Promise<void> {
  const window = await openDashboard(paylink, browser, { merchant: { email }, ...options });
  const { page } = window;
  const { notAllowed } = textsOf(options.language).shell;
  for (const [name, address] of Object.entries(screens)) {
    const where = `${name} as ${role} (${options.size}, ${options.language}, ${options.look})`;
    await window.open(address);
    const isShut = onlyFor[name]?.includes(role) === false;
    assert.equal(await page.locator('html').getAttribute('lang'), options.language, where);
    assert.equal(await page.getByText(notAllowed).count(), isShut ? 1 : 0, where);
    assert.equal(await page.locator('h1').count(), 1, `${where} has one main heading`);
    await assertAccessible(window, where);
    const folder = process.env.PICTURES_DIR;
    if (folder && role === 'owner') {
      const file = `dashboard-${name}-${options.size}-${options.language}-${options.look}.png`;
      await page.screenshot({ path: path.join(folder, file) });
    }
  }
  await window.leave();
}

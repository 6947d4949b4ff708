// Visits every screen of a role and checks that it is accessible, fits its window, is in its language, and has no
// errors. every-screen.campaign.ts and its short form share it.

import assert from 'node:assert/strict';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Role } from '../../src/http/authentication.ts';
import { assertAccessible, type DashboardOptions, openDashboard } from '../harness/dashboard-window.ts';
import type { Paylink } from '../harness/paylink.ts';

export type Screens = Readonly<Record<string, string>>;

/** The objects of a busy company that the screens show. */
export type Sights = { code: string; openCode: string; endpointId: string; deliveryId: string };

/** The paths of all screens, by the names of their pictures. */
export const screensOf = ({ code, openCode, endpointId, deliveryId }: Sights): Screens => ({
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
  team: ['owner', 'admin'],
  audit: ['owner', 'admin'],
};

const notYours = { en: 'Your role does not include this page', de: 'Ihre Rolle umfasst diese Seite nicht' };

export type Walk = Required<Omit<DashboardOptions, 'merchant'>> & { role: Role; email: string };

/** Visits all screens; with PICTURES_DIR set, also takes a picture of each. */
export async function walk(
  paylink: Pick<Paylink, 'baseUrl'>,
  browser: Browser,
  screens: Screens,
  { role, email, ...options }: Walk,
): Promise<void> {
  const window = await openDashboard(paylink, browser, { merchant: { email }, ...options });
  const { page } = window;
  for (const [name, address] of Object.entries(screens)) {
    const where = `${name} as ${role} (${options.size}, ${options.language}, ${options.look})`;
    await window.open(address);
    const isShut = onlyFor[name]?.includes(role) === false;
    assert.equal(await page.getByText(notYours[options.language]).count(), isShut ? 1 : 0, where);
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

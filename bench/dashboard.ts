// How fast the dashboard is to somebody who looks at it: the first screen from a cold cache, and the rows of each key
// that is pressed in the search, in a real browser. Times are taken in the page, from its own events. It must never give a
// figure of a screen that does not show what was asked for.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { PlainFault, say } from '../scripts/toolchain.mjs';
import { ensureWebBuilt } from '../scripts/web.mjs';
import { type Customer, openBrowser, openWindow } from '../test/harness/browser.ts';
import { signIn } from '../test/harness/dashboard.ts';
import { screenSizes } from '../test/harness/dashboard-window.ts';
import { seedCompany } from '../test/harness/seed-company.ts';
import { analyzeTables, type BenchDatabase, queryOne } from './database.ts';
import { median } from './figures.ts';
import type { BenchEnvironment } from './measure.ts';
import { waitUntilIdle } from './process-usage.ts';
import { ownerEmail } from './run-paylink.ts';
import {
  awaitKey,
  firstList,
  firstScreen,
  keyDrawn,
  type ObservedScreen,
  watchScript,
} from './watch-page.ts';

export type DashboardSpeed = {
  payments: number;
  visits: number;
  firstScreenMs: number;
  worstFirstScreenMs: number;
  /** The same page with its script switched off, to its load. */
  emptyPageMs: number;
  /** From a key press to the rows that it asks for, over all keys of all visits. */
  keyMs: number;
  worstKeyMs: number;
  /** The median of each key, by what is typed with it. */
  keyMsByText: Readonly<Record<string, number>>;
  scriptKb: number;
};

/** Whom a browser visits, and as whom: the cookie's name and value. */
export type Visit = { baseUrl: string; cookie: string; limitMs: number };

const payments = 100_000;
const visits = 7;
const word = 'anna12';
const screenLimitMs = 30_000;
const sealedEveryMs = 500;

/** A window of a browser that has never seen the service, with somebody signed in. */
async function openCold(browser: Browser, { baseUrl, cookie }: Visit, script = true): Promise<Customer> {
  const customer = await openWindow(browser, { origins: [baseUrl], size: screenSizes.desk, script });
  const [name = '', value = ''] = cookie.split('=');
  await customer.context.addCookies([{ name, value, url: baseUrl, httpOnly: true, sameSite: 'Strict' }]);
  await customer.context.addInitScript(watchScript);
  return customer;
}

function requireNoTrouble({ troubles }: Customer): void {
  if (troubles.length > 0) throw new PlainFault(`the dashboard is not well: ${troubles.join('; ')}`);
}

/** Opens the first screen once, from a cold cache. */
export async function timeFirstScreen(
  browser: Browser,
  visit: Visit,
): Promise<{ ms: number; scriptBytes: number }> {
  const customer = await openCold(browser, visit);
  try {
    await customer.page.goto(`${visit.baseUrl}/dashboard`, { waitUntil: 'commit' });
    const seen = await customer.page.evaluate<{ ms: number; scriptBytes: number } | null>(
      firstScreen(visit.limitMs),
    );
    requireNoTrouble(customer);
    if (!seen) throw new PlainFault(`the first screen was not there after ${visit.limitMs} ms`);
    return seen;
  } finally {
    await customer.leave();
  }
}

/** Opens the page with its script switched off. */
async function timeEmptyPage(browser: Browser, visit: Visit): Promise<number> {
  const customer = await openCold(browser, visit, false);
  try {
    await customer.page.goto(`${visit.baseUrl}/dashboard`, { waitUntil: 'load' });
    return await customer.page.evaluate<number>(`performance.getEntriesByType('navigation')[0].loadEventEnd`);
  } finally {
    await customer.leave();
  }
}

type Listed = { data: { PaymentLinkCode: string }[] };

/** Presses one key, and looks whether the rows are those that the service answered. */
async function timeKey({ page }: Customer, typed: string, limitMs: number): Promise<number> {
  const isAsked = (url: string) => new URL(url).searchParams.get('text') === typed;
  const answering = page.waitForResponse((response) => isAsked(response.url()), { timeout: limitMs });
  // Whoever waits for the screen says what is amiss.
  answering.catch(() => undefined);
  await page.evaluate(awaitKey(typed, limitMs));
  await page.keyboard.press(typed.at(-1) ?? '');
  const seen = await page.evaluate<ObservedScreen | null>(keyDrawn);
  if (!seen) throw new PlainFault(`the rows of “${typed}” were not there after ${limitMs} ms`);
  const { data } = (await (await answering).json()) as Listed;
  const wanted = data.map(({ PaymentLinkCode }) => PaymentLinkCode);
  if (wanted.length === 0 || wanted.some((code, index) => seen.codes[index] !== code))
    throw new PlainFault(`the rows of “${typed}” are not those that the service answered`);
  return seen.ms;
}

/** Types a word into the search of the payments, key by key, each after the rows of the one before. */
export async function timeKeys(browser: Browser, visit: Visit): Promise<Record<string, number>> {
  const customer = await openCold(browser, visit);
  const { page } = customer;
  try {
    await page.goto(`${visit.baseUrl}/dashboard/payments`);
    if ((await page.evaluate(firstList(visit.limitMs))) === null)
      throw new PlainFault(`the payments were not there after ${visit.limitMs} ms`);
    await page.locator('#payment-search').focus();
    const took: Record<string, number> = {};
    for (let length = 1; length <= word.length; length++) {
      const typed = word.slice(0, length);
      took[typed] = await timeKey(customer, typed, visit.limitMs);
    }
    requireNoTrouble(customer);
    return took;
  } finally {
    await customer.leave();
  }
}

/** Makes the company busy, and waits until the service has worked off what that leaves for later. */
async function fillStand(stand: BenchEnvironment): Promise<void> {
  const { bench, companyId } = stand;
  const owner = {
    query: async (text: string, values: readonly unknown[] = []) =>
      (await bench.admin.query(text, [...values])).rows,
  };
  say(`Giving the company ${payments.toLocaleString('en')} payments of the last 30 days…`);
  await stand.restart(async () => {
    // What fills the tables already has orders of other names.
    const busy = { count: payments, now: new Date(), orderPrefix: 'order-' };
    await seedCompany({ asOwner: owner }, companyId, busy);
  });
  while (await hasUnsealed(bench)) await sleep(sealedEveryMs);
  await waitUntilIdle(stand.service.pid);
  await analyzeTables(bench);
}

async function hasUnsealed(bench: BenchDatabase): Promise<boolean> {
  const look = `select exists (select from events where xact >= (select sealed_below from seal_progress)) as "isThere"`;
  return (await queryOne<{ isThere: boolean }>(bench, look)).isThere;
}

function summarise(
  screens: readonly { ms: number; scriptBytes: number }[],
  emptyPages: readonly number[],
  keys: readonly Record<string, number>[],
): DashboardSpeed {
  const all = keys.flatMap((each) => Object.values(each));
  const texts = Object.keys(keys[0] ?? {});
  return {
    payments,
    visits,
    firstScreenMs: median(screens.map(({ ms }) => ms)),
    worstFirstScreenMs: Math.max(...screens.map(({ ms }) => ms)),
    emptyPageMs: median(emptyPages),
    keyMs: median(all),
    worstKeyMs: Math.max(...all),
    keyMsByText: Object.fromEntries(
      texts.map((text) => [text, median(keys.map((each) => each[text] ?? Number.NaN))]),
    ),
    scriptKb: Math.max(...screens.map(({ scriptBytes }) => scriptBytes)) / 1_000,
  };
}

/** Measures it on the company of the stand, which is larger when it ends. */
export async function measureDashboard(stand: BenchEnvironment, chromium: string): Promise<DashboardSpeed> {
  await ensureWebBuilt();
  await fillStand(stand);
  say('  dashboard');
  const baseUrl = stand.service.url;
  const { cookie } = await signIn({ baseUrl }, { email: ownerEmail });
  const visit = { baseUrl, cookie, limitMs: screenLimitMs };
  const browser = await openBrowser(chromium);
  try {
    // The first visit is the service's, whose code is not compiled yet; nobody's cache has anything of it afterwards.
    await timeFirstScreen(browser, visit);
    await timeKeys(browser, visit);
    const [screens, emptyPages, keys] = [[], [], []] as [
      { ms: number; scriptBytes: number }[],
      number[],
      Record<string, number>[],
    ];
    for (let count = 0; count < visits; count++) {
      emptyPages.push(await timeEmptyPage(browser, visit));
      screens.push(await timeFirstScreen(browser, visit));
      keys.push(await timeKeys(browser, visit));
    }
    return summarise(screens, emptyPages, keys);
  } finally {
    await browser.close();
  }
}

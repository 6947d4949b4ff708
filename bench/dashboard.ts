// The speed of the dashboard for a user: the first screen with a cold cache, and the rows after each key
// press in the search, in a real browser. The page's own events give the times. Must not: return a figure for
// a screen without the requested content.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { PlainFault, say } from '../scripts/toolchain.mjs';
import { ensureWebBuilt } from '../scripts/web.mjs';
import { type Customer, launchBrowser, openWindow } from '../test/harness/browser.ts';
import { signIn } from '../test/harness/dashboard.ts';
import { screenSizes } from '../test/harness/dashboard-window.ts';
import { seedCompany } from '../test/harness/seed-company.ts';
import { analyzeTables, type BenchDatabase, queryOne } from './database.ts';
import { median } from './figures.ts';
import type { BenchEnvironment } from './measure.ts';
import { watchUntilIdle } from './process-usage.ts';
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
  /** The load time of the same page without scripts. */
  emptyPageMs: number;
  /** From a key press to its rows, over all keys of all visits. */
  keyMs: number;
  worstKeyMs: number;
  /** The median of each key, by the text that it completes. */
  keyMsByText: Readonly<Record<string, number>>;
  scriptKb: number;
};

/** The address and the account of a visit: the cookie's name and value. */
export type Visit = { baseUrl: string; cookie: string; limitMs: number };

const payments = 100_000;
const visits = 7;
const word = 'anna12';
const screenLimitMs = 30_000;
const sealedEveryMs = 500;

/** A browser window without any cache of the service, with a signed-in user. */
async function openCold(browser: Browser, { baseUrl, cookie }: Visit, script = true): Promise<Customer> {
  const customer = await openWindow(browser, { origins: [baseUrl], size: screenSizes.desktop, script });
  const [name = '', value = ''] = cookie.split('=');
  await customer.context.addCookies([{ name, value, url: baseUrl, httpOnly: true, sameSite: 'Strict' }]);
  await customer.context.addInitScript(watchScript);
  return customer;
}

function requireNoTrouble({ troubles }: Customer): void {
  if (troubles.length > 0) throw new PlainFault(`the dashboard is not well: ${troubles.join('; ')}`);
}

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

/** Presses one key, and checks that the rows are those of the service's response. */
async function timeKey({ page }: Customer, typed: string, limitMs: number): Promise<number> {
  const isAsked = (url: string) => new URL(url).searchParams.get('text') === typed;
  const answering = page.waitForResponse((response) => isAsked(response.url()), { timeout: limitMs });
  // The wait for the screen reports the fault.
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

/** Types a word into the search of payments, key by key, each after the rows of the previous one. */
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

/** Fills the company with payments, and waits until the service has finished the resulting work. */
async function fillStand(stand: BenchEnvironment): Promise<void> {
  const { bench, companyId } = stand;
  const owner = {
    query: async (text: string, values: readonly unknown[] = []) =>
      (await bench.admin.query(text, [...values])).rows,
  };
  say(`Giving the company ${payments.toLocaleString('en')} payments of the last 30 days…`);
  await stand.restart(async () => {
    // The filled rows have orders with other names.
    const busy = { count: payments, now: new Date(), orderPrefix: 'order-' };
    await seedCompany({ asOwner: owner }, companyId, busy);
  });
  while (await hasUnsealed(bench)) await sleep(sealedEveryMs);
  await watchUntilIdle(stand.service.pid, Promise.resolve());
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

export async function measureDashboard(stand: BenchEnvironment, chromium: string): Promise<DashboardSpeed> {
  await ensureWebBuilt();
  await fillStand(stand);
  say('  dashboard');
  const baseUrl = stand.service.url;
  const { cookie } = await signIn({ baseUrl }, { email: ownerEmail });
  const visit = { baseUrl, cookie, limitMs: screenLimitMs };
  const browser = await launchBrowser(chromium);
  try {
    // The first visit warms up the service, whose code is not compiled yet; no browser cache remains of it.
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

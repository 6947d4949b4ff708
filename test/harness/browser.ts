// A customer with a real browser: window sizes, languages, colour schemes, the keyboard, and a list of all errors.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { testCsc } from './paylink.ts';
import { chromiumPath, lightChromiumPath } from './services.ts';
import type { Card } from './visitor.ts';

const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The two window sizes that every page supports. */
export const windows = {
  phone: { width: 320, height: 640 },
  desktop: { width: 1280, height: 800 },
} as const;

export type Customer = {
  context: BrowserContext;
  page: Page;
  /** Console errors, policy violations, failed requests and requests to other origins, of all tabs. */
  troubles: string[];
  leave(): Promise<void>;
};

let shared: Promise<Browser> | null = null;
let users = 0;

/**
 * The browser of this process. It closes soon after its last user has closed it: the next test file of the process
 * often needs it at once.
 */
export async function openBrowser(): Promise<Browser> {
  users += 1;
  shared ??= launchShared();
  return await shared;
}

async function launchShared(): Promise<Browser> {
  const browser = await launchBrowser();
  const end = browser.close.bind(browser);
  browser.close = async () => {
    users = Math.max(users - 1, 0);
    if (users === 0) await Promise.all(browser.contexts().map(async (context) => await context.close()));
    await sleep(100);
    if (users > 0 || shared === null) return;
    shared = null;
    await end();
  };
  return browser;
}

/** Starts a browser. `keepsPages` enables the bfcache, which Playwright disables. */
export async function launchBrowser(
  executablePath?: string,
  { keepsPages = false }: { keepsPages?: boolean } = {},
): Promise<Browser> {
  // Headless Chromium caches pages with "no-store" only with this option; customers' browsers do so by default.
  const feature =
    '--enable-features=CacheControlNoStoreEnterBackForwardCache:level/restore-unless-http-only-cookie-change';
  return await chromium.launch({
    executablePath: executablePath ?? (keepsPages ? chromiumPath() : lightChromiumPath()),
    args: keepsPages ? [...browserArguments, feature] : browserArguments,
    ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  });
}

export type WindowOptions = {
  /** The only origins that the window's pages may call. */
  origins: readonly string[];
  size?: { width: number; height: number };
  /** The browser's language, sent as Accept-Language. */
  language?: string;
  /** False disables scripts. */
  script?: boolean;
};

/** Opens a new window: by default desktop size, in English, with scripts. */
export async function openWindow(browser: Browser, options: WindowOptions): Promise<Customer> {
  const context = await browser.newContext({
    viewport: options.size ?? windows.desktop,
    locale: options.language ?? 'en-GB',
    javaScriptEnabled: options.script ?? true,
  });
  // Detects hangs; the limit is high because many tests run in parallel.
  context.setDefaultTimeout(60_000);
  const troubles: string[] = [];
  await context.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' refused ' + event.blockedURI);
  })`);
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => troubles.push(`script: ${error.error().message}`));
  context.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // Leaving a page early aborts its remaining requests, such as for the icon.
    if (why === 'net::ERR_ABORTED' && !request.isNavigationRequest()) return;
    troubles.push(`failed: ${request.url()} ${why}`);
  });
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && !options.origins.includes(origin))
      troubles.push(`stranger: ${request.url()}`);
  });
  return { context, page: await context.newPage(), troubles, leave: async () => await context.close() };
}

/** Presses Tab until a matching element has a visible focus. Throws after 30 presses. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const there = `document.activeElement.matches(${JSON.stringify(selector)})`;
  for (let presses = 0; !(await page.evaluate<boolean>(there)); presses++) {
    if (presses === 30) throw new Error(`the keyboard does not reach ${selector} on ${page.url()}`);
    await page.keyboard.press('Tab');
  }
  const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
  assert.equal(outline, 'solid', `the focus on ${selector} can be seen`);
}

/** Moves to a field by the keyboard, and types a text. */
export async function typeInto(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.type(text);
}

export async function typeCard(page: Page, card: Card): Promise<void> {
  const values = {
    '#cc_name': card.name ?? 'Ada Lovelace',
    '#cc_number': card.number,
    '#cc_exp': card.expiry ?? '12/34',
    '#cc_csc': card.csc ?? testCsc,
  };
  for (const [field, value] of Object.entries(values)) await typeInto(page, field, value);
}

export async function pressByKeyboard(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

export async function payByKeyboard(page: Page, card: Card): Promise<void> {
  await typeCard(page, card);
  await pressByKeyboard(page, '#pay-button');
}

/** The accessibility violations that axe finds on the current page. */
export async function auditPage(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axeSource);
  return await page.evaluate<string[]>(
    `axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations.flatMap(
      ({ id, nodes }) => nodes.map((node) => id + ': ' + node.target + ' ' + node.failureSummary)))`,
  );
}

export async function overflowOf(page: Page): Promise<number> {
  return await page.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth');
}

/** Opens an address. Returns the number of loaded files and their total size. */
export async function weighVisit(page: Page, url: string): Promise<{ requests: number; bytes: number }> {
  const finished: Request[] = [];
  page.on('requestfinished', (request) => finished.push(request));
  await page.goto(url, { waitUntil: 'networkidle' });
  const sizes = new Map<string, number>();
  for (const request of finished) {
    // Data URLs are part of the page.
    if (!request.url().startsWith('data:'))
      sizes.set(request.url(), (await request.sizes()).responseBodySize);
  }
  // Playwright does not report the browser's request for the icon, so it is fetched separately.
  const icon = await page.evaluate<string>('document.querySelector("link[rel=icon]").href');
  const answer = await fetch(icon);
  assert.equal(answer.status, 200);
  sizes.set(icon, (await answer.bytes()).byteLength);
  return { requests: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}

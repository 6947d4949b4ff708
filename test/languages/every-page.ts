// Every page and email in a language, in Chromium at 320 pixels: nothing overflows or is cut off, the language and direction
// are right, and axe finds nothing. With PICTURES_DIR set to a folder, it writes a contact sheet for each language there.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { directionOfLocale, type Locale, languages } from '../../src/base/locale.ts';
import { auditPage, openBrowser, overflowOf, windows } from '../harness/browser.ts';
import { documentsIn, localeOfDocument, pageFiles } from './documents.ts';

let browser: Browser;
let server: Server;
let origin = '';
let documents = new Map<string, string>();

before(async () => {
  browser = await openBrowser();
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const file = pageFiles.get(url.pathname);
    const html = documents.get(url.searchParams.get('name') ?? '');
    response.statusCode = file || html ? 200 : 404;
    response.setHeader('content-type', file?.contentType ?? 'text/html; charset=utf-8');
    response.end(file?.bodies.identity ?? html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Buttons, fields and labels whose text does not fit into them. */
const listCutOff = `[...document.querySelectorAll('button, .button, select, label, dt, dd, h1, p, li, td, th')]
  .filter((element) => element.offsetParent !== null && !element.classList.contains('unseen') && element.scrollWidth > element.clientWidth + 1
    && getComputedStyle(element).display !== 'inline')
  .map((element) => element.tagName + ' ' + element.textContent.trim().slice(0, 60))`;

/** Documents that differ from another one only in their texts, which axe does not read. */
const repetitions =
  /^(pay, (?!faulty|every way|card in use|unreachable$|refunding$)|email: (?!receipt|link|account password$)|.*, (elsewhere|overpayment))/;

/** A mail program shows an email inside a page of its own, which has the landmarks. */
const isOfPagesOnly = (name: string, violation: string) =>
  name.startsWith('email: ') && /^(landmark-one-main|region):/.test(violation);

async function faultsOf(page: Page, name: string, locale: Locale): Promise<string[]> {
  // A page that would load another one by itself stays.
  await page.route('**/wait', async (route) => await route.fulfill({ status: 204 }));
  await page.goto(`${origin}/?name=${encodeURIComponent(name)}`);
  const faults: string[] = [];
  const overflow = await overflowOf(page);
  if (overflow > 0) faults.push(`${name}: ${overflow} pixels too wide`);
  for (const text of await page.evaluate<string[]>(listCutOff)) faults.push(`${name}: cut off: ${text}`);
  const [lang, dir] = await page.evaluate<[string, string]>(
    '[document.documentElement.lang, getComputedStyle(document.body.querySelector("main, div")).direction]',
  );
  const expected = localeOfDocument(name, locale);
  if (lang !== expected) faults.push(`${name}: the language is ${lang}`);
  if (dir !== directionOfLocale(expected)) faults.push(`${name}: the direction is ${dir}`);
  if (!repetitions.test(name))
    for (const violation of await auditPage(page))
      if (!isOfPagesOnly(name, violation)) faults.push(`${name}: ${violation}`);
  return faults;
}

type Picture = { name: string; png: Buffer };

async function writeContactSheet(
  folder: string,
  locale: Locale,
  pictures: readonly Picture[],
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  const figures = pictures.map(
    ({ name, png }) =>
      `<figure style="margin:0;width:300px"><figcaption>${name}</figcaption>
       <img style="width:300px;border:1px solid gray" src="data:image/png;base64,${png.toString('base64')}"></figure>`,
  );
  await page.setContent(
    `<body style="font:12px sans-serif;display:flex;flex-wrap:wrap;gap:12px;align-items:start">${figures.join('')}`,
  );
  await page.screenshot({ path: path.join(folder, `${locale}.png`), fullPage: true });
  await page.close();
}

async function checkDocuments(locale: Locale): Promise<void> {
  documents = documentsIn(locale);
  assert.ok(documents.size > 80, `${documents.size} pages and emails`);
  const context = await browser.newContext({ viewport: windows.phone, locale });
  const page = await context.newPage();
  const folder = process.env.PICTURES_DIR;
  const pictures: Picture[] = [];
  const faults: string[] = [];
  for (const name of documents.keys()) {
    faults.push(...(await faultsOf(page, name, locale)));
    if (folder) pictures.push({ name, png: await page.screenshot({ fullPage: true }) });
  }
  await context.close();
  if (folder) await writeContactSheet(folder, locale, pictures);
  assert.deepEqual(faults, []);
}

/** Declares a test for each language. */
export function testEveryPage(locales: readonly Locale[]): void {
  for (const locale of locales)
    test(
      `every page and email in ${languages[locale]} (${locale}) fits 320 pixels and is accessible`,
      {
        timeout: 300_000,
      },
      async () => await checkDocuments(locale),
    );
}

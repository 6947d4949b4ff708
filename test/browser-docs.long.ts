// The reference page at /docs in a real browser: complete under its strict policy, and loaded only from this service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser, openWindow } from './harness/browser.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { guardMs } from './harness/process.ts';
import { listRoutes } from './harness/route-cases.ts';

let browser: Browser;
let paylink: Paylink;
before(async () => {
  browser = await openBrowser();
  paylink = await startPaylink('embedded');
});
after(async () => {
  await browser.close();
  await paylink.stop();
});

test('the reference shows every operation, loads nothing from other hosts, and violates no policy', async () => {
  const { page, troubles, leave } = await openWindow(browser, { origins: [paylink.baseUrl] });
  page.setDefaultTimeout(guardMs);
  const response = await page.goto(`${paylink.baseUrl}/docs`);
  const policy = response?.headers()['content-security-policy'] ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  await page.locator('.opblock').first().waitFor();
  const routes = await listRoutes(paylink.baseUrl);
  const shown = await page.locator('.opblock-summary-path').allTextContents();
  const description = await (await fetch(`${paylink.baseUrl}/openapi.json`)).json();
  const messages = Object.keys((description as { webhooks: object }).webhooks);
  assert.equal(shown.length, routes.length + messages.length);
  // Opens an operation and tries it: the page calls this service and shows the response.
  const operation = page.locator('#operations-operations-getHealth');
  for (const part of ['.opblock-summary', '.try-out__btn', '.execute']) await operation.locator(part).click();
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  assert.match(await answer.innerText(), /"status": "ok"/);
  assert.deepEqual(troubles, []);
  await leave();
});

test('the reference loads all its files, with and without a trailing slash in the URL', async () => {
  let bytes = 0;
  for (const address of ['/docs', '/docs/']) {
    const page = await (await fetch(paylink.baseUrl + address)).text();
    const sources = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source);
    assert.ok(sources.length > 4);
    for (const source of sources) {
      const response = await fetch(new URL(source, paylink.baseUrl + address));
      assert.equal(response.status, 200, source);
      bytes += (await response.arrayBuffer()).byteLength;
    }
  }
  assert.ok(bytes / 2 < 2_500_000, `${bytes / 2} bytes`);
});

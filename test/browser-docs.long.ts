// The reference page at /docs in a real browser: complete with and without scripts, calls that it sends with a key which
// it does not store, and a policy under which it loads from this service only.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  auditPage,
  type Customer,
  openBrowser,
  openWindow,
  overflowOf,
  pressByKeyboard,
  tabTo,
  type WindowOptions,
  windows,
} from './harness/browser.ts';
import { type Credentials, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { guardMs } from './harness/process.ts';
import { listRoutes } from './harness/route-cases.ts';
import { createServiceKey } from './harness/service-keys.ts';

let browser: Browser;
let paylink: Paylink;
let credentials: Credentials;
let key: string;
before(async () => {
  browser = await openBrowser();
  paylink = await startPaylink('server');
  credentials = await logIn(paylink);
  ({ key } = await createServiceKey(paylink, credentials));
});
after(async () => {
  await browser.close();
  await paylink.stop();
});

async function openReference(options: Partial<WindowOptions> = {}): Promise<Customer & { policy: string }> {
  const opened = await openWindow(browser, { origins: [paylink.baseUrl], ...options });
  opened.page.setDefaultTimeout(guardMs);
  const response = await opened.page.goto(`${paylink.baseUrl}/docs`);
  return { ...opened, policy: response?.headers()['content-security-policy'] ?? '' };
}

const operationOf = (page: Page, id: string) => page.locator(`.operation:has(> #${id})`);

/** Opens an operation, sends it as it is, and returns what the page shows. */
async function tryOperation(page: Page, id: string): Promise<string> {
  const operation = operationOf(page, id);
  if ((await operation.getAttribute('open')) === null) await operation.locator('> summary').click();
  await operation.locator('form.try button').click();
  const answer = operation.locator('.answer p').first();
  await answer.filter({ hasText: /./ }).waitFor();
  return await operation.locator('.answer').innerText();
}

/** What the page has stored anywhere. */
async function storedBy({ context, page }: Customer): Promise<unknown> {
  const own = await page.evaluate<unknown[]>(`(async () => [
    ...Object.values(localStorage), ...Object.values(sessionStorage),
    ...(await indexedDB.databases()), ...(await caches.keys()), history.state ?? '', location.href])()`);
  return [...own, ...(await context.cookies())];
}

test('the reference shows every operation, payments first, and loads nothing from other hosts', async () => {
  const { page, policy, troubles, leave } = await openReference();
  assert.match(policy, /default-src 'none'.*connect-src 'self'.*require-trusted-types-for 'script'/);
  assert.doesNotMatch(policy, /unsafe|https?:|data:|\*/);
  const routes = await listRoutes(paylink.baseUrl);
  const description = await (await fetch(`${paylink.baseUrl}/openapi.json`)).json();
  const messages = Object.keys((description as { webhooks: object }).webhooks);
  const shown = await page.locator('.operation > summary code').allTextContents();
  assert.equal(shown.length, routes.length + messages.length);
  assert.equal(shown[0], '/v1/payment/process');
  assert.equal(await page.locator('h2').first().textContent(), 'Payments');
  assert.deepEqual(troubles, []);
  await leave();
});

test('a service key in the one field sends calls, and the next call proposes the created payment', async () => {
  const opened = await openReference();
  const { page, troubles, leave } = opened;
  await page.locator('#key').fill(key);
  const created = await tryOperation(page, 'processPayment');
  assert.match(created, /^200 OK in \d+ ms/);
  const [, code = ''] = /"PaymentLinkCode": "([^"]+)"/.exec(created) ?? [];
  assert.ok(code.length > 20);
  assert.match(await tryOperation(page, 'getPayment'), new RegExp(`200 OK[^]*"PaymentLinkCode": "${code}"`));
  assert.match(await tryOperation(page, 'listPayments'), new RegExp(`200 OK[^]*${code}`));
  const other = operationOf(page, 'cancelPayment');
  await other.locator('> summary').click();
  const field = other.getByLabel('code (path)');
  assert.equal(await field.inputValue(), code);
  await field.fill('');
  await other.locator('form.try button').click();
  assert.match(await other.locator('.answer').innerText(), /Enter a value for code/);
  assert.deepEqual(await storedBy(opened), ['', `${paylink.baseUrl}/docs`]);
  await page.reload();
  assert.equal(await page.locator('#key').inputValue(), '');
  assert.deepEqual(troubles, []);
  await leave();
});

test('the three headers of the login work in place of a service key', async () => {
  const { page, leave } = await openReference();
  await page.locator('#credentials summary').click();
  await page.locator('#key').fill(credentials.token);
  await page.locator('#api-key').fill(credentials.apiKey);
  await page.locator('#company-id').fill(credentials.companyId);
  assert.match(await tryOperation(page, 'listPayments'), /^200 OK/);
  await leave();
});

test('a call sends no cookie, and without a key none is sent', async () => {
  const { context, page, leave } = await openReference();
  await context.addCookies([{ name: 'paylink', value: 'session', url: paylink.baseUrl }]);
  const cookies: (string | undefined)[] = [];
  page.on('request', async (request) => {
    if (request.url().includes('/v1/')) cookies.push((await request.allHeaders()).cookie);
  });
  assert.match(await tryOperation(page, 'listPayments'), /Enter a key/);
  assert.deepEqual(cookies, []);
  await page.locator('#key').fill(key);
  await operationOf(page, 'listPayments').locator('form.try button').click();
  await operationOf(page, 'listPayments').locator('.answer strong').waitFor();
  assert.deepEqual(cookies, [undefined]);
  await leave();
});

test('a live key is sent only after a tick', async () => {
  const { page, leave } = await openReference();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.locator('#key').fill(`Bearer pls_live_${'x'.repeat(40)}`);
  assert.match(await page.locator('[role=alert]').innerText(), /live key/);
  assert.match(await tryOperation(page, 'listPayments'), /The key is a live one/);
  assert.deepEqual(sent, []);
  await page.locator('#live-consent').check();
  const operation = operationOf(page, 'listPayments');
  await operation.locator('form.try button').click();
  await operation.locator('.answer strong').waitFor();
  assert.equal(sent.length, 1);
  await page.locator('#key').fill(key);
  assert.equal(await page.locator('#live-consent').count(), 0);
  await leave();
});

test('without JavaScript the reference, the examples and the choice of their language are there', async () => {
  const { page, troubles, leave } = await openReference({ script: false });
  assert.equal(await page.locator('#credentials').isVisible(), false);
  assert.equal(await page.locator('noscript p').isVisible(), true);
  const examples = operationOf(page, 'processPayment').locator('.example:visible');
  assert.match(await examples.innerText(), /^curl\ncurl --fail-with-body/);
  await page.locator('#language-python').check();
  assert.match(await examples.innerText(), /^Python\nimport json/);
  await operationOf(page, 'refundPayment').locator('> summary').click();
  assert.match(await operationOf(page, 'refundPayment').innerText(), /"amount"/);
  assert.deepEqual(troubles, []);
  await leave();
});

test('the keyboard reaches the key, the languages, an operation and its button', async () => {
  const { page, leave } = await openReference();
  await tabTo(page, '#key');
  await page.keyboard.type(key);
  await tabTo(page, '#language-curl');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#language-node').isChecked(), true);
  await pressByKeyboard(page, '.operation:has(#processPayment) form.try button');
  await operationOf(page, 'processPayment').locator('.answer strong').waitFor();
  await leave();
});

/** Leaves a part of the page that has one of everything: axe takes minutes for all of it. */
const shorten = `for (const [selector, keep] of [['.operation', 4], ['.schema', 3]])
  for (const part of [...document.querySelectorAll(selector)].slice(keep)) part.remove();
for (const part of document.querySelectorAll('details')) part.open = true;`;

for (const [name, size] of Object.entries(windows))
  for (const colorScheme of ['light', 'dark'] as const)
    test(`the reference has no accessibility violation and does not scroll sideways: ${name}, ${colorScheme}`, async () => {
      const { page, leave } = await openReference({ size });
      await page.emulateMedia({ colorScheme });
      assert.equal(await overflowOf(page), 0);
      await page.locator('#key').fill('pls_live_key');
      await page.evaluate(shorten);
      await tryOperation(page, 'processPayment');
      assert.equal(await overflowOf(page), 0);
      assert.deepEqual(await auditPage(page), []);
      await leave();
    });

test('the reference loads all its files, with and without a trailing slash in the URL', async () => {
  let bytes = 0;
  for (const address of ['/docs', '/docs/']) {
    const page = await (await fetch(paylink.baseUrl + address)).text();
    const sources = [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, source = '']) => source,
    );
    assert.equal(sources.length, 4);
    for (const source of sources) {
      const response = await fetch(new URL(source, paylink.baseUrl + address));
      assert.equal(response.status, 200, source);
      bytes += (await response.arrayBuffer()).byteLength;
    }
  }
  assert.ok(bytes / 2 < 150_000, `${bytes / 2} bytes`);
});

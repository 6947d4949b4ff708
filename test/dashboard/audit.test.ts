// The audit log in a browser: every type of event as a text with actor and subject, filters in the URL, values as plain
// text, and roles without access.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from '../harness/client.ts';
import { assertAccessible, openDashboard, settle } from '../harness/dashboard-window.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { addMember, type Person } from '../harness/people.ts';
import { payWith } from '../harness/visitor.ts';
import { loopbackSettings, postEndpoint } from '../harness/webhook-endpoints.ts';

/** Markup, right-to-left text, a formula, and no place to break a line. */
const hostile = `<script>alert(1)</script> גרייס "=1+1 🎈${'W'.repeat(60)}`.slice(0, 100);

describe('the audit log', () => {
  let paylink: Paylink;
  let browser: Browser;
  let owner: Credentials;
  let admin: Person;
  let code: string;

  const must = async (who: Credentials, [method, path]: [string, string], body?: Json): Promise<Json> => {
    const answer = await call(paylink, who, [method, path], body);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  before(async () => {
    [paylink, browser] = await Promise.all([
      startPaylink('server', { settings: loopbackSettings }),
      openBrowser(),
    ]);
    owner = await logIn(paylink);
    admin = await addMember(paylink, owner, ['admin'], 'grace@example.com');
    const link = await createLinkAs(paylink, admin.credentials);
    code = link.code;
    await payWith(link.link, { number: '4242424242424242' });
    await must(owner, ['POST', `/v1/payments/${code}/refunds`], { amount: 1 });
    const key = await must(owner, ['POST', '/v1/api-keys'], { name: hostile });
    await must(owner, ['DELETE', `/v1/api-keys/${key.keyId}`]);
    const hook = (await postEndpoint(paylink, owner, { url: 'http://127.0.0.1:1029/' })).body;
    await must(owner, ['POST', `/v1/webhook-endpoints/${hook.id}/roll-secret`], {});
    await must(owner, ['PATCH', '/v1/company'], { name: hostile, retryPolicy: 'all' });
    for (let count = 0; count < 25; count++) await createLinkAs(paylink, owner);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  test('each entry shows event, actor and subject in words, and all its data on demand as text', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    await window.open('/audit');
    assert.equal(await page.locator('tbody tr').count(), 25);
    await page.getByRole('button', { name: 'Show more' }).click();
    const made = page.locator('tr', { hasText: 'payment.created' }).last();
    await made.getByText('grace@example.com').waitFor();
    await made.getByRole('link', { name: `Payment …${code.slice(-8)}` }).waitFor();
    const rolled = page.locator('tr', { hasText: 'webhook_endpoint.secret_rolled' });
    await rolled.getByText('Webhook secret replaced').waitFor();
    const named = page.locator('tr', { hasText: 'API key created' });
    await named.getByText('Details').click();
    await named.locator('dd bdi', { hasText: hostile }).waitFor();
    await assertAccessible(window, 'the audit log');
    // Every type has its own text.
    const words = await page.locator('tbody td:nth-child(2) .stacked > span').allInnerTexts();
    assert.ok(words.length > 25 && words.every((said) => !/^[a-z_]+\.[a-z_]+$/.test(said)), words.join());
    await window.leave();
  });

  test('filters are in the URL, can be combined, and are cleared by one button', async () => {
    const window = await openDashboard(paylink, browser, { merchant: paylink.merchant });
    const { page } = window;
    const types = async () => await page.locator('tbody summary .mono').allInnerTexts();
    await window.open('/audit');
    await page.getByLabel('Event').selectOption({ label: 'API keys' });
    await page.waitForURL(/type=key\.\*/);
    await page.locator('tbody tr:nth-child(3)').waitFor({ state: 'detached' });
    assert.deepEqual(await types(), ['key.revoked', 'key.created']);
    await page.reload();
    await settle(window);
    assert.deepEqual(await types(), ['key.revoked', 'key.created']);
    await page.getByLabel('Actor').selectOption({ label: 'grace@example.com' });
    await page.getByText('No matching events').waitFor();
    await assertAccessible(window, 'nothing passes');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.waitForURL(/\/audit$/);
    await page.locator('tbody tr:nth-child(25)').waitFor();
    await window.open(`/audit?payment=${code}`);
    const about = await types();
    assert.ok(about.includes('refund.created') && about.includes('payment.paid'));
    assert.ok(about.every((type) => /^(payment|attempt|refund)\./.test(type)));
    await window.open('/audit');
    await page.getByLabel('Without payments').check();
    await page.waitForURL(/about=company/);
    await page.locator('tbody').getByText('payment.created').first().waitFor({ state: 'detached' });
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('on a phone, in German and dark, the log with open details fits the window', async () => {
    const window = await openDashboard(paylink, browser, {
      ...{ merchant: admin, size: 'phone', language: 'de', look: 'dark' },
    });
    const { page } = window;
    await window.open('/audit?about=company');
    const named = page.locator('tr', { hasText: 'API-Schlüssel angelegt' });
    await named.getByText('Einzelheiten').click();
    await assertAccessible(window, 'the audit log on a phone');
    await window.leave();
  });

  test('roles without the right are neither offered nor shown the audit log', async () => {
    const support = await addMember(paylink, owner, ['support']);
    const window = await openDashboard(paylink, browser, { merchant: support });
    await window.page.goto(`${paylink.baseUrl}/dashboard/audit`);
    await window.page.getByText('Your role does not include this page').waitFor();
    assert.equal(await window.page.getByRole('link', { name: 'Audit log' }).count(), 0);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });
});

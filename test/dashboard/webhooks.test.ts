// Webhooks in the dashboard: endpoints, their secrets, tests and deliveries, with a real receiver.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { knownTypes } from '../../src/webhooks/event-types.ts';
import { eventGroups } from '../../web/src/screens/webhooks/event-groups.ts';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, createLinkAs, logIn } from '../harness/client.ts';
import {
  assertAccessible,
  type DashboardOptions,
  openDashboard,
  settle,
  withoutRefusals,
} from '../harness/dashboard-window.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { createTestEndpoint, loopbackSettings, verify } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';

const hostile = '<img src=x onerror=alert(1)> \u202eevil\u2067 🏳️‍🌈 =1+1';

const waitForText = async (page: Page, text: string | RegExp) => await page.getByText(text).first().waitFor();

describe('webhooks in the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  let receiver: Receiver;
  before(async () => {
    [paylink, browser, receiver] = await Promise.all([
      startPaylink('server', { settings: loopbackSettings }),
      openBrowser(),
      startReceiver(),
    ]);
  });
  after(async () => {
    await Promise.all([browser.close(), receiver.close()]);
    await paylink.stop();
  });

  const enter = async (merchant: Merchant, options: DashboardOptions = {}) =>
    await openDashboard(paylink, browser, { merchant, ...options });
  const owner = async (name?: string): Promise<[Merchant, Credentials]> => {
    const merchant = await paylink.createMerchant(name === undefined ? {} : { name });
    return [merchant, await logIn(paylink, merchant)];
  };

  test('all events that an endpoint may choose are offered', () => {
    assert.deepEqual(Object.values(eventGroups).flat().toSorted(), knownTypes.toSorted());
  });

  test('a new endpoint shows its secret once, and a signed test reaches the receiver', async () => {
    const [merchant] = await owner();
    const window = await enter(merchant);
    const { page } = window;
    await window.open('/webhooks');
    await waitForText(page, 'No endpoints yet');
    await assertAccessible(window, 'no endpoints');
    await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('ftp://shop.example');
    await dialog.getByLabel('Only these events').check();
    const ticked = dialog.locator('input[type=checkbox]:checked');
    while ((await ticked.count()) > 0) await ticked.first().click();
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    const faults = dialog.locator('.field-error');
    await faults.first().waitFor();
    assert.equal(await dialog.getByLabel('URL').inputValue(), 'ftp://shop.example');
    await assertAccessible(withoutRefusals(window), 'a refused endpoint');
    await dialog.getByLabel('All events').check();
    await dialog.getByLabel('URL').fill(receiver.at('first'));
    await dialog.getByLabel('Description').fill(hostile);
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
    await page.keyboard.press('Escape');
    await assertAccessible(withoutRefusals(window), 'the secret of an endpoint');
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: receiver.at('first') }).click();
    await settle(window);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await waitForText(page, 'The endpoint accepted the test.');
    const [message] = await receiver.waitFor('first', 1);
    assert.ok(message);
    assert.equal(verify({ secret }, message).type, 'webhook_endpoint.test');
    await assertAccessible(withoutRefusals(window), 'an endpoint with a test');
    const known = await page.evaluate<string>(
      'document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage])',
    );
    assert.ok(!known.includes(secret));
    await page.getByRole('link', { name: 'View the delivery' }).click();
    await waitForText(page, 'HTTP 204');
    await waitForText(page, '"type": "webhook_endpoint.test"');
    await assertAccessible(withoutRefusals(window), 'a delivery');
    await window.leave();
  });

  test('an endpoint is edited, switched off and on again, gets a new secret, and is deleted after a confirmation', async () => {
    const [merchant, credentials] = await owner();
    const hook = await createTestEndpoint(paylink, credentials, { url: receiver.at('changed') });
    const window = await enter(merchant);
    const { page } = window;
    await window.open(`/webhooks/${hook.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Only these events').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await waitForText(page, '3 events');
    await page.getByRole('button', { name: 'Switch off' }).click();
    await waitForText(page, /^Switched off by a person/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Switch off' }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await assertAccessible(window, 'rolling a secret');
    await page.getByRole('button', { name: 'Create a new secret' }).click();
    const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await waitForText(page, 'Previous secret valid until');
    await page.getByRole('button', { name: 'Send a test' }).click();
    const [message] = await receiver.waitFor('changed', 1);
    assert.ok(message);
    for (const good of [hook.secret, secret]) verify({ secret: good }, message);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the endpoint' }).click();
    await waitForText(page, 'No endpoints yet');
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('a failed delivery turns delivered without a reload, and can be sent again, alone and with others', async () => {
    const [merchant, credentials] = await owner();
    const answer = { status: 500, body: `${hostile}${'x'.repeat(4_000)}` };
    const hook = await createTestEndpoint(paylink, credentials, { url: receiver.at('flaky', answer) });
    await createLinkAs(paylink, credentials, { description: hostile });
    await receiver.waitFor('flaky', 1);
    // The retry waits for the test, and is so soon that the page polls often.
    const retryIn = async (seconds: number) =>
      await paylink.app.deps.db.asOwner.query(
        `update webhook_deliveries set due_at = now() + $2 * interval '1 second'
         where company_id = $1 and state = 'pending' and leased_until is null returning delivery_id`,
        [merchant.companyId, seconds],
      );
    await until(async () => (await retryIn(25)).length === 1, 'the failure to be recorded');
    const window = await enter(merchant);
    const { page } = window;
    await window.open(`/webhooks/${hook.id}?state=pending`);
    await page.getByRole('cell', { name: 'HTTP 500' }).waitFor();
    await waitForText(page, 'All deliveries have failed since');
    await page.getByRole('tab', { name: 'All' }).click();
    await page.waitForURL((url) => url.search === '');
    receiver.at('flaky', { status: 204 });
    await retryIn(0);
    await page.getByRole('cell', { name: 'HTTP 204' }).waitFor();
    await page.getByRole('tab', { name: 'All' }).press('ArrowRight');
    await waitForText(page, 'No deliveries');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('link', { name: 'Link created' }).click();
    await waitForText(page, 'Attempts');
    await page.locator('pre', { hasText: '<img src=x' }).first().waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    // Characters that change the direction of text are shown as escapes in our own output.
    await page.locator('pre', { hasText: String.raw`\u202eevil\u2067` }).waitFor();
    await assertAccessible(window, 'a delivery with two attempts');
    await page.getByRole('button', { name: 'Send again' }).click();
    await receiver.waitFor('flaky', 3);
    await page.locator('.delivery-attempts > li').nth(2).waitFor();
    await page.getByRole('link', { name: 'Back to the endpoint' }).click();
    await page.getByRole('button', { name: 'Send again since …' }).click();
    await page.getByLabel('Since').selectOption({ label: 'Custom time' });
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await waitForText(page, 'Choose a day and a time.');
    await page.getByLabel('Time', { exact: true }).fill('2026-01-01T00:00');
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await waitForText(page, '1 delivery is sent again.');
    await receiver.waitFor('flaky', 4);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('on a phone, in German and dark, endpoints and deliveries with hostile values are accessible', async () => {
    const [merchant, credentials] = await owner(hostile);
    const url = `${receiver.at('long', { status: 410 })}?${'p'.repeat(1_900)}`;
    const description = `${hostile} ${'long '.repeat(80)}`;
    const hook = await createTestEndpoint(paylink, credentials, { url, description });
    await createTestEndpoint(paylink, credentials, {
      url,
      description: 'w'.repeat(500),
      events: ['payment.paid'],
    });
    await createLinkAs(paylink, credentials, { description: hostile });
    const window = await enter(merchant, { size: 'phone', language: 'de', look: 'dark' });
    const { page } = window;
    await window.open('/webhooks');
    await assertAccessible(window, 'Endpunkte');
    await page.getByRole('button', { name: 'Endpunkt hinzufügen' }).click();
    await page.getByLabel('Nur diese Ereignisse').check();
    await assertAccessible(window, 'Endpunkt hinzufügen');
    await page.getByRole('button', { name: 'Abbrechen' }).click();
    await window.open(`/webhooks/${hook.id}`);
    await assertAccessible(window, 'Endpunkt');
    await page.getByRole('link', { name: 'Link angelegt' }).click();
    await waitForText(page, 'Versuche');
    await assertAccessible(window, 'Zustellung');
    await window.leave();
  });

  test('roles without the right are neither offered nor shown webhooks', async () => {
    const support = await paylink.createMerchant({ roles: ['support'] });
    const window = await enter(support);
    await window.page.goto(`${paylink.baseUrl}/dashboard/webhooks`);
    await waitForText(window.page, 'Your role does not include this page');
    assert.equal(await window.page.getByRole('link', { name: 'Webhooks' }).count(), 0);
    assert.equal(await window.page.getByRole('button', { name: 'Add an endpoint' }).count(), 0);
    await window.leave();
  });
});

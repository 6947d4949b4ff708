// Connections with processors in the dashboard, with a stub processor: connecting, errors at their fields, the order,
// switching off, deleting; that no secret is ever shown; and the actions that each role is offered.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { createProcessors } from '../../src/processors/registry.ts';
import english from '../../web/src/texts/en.json' with { type: 'json' };
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, logIn } from '../harness/client.ts';
import { type ConnectionFixture, startConnectionFixture } from '../harness/connection-fixture.ts';
import { assertAccessible, openDashboard, withoutRefusals } from '../harness/dashboard-window.ts';
import type { Merchant } from '../harness/paylink.ts';
import { join } from '../harness/people.ts';
import { until } from '../harness/process.ts';
import { badKey, goodCredentials } from '../harness/stub-processor.ts';

const hostileAccount = '<b>A-1</b> 💐 שלום';

describe('the connections with processors', () => {
  let connected: ConnectionFixture;
  let browser: Browser;
  let merchant: Merchant;
  let owner: Credentials;
  before(async () => {
    [connected, browser] = await Promise.all([startConnectionFixture('server'), openBrowser()]);
    merchant = await connected.paylink.createMerchant();
    owner = await logIn(connected.paylink, merchant);
  });
  after(async () => {
    await browser.close();
    await connected.paylink.stop();
  });

  const names = async () => (await connected.listed(owner)).map(({ name }) => name);

  test('without connections the sandbox is named; a new one shows errors at their fields, and never its secret', async () => {
    const window = await openDashboard(connected.paylink, browser, { merchant });
    const { page } = window;
    await window.open('/processors');
    await page.getByText('Test mode always includes the sandbox').waitFor();
    await page.getByText('No connections yet').waitFor();
    await assertAccessible(window, 'no connections');
    await page.getByRole('button', { name: 'Connect a provider' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect a provider' });
    await dialog.getByLabel('Provider').selectOption('The Desk');
    await dialog.getByLabel('Account').fill(hostileAccount);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByText('Secret key is required.').waitFor();
    const secret = dialog.getByLabel('Secret key');
    assert.equal(await secret.getAttribute('type'), 'password');
    await secret.fill(badKey);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByText('does not know this key in test mode').waitFor();
    assert.equal(await secret.getAttribute('aria-invalid'), 'true');
    assert.equal(await dialog.getByLabel('Account').inputValue(), hostileAccount);
    await assertAccessible(withoutRefusals(window), 'a connection that was refused');
    await secret.fill(goodCredentials.secretKey);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.waitFor({ state: 'detached' });
    const card = page.getByRole('region', { name: '1. The Desk' });
    await card.getByText(hostileAccount, { exact: true }).waitFor();
    await card.getByText('Set (hidden)').waitFor();
    const address = await card.getByLabel('Webhook address').inputValue();
    assert.match(address, /\/processors\/desk\/webhook\/con_/);
    const shown = await page.content();
    const kept = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    for (const text of [shown, kept]) assert.ok(!text.includes(goodCredentials.secretKey));
    await window.leave();
  });

  test('a connection is checked, switched off and on, and edited without its secret', async () => {
    const window = await openDashboard(connected.paylink, browser, { merchant });
    const { page } = window;
    await window.open('/processors');
    const card = page.getByRole('region', { name: '1. The Desk' });
    await card.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The credentials are valid').waitFor();
    await card.getByRole('button', { name: 'Switch off' }).click();
    await card.getByText('Off', { exact: true }).waitFor();
    assert.equal((await connected.listed(owner))[0]?.enabled, false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await card.getByText('On', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Secret key').inputValue(), '');
    await dialog.getByLabel('Name').fill('Berlin');
    await dialog.getByLabel('Branch').fill('7');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('region', { name: '1. The Desk Berlin' }).waitFor();
    const [{ id } = {}] = await connected.listed(owner);
    assert.deepEqual(await connected.kept(owner, id), {
      ...goodCredentials,
      ...{ account: hostileAccount, branch: '7' },
    });
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('the order is changed by keyboard, the moved connection keeps the focus, and deleting asks for confirmation', async () => {
    await connected.connect(owner, { name: 'Second' });
    await connected.connect(owner, { processor: 'sandbox', credentials: {}, name: 'Play' });
    const window = await openDashboard(connected.paylink, browser, { merchant });
    const { page } = window;
    await window.open('/processors');
    assert.equal(await page.getByText('Test mode always includes the sandbox').count(), 0);
    await page.getByRole('button', { name: 'Move Sandbox up' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: '2. Sandbox' }).waitFor();
    await page.locator('[aria-label="Move Sandbox up"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: '1. Sandbox' }).waitFor();
    await page.locator('[aria-label="Move Sandbox down"]:focus').waitFor();
    assert.deepEqual(await names(), ['Play', 'Berlin', 'Second']);
    await assertAccessible(window, 'three connections');
    const card = page.getByRole('region', { name: '3. The Desk Second' });
    await card.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('can then only be refunded at the provider').waitFor();
    await page.keyboard.press('Escape');
    assert.equal((await names()).length, 3);
    await card.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the connection' }).click();
    await card.waitFor({ state: 'detached' });
    await until(async () => (await names()).length === 2, 'the connection to be gone');
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('on a phone, in German and dark, the screen and its form are accessible', async () => {
    const options = { merchant, size: 'phone', language: 'de', look: 'dark' } as const;
    const window = await openDashboard(connected.paylink, browser, options);
    await window.open('/processors');
    await assertAccessible(window, 'Zahlungsanbieter');
    await window.page.getByRole('button', { name: 'Zahlungsanbieter verbinden' }).click();
    await window.page.getByRole('dialog').waitFor();
    await assertAccessible(window, 'Zahlungsanbieter verbinden');
    await window.leave();
  });

  test('a developer sees connections without actions; support and viewers are not offered the page', async () => {
    for (const role of ['developer', 'support', 'viewer'] as const) {
      const person = await join(connected.paylink, owner, [role]);
      const window = await openDashboard(connected.paylink, browser, { merchant: person });
      const { page } = window;
      await window.open('/');
      const entry = page.getByRole('link', { name: 'Payment providers' });
      assert.equal(await entry.count(), role === 'developer' ? 1 : 0, role);
      if (role === 'developer') {
        await window.open('/processors');
        await page.getByRole('region', { name: '2. The Desk Berlin' }).waitFor();
        const buttons = await page.locator('#content').getByRole('button').allInnerTexts();
        assert.deepEqual(buttons, ['Copy']);
        await assertAccessible(window, 'connections to look at');
      }
      await window.leave();
    }
  });

  test('the texts of the dashboard name every field of every processor as the API does, with the events that its webhook needs', () => {
    const { kinds } = createProcessors({
      ...connected.paylink.app.deps,
      reportOutcome: async () => undefined,
      apiUrls: {},
    });
    const words: Readonly<Record<string, Record<string, { label: string; help: string }>>> =
      english.processorFields;
    for (const { name, fields } of kinds)
      for (const { name: field, label, help } of fields) {
        const [, events = ''] = /needs these events: (.+)\.$/.exec(help) ?? [];
        const known = words[name]?.[field];
        const shown = { label: known?.label, help: known?.help.replace('{events}', events) };
        assert.deepEqual(shown, { label, help }, `${name}.${field}`);
      }
  });
});

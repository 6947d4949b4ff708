// A merchant creates a payment link: the form shows errors at their fields and loses no input, the link can be paid in
// another window, and the page shows that without a reload.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { cards } from '../harness/checkout-fixture.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from '../harness/client.ts';
import { assertAccessible, openDashboard, pressTwice } from '../harness/dashboard-window.ts';
import { type Merchant, type Paylink, password, startPaylink } from '../harness/paylink.ts';
import { join } from '../harness/people.ts';
import { payWith } from '../harness/visitor.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('a new payment link', () => {
  let paylink: Paylink;
  let browser: Browser;
  let merchant: Merchant;
  let owner: Credentials;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
    merchant = await paylink.createMerchant();
    owner = await logIn(paylink, merchant);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  const openForm = async (options: Parameters<typeof openDashboard>[2] = {}) => {
    const window = await openDashboard(paylink, browser, { merchant, ...options });
    await window.open('/payments/new');
    return window;
  };
  const paymentOf = async (page: Page): Promise<Json> => {
    const code = new URL(page.url()).searchParams.get('made');
    return (await call(paylink, owner, ['GET', `/v1/payments/${code}`])).body;
  };

  test('the form works by keyboard alone, and the link turns paid on the page', async () => {
    const window = await openForm();
    const { page } = window;
    await assertAccessible(window, 'the form');
    const order = await page.getByLabel('Order number').inputValue();
    assert.match(order, /^\d{8}-[A-Z2-9]{6}$/);
    await page.getByLabel('Amount').focus();
    await page.keyboard.type('1,234.50');
    await page.getByLabel('Email address').focus();
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The link is ready' }).waitFor();
    const link = await page.getByRole('textbox', { name: 'Payment link' }).inputValue();
    const made = await paymentOf(page);
    assert.equal(made.customerOrderId, order);
    assert.equal(made.amount, 1234.5);
    assert.equal(made.success_url, `${paylink.baseUrl}/sandbox/shop/success`);
    assert.equal(await page.getByText('A link with the same details already exists').count(), 0);
    await page.locator('img[alt="QR code of the payment link"]').waitFor();
    await assertAccessible(window, 'the link');
    await payWith(link, cards.success);
    await page.getByText('€1,234.50 was paid.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'The link was paid' }).waitFor();
    await page.reload();
    await page.getByText('€1,234.50 was paid.').waitFor();
    await button(page, 'Create another link').click();
    await page.getByLabel('Order number').waitFor();
    assert.notEqual(await page.getByLabel('Order number').inputValue(), order);
    assert.equal(await page.getByLabel('Email address').inputValue(), '');
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('a double press creates one link, which is not shown as an existing one', async () => {
    const window = await openForm();
    const { page } = window;
    await page.getByLabel('Amount').fill('5');
    await page.getByLabel('Email address').fill('ada@example.com');
    const order = await page.getByLabel('Order number').inputValue();
    const sent = await pressTwice(button(page, 'Create the link'));
    await page.getByRole('heading', { level: 1, name: 'The link is ready' }).waitFor();
    assert.equal(await page.getByText('A link with the same details already exists').count(), 0);
    assert.deepEqual(sent, ['POST /v1/payment/process']);
    const { body } = await call(paylink, owner, ['GET', `/v1/payments?customerOrderId=${order}`]);
    assert.equal((body.data as Json[]).length, 1);
    await window.leave();
  });

  test('errors are shown at their fields, in German on a phone, and no input is lost', async () => {
    const window = await openForm({ size: 'phone', language: 'de', look: 'dark' });
    const { page } = window;
    await assertAccessible(window, 'the form on a phone');
    await page.getByLabel('Betrag').fill('12,345');
    await page.getByLabel('URL nach Erfolg').fill('shop.example');
    await page.getByText('Metadaten').click();
    await button(page, 'Paar hinzufügen').click();
    await page.getByLabel('Wert 1').fill('7');
    await button(page, 'Link anlegen').click();
    await page.getByText('Geben Sie einen Betrag wie 19,99 ein.').waitFor();
    assert.equal(
      await page.getByText('Diese Angabe fehlt.').count(),
      2,
      'the email address and the name of the pair',
    );
    assert.equal(
      await page.evaluate('document.activeElement === document.querySelector("[aria-invalid=true]")'),
      true,
    );
    await assertAccessible(window, 'a form with errors');
    await page.getByLabel('Betrag').fill('12,34');
    await page.getByLabel('E-Mail-Adresse').fill('ada');
    await page.getByLabel('Name 1').fill('cart');
    await button(page, 'Link anlegen').click();
    const refused = page.getByText('Das Format ist ungültig.');
    await refused.first().waitFor();
    assert.equal(await refused.count(), 2, 'the address of the customer and that of the shop');
    assert.equal(await page.getByLabel('E-Mail-Adresse').getAttribute('aria-invalid'), 'true');
    await assertAccessible({ ...window, troubles: [] }, 'a form that was refused');
    await page.getByLabel('E-Mail-Adresse').fill('ada@example.com');
    assert.equal(await refused.count(), 1, 'a corrected field shows no error');
    await button(page, 'Link anlegen').click();
    await refused.waitFor();
    const address = page.getByLabel('URL nach Erfolg');
    assert.equal(await address.getAttribute('aria-invalid'), 'true');
    await page.reload();
    assert.equal(await page.getByLabel('Betrag').inputValue(), '12,34');
    await address.fill('https://shop.example/danke');
    await button(page, 'Link anlegen').click();
    await page.getByRole('heading', { level: 1, name: 'Der Link ist fertig' }).waitFor();
    await assertAccessible({ ...window, troubles: [] }, 'the link on a phone');
    const made = await paymentOf(page);
    assert.deepEqual(made.metadata, { cart: '7' });
    await button(page, 'Weiteren Link anlegen').click();
    assert.equal(await address.inputValue(), 'https://shop.example/danke', 'the URL is remembered');
    await window.leave();
  });

  test('an order with a link shows the differences, leads to the link, and offers another number; the same request returns that link', async () => {
    const customerOrderId = 'order "7" & more';
    const addresses = { success_url: 'https://shop.example/a', failure_url: 'https://shop.example/b' };
    const bare = { firstName: undefined, lastName: undefined, phone: undefined };
    await createLinkAs(paylink, owner, { customerOrderId, amount: 10, ...bare, ...addresses });
    const window = await openForm();
    const { page } = window;
    await page.getByLabel('Amount').fill('11');
    await page.getByLabel('Order number').fill(customerOrderId);
    await page.getByLabel('Email address').fill('ada@example.com');
    await page.getByLabel('Success URL').fill(addresses.success_url);
    await page.getByLabel('Failure URL').fill(addresses.failure_url);
    await button(page, 'Create the link').click();
    await page.getByText('A link with other details already exists for this order.').waitFor();
    assert.equal(await page.getByText('Differs from the existing link.').count(), 1);
    assert.equal(await page.getByLabel('Amount').getAttribute('aria-invalid'), 'true');
    await page.getByRole('link', { name: 'View the existing link' }).click();
    await page.getByRole('link', { name: customerOrderId }).waitFor();
    await page.goBack();
    await page.getByLabel('Amount').fill('10');
    await button(page, 'Create the link').click();
    await page.getByText('A link with the same details already exists').waitFor();
    assert.equal((await paymentOf(page)).customerOrderId, customerOrderId);
    await button(page, 'Create another link').click();
    await page.getByLabel('Order number').fill(customerOrderId);
    await page.getByLabel('Amount').fill('12');
    await page.getByLabel('Email address').fill('ada@example.com');
    await button(page, 'Create the link').click();
    await button(page, 'Use another order number').click();
    assert.notEqual(await page.getByLabel('Order number').inputValue(), customerOrderId);
    await button(page, 'Create the link').click();
    await page.getByRole('heading', { level: 1, name: 'The link is ready' }).waitFor();
    await window.leave();
  });

  test('a session that ends while the form is filled loses nothing: after the sign-in the link is created', async () => {
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    // The feed would notice the end of the session before the form is sent.
    await page.route('**/v1/events?*', async (route) => await route.abort());
    await window.open('/payments/new');
    await page.getByLabel('Amount').fill('19.99');
    await page.getByLabel('Email address').fill('ada@example.com');
    const ended = 'delete from browser_sessions where company_id = $1';
    await paylink.app.deps.db.asOwner.query(ended, [merchant.companyId]);
    await button(page, 'Create the link').click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Email address').fill(merchant.email);
    await again.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The link is ready' }).waitFor();
    assert.equal((await paymentOf(page)).amount, 19.99);
    await window.leave();
  });

  test('the default return URL is the company’s own origin, and a viewer is offered no form', async () => {
    const other = await paylink.createMerchant();
    const credentials = await logIn(paylink, other);
    await call(paylink, credentials, ['PATCH', '/v1/company'], { allowedOrigins: ['https://own.example'] });
    const window = await openForm({ merchant: other });
    const address = window.page.getByLabel('Success URL');
    assert.equal(await address.inputValue(), 'https://own.example/');
    await window.leave();
    const viewer = await join(paylink, credentials, ['viewer']);
    const seen = await openDashboard(paylink, browser, { merchant: viewer });
    await seen.page.goto(`${paylink.baseUrl}/dashboard/payments/new`);
    await seen.page.getByText('Your role does not include this page').waitFor();
    await seen.leave();
  });
});

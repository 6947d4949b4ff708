// The overview in a browser: its figures and warnings, the roles that see them, live updates, and the cases that need a
// person. The clock is moved, so that there are several days.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { escalateAttempt } from '../../src/payments/case-store.ts';
import { markEndpointDisabled, recordEndpointFailure } from '../../src/webhooks/endpoint-store.ts';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from '../harness/client.ts';
import { assertAccessible, openDashboard, openFollowing, settle } from '../harness/dashboard-window.ts';
import { manualClock } from '../harness/manual-clock.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { addMember } from '../harness/people.ts';
import { fillCard, payWith, visit } from '../harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';

const [hourMs, dayMs] = [60 * 60 * 1000, 24 * 60 * 60 * 1000];
const good = { number: '4242424242424242' };
const declined = { number: '4000000000000002' };
const answerLost = { number: '4000000000009011' };

/** Markup, text that reverses the direction of the following text, and no place to break a line. */
const hostile = {
  firstName: '<img src=x onerror=alert(1)>',
  lastName: '\u202eגרייס 🎈 &amp;',
  customerOrderId: `=cmd|'<b>${'W'.repeat(110)}`,
};

describe('the overview', () => {
  const daysBack = 20;
  const clock = manualClock(new Date(Date.now() - daysBack * dayMs));
  let paylink: Paylink;
  let browser: Browser;
  let merchant: Merchant;
  // A token expires when the clock jumps.
  const logInAgain = async (): Promise<Credentials> => await logIn(paylink, merchant);

  /** Links of several days, more on later days, most of them paid. */
  async function liveThroughDays(): Promise<void> {
    for (let day = 0; day < daysBack; day++) {
      const owner = await logInAgain();
      const { link, code } = await createLinkAs(paylink, owner, { amount: 40 + ((day * 37) % 90) + 0.5 });
      if (day % 5 !== 3) await payWith(link, day % 7 === 4 ? declined : good);
      if (day === 16) await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], { amount: 5 });
      if (day % 6 === 0) {
        const dollars = await createLinkAs(paylink, owner, { amount: 12, currency: 'USD' });
        await payWith(dollars.link, good);
      }
      clock.advanceMs(dayMs);
    }
    const expiresAt = new Date(clock.now().getTime() + 5.5 * hourMs).toISOString();
    await createLinkAs(paylink, await logInAgain(), { amount: 99, expiresAt, ...hostile });
  }

  /** An attempt with an unknown outcome that needs a person, a failing endpoint, and a disabled one. */
  async function getIntoTrouble(): Promise<void> {
    const owner = await logInAgain();
    const { action, body } = fillCard(await visit((await createLinkAs(paylink, owner)).link), answerLost);
    await fetch(action, { method: 'POST', body, redirect: 'manual' });
    const [failing, gone] = await Promise.all(
      ['failing', 'gone'].map(
        async (name) => await createTestEndpoint(paylink, owner, { url: `http://127.0.0.1:1029/${name}` }),
      ),
    );
    const { db } = paylink.app.deps;
    const [attempt] = await db.asOwner.query<{ id: string }>(
      "select attempt_id as id from attempts where company_id = $1 and state = 'unknown'",
      [merchant.companyId],
    );
    const at = clock.now();
    await db.inTenant({ companyId: merchant.companyId, mode: 'test' }, async (tx) => {
      assert.equal(await escalateAttempt(tx, attempt?.id ?? '', at), 'unknown');
      await recordEndpointFailure(
        tx,
        { endpointId: failing?.id ?? '', url: 'http://127.0.0.1:1029/failing' },
        at,
      );
      await markEndpointDisabled(tx, gone?.id ?? '', { reason: 'gone', at });
    });
  }

  before(async () => {
    [paylink, browser] = await Promise.all([
      startPaylink('server', { clock, isAtWork: false, settings: loopbackSettings }),
      openBrowser(),
    ]);
    merchant = await paylink.createMerchant({ name: 'Café Zürich' });
    await liveThroughDays();
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  test('a company without payments sees a welcome, and roles without the right are not offered to create one', async () => {
    const fresh = await paylink.createMerchant({ name: 'Ganz neu' });
    const window = await openDashboard(paylink, browser, { merchant: fresh });
    await window.open('/');
    const main = window.page.locator('#content');
    await main.getByText('Welcome to Paylink').waitFor();
    await main.getByRole('link', { name: 'Get started' }).waitFor();
    await assertAccessible(window, 'welcome');
    await window.leave();
    const viewer = await addMember(paylink, await logIn(paylink, fresh), ['viewer']);
    const theirs = await openDashboard(paylink, browser, { merchant: viewer });
    await theirs.open('/');
    await theirs.page.getByText('The payments of your company appear here.').waitFor();
    assert.equal(await theirs.page.locator('#content a').count(), 0);
    await theirs.leave();
  });

  test('figures and plots show the API’s data for the days in the URL, and hostile values as text', async () => {
    const owner = await logInAgain();
    const asked = await call(paylink, owner, ['GET', '/v1/overview?days=30']);
    const [euros] = asked.body.currencies as (Json & { paid: { amount: number; count: number } })[];
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/');
    await assertAccessible(window, 'a week');
    assert.ok(await page.getByLabel('7 days').isChecked());
    await page.getByText('30 days').click();
    await page.waitForURL(/\?days=30$/);
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Euro (EUR)' }) });
    const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });
    const paid = money.format(euros?.paid.amount ?? 0);
    await card.locator('.sum', { hasText: paid }).waitFor();
    await card.getByText(`${euros?.paid.count} payments`).waitFor();
    await card.getByText('As a table').click();
    assert.equal(await card.locator('tbody tr').count(), 30);
    await page.getByRole('heading', { name: 'US Dollar (USD)' }).waitFor();
    await assertAccessible(window, 'a month, with its table');
    await page.reload();
    await settle(window);
    assert.ok(await page.getByLabel('30 days').isChecked());
    const shown = page.getByText(`${hostile.firstName} ${hostile.lastName}`, { exact: true });
    assert.equal(await shown.locator('xpath=self::bdi').count(), 1);
    assert.equal(await page.getByText(hostile.customerOrderId, { exact: true }).count(), 2);
    await window.open('/?days=1');
    await page.getByText('€0.00 · 1 link created').waitFor();
    await assertAccessible(window, 'today');
    await window.leave();
  });

  test('on a phone, in German and dark, the overview fits, and nothing needs attention', async () => {
    const calm = await paylink.createMerchant();
    await createLinkAs(paylink, await logIn(paylink, calm), hostile);
    for (const who of [merchant, calm]) {
      const options = { merchant: who, size: 'phone', language: 'de', look: 'dark' } as const;
      const window = await openDashboard(paylink, browser, options);
      await window.open('/');
      await window.page.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor();
      assert.equal(await window.page.getByText('Alles in Ordnung').count(), who === calm ? 1 : 0);
      await assertAccessible(window, 'a phone');
      await window.leave();
    }
  });

  test('a new payment appears without a reload, and the previous figures stay until then', async () => {
    const shop = await paylink.createMerchant();
    const { link } = await createLinkAs(paylink, await logIn(paylink, shop), { amount: 77.7 });
    const window = await openDashboard(paylink, browser, { merchant: shop });
    const { page } = window;
    await openFollowing(window, '/');
    const paid = page.locator('.sums > :first-child', { hasText: 'Paid' });
    await paid.getByText('€0.00').waitFor();
    await page.evaluate(`window.flickers = 0;
      new MutationObserver(() => { if (document.querySelector('.loading') || !document.querySelector('.sums')) window.flickers++; })
        .observe(document.querySelector('#content'), { childList: true, subtree: true })`);
    await payWith(link, good);
    await paid.getByText('€77.70').waitFor();
    await page.locator('tbody').getByText('Paid', { exact: true }).first().waitFor();
    assert.equal(await page.evaluate('window.flickers'), 0);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('what needs attention is listed with links, and endpoints only for roles that see webhooks', async () => {
    await getIntoTrouble();
    const window = await openDashboard(paylink, browser, { merchant });
    const { page } = window;
    await window.open('/');
    const list = page.locator('section', { has: page.getByRole('heading', { name: 'Needs attention' }) });
    for (const text of [
      '1 case needs a decision',
      '1 webhook endpoint was switched off',
      '1 webhook endpoint is failing',
      '1 payment has an unknown outcome',
      '1 open link expires within 24 hours',
      'in 5 hours',
    ])
      await list.getByText(text).waitFor();
    await assertAccessible(window, 'troubles');
    await list.getByRole('link', { name: 'View the cases' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cases' }).waitFor();
    await page.getByText('Outcome unknown').waitFor();
    await assertAccessible(window, 'cases');
    await window.leave();
    const support = await addMember(paylink, await logInAgain(), ['support']);
    const theirs = await openDashboard(paylink, browser, {
      merchant: support,
      size: 'phone',
      language: 'de',
      look: 'dark',
    });
    await theirs.open('/');
    await theirs.page.getByText('1 Fall muss geklärt werden').waitFor();
    assert.equal(await theirs.page.getByText('Webhook').count(), 0);
    await theirs.open('/cases');
    await assertAccessible(theirs, 'cases on a phone');
    await theirs.leave();
  });

  test('a case about unmatched money is closed with a note, by a role that may refund', async () => {
    const shop = await paylink.createMerchant();
    const credentials = await logIn(paylink, shop);
    const { link, code } = await createLinkAs(paylink, credentials);
    await payWith(link, good);
    await paylink.app.deps.db.asOwner.query(
      `insert into processor_cases (company_id, mode, attempt_id, code, processor_reference, payment_id, amount_minor,
                                    currency, created_at)
       select company_id, mode, attempt_id, 'refund_exceeds_payment', 're_1', payment_id, 700, 'EUR', now()
       from attempts join payments p using (company_id, mode, payment_id) where p.code = $1`,
      [code],
    );
    const viewer = await openDashboard(paylink, browser, {
      merchant: await addMember(paylink, credentials, ['viewer']),
    });
    await viewer.open('/cases');
    await viewer.page.getByText('Unmatched money', { exact: true }).waitFor();
    assert.equal(await viewer.page.getByRole('button', { name: 'Close the case' }).count(), 0);
    await viewer.leave();
    const window = await openDashboard(paylink, browser, { merchant: shop });
    const { page } = window;
    await window.open('/cases');
    await page.getByRole('button', { name: 'Close the case' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close this case?' });
    await dialog.getByLabel('Note').fill('refunded at the provider');
    await assertAccessible(window, 'closing a case');
    await dialog.getByRole('button', { name: 'Close the case' }).click();
    await page.getByText('No cases').waitFor();
    const [closed] = await paylink.app.deps.db.asOwner.query(
      `select closing_note as note, closed_by like 'account:%' as "isByAccount" from processor_cases
       where processor_reference = 're_1'`,
    );
    assert.deepEqual(closed, { note: 'refunded at the provider', isByAccount: true });
    await window.leave();
  });
});

// The team in the dashboard: members, invitations, and the actions that each role is offered.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { type Credentials, call, type Json, logIn } from '../harness/client.ts';
import {
  assertAccessible,
  type DashboardWindow,
  openDashboard,
  settle,
} from '../harness/dashboard-window.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { invite, join } from '../harness/people.ts';

/** An address of the maximum length, with markup and a character that changes the direction of text. */
const hostileEmail = `${'a'.repeat(60)}<b>x</b>\u{1f680}@${'long-domain.'.repeat(14)}example.com`;

describe('the team in the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  before(async () => {
    [paylink, browser] = await Promise.all([startPaylink('server'), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await paylink.stop();
  });

  type Company = { owner: Merchant; credentials: Credentials };
  async function newCompany(): Promise<Company> {
    const owner = await paylink.createMerchant();
    return { owner, credentials: await logIn(paylink, owner) };
  }
  async function openTeam(merchant: Merchant): Promise<DashboardWindow> {
    const window = await openDashboard(paylink, browser, { merchant });
    await window.open('/team');
    return window;
  }
  const rowOf = (page: Page, email: string) =>
    page.getByRole('row').filter({ has: page.getByText(email, { exact: true }) });
  const membersOf = async ({ credentials }: Company) =>
    (await call(paylink, credentials, ['GET', '/v1/members'])).body.data as Json[];
  const dialogOf = (page: Page) => page.getByRole('dialog');
  /** Accepts refusals, which the browser itself logs to its console. */
  const requireNoTrouble = ({ troubles }: DashboardWindow) =>
    assert.deepEqual(
      troubles.filter((trouble) => !/status of 4\d\d/.test(trouble)),
      [],
    );

  test('the team is accessible on a desktop in English and on a phone in German and dark, with any email address', async () => {
    const { owner, credentials } = await newCompany();
    await join(paylink, credentials, ['developer', 'support', 'viewer'], hostileEmail);
    await invite(paylink, credentials, { email: hostileEmail.replace('a', 'b'), roles: ['viewer'] });
    for (const options of [{}, { size: 'phone', language: 'de', look: 'dark' }] as const) {
      const window = await openDashboard(paylink, browser, { ...options, merchant: owner });
      const { page } = window;
      await window.open('/team');
      await page.getByText(hostileEmail).waitFor();
      await assertAccessible(window, 'team');
      await page.locator('.member-actions button').last().click();
      await assertAccessible(window, 'a question before a member is removed');
      await window.leave();
    }
  });

  test('an invitation shows its link once, is listed, and can be revoked', async () => {
    const { owner } = await newCompany();
    const window = await openTeam(owner);
    const { page } = window;
    await page.getByText('No open invitations.').waitFor();
    await page.getByRole('button', { name: 'Invite a member' }).click();
    await page.keyboard.type(owner.email);
    await page.keyboard.press('Enter');
    await page.locator('.field-error', { hasText: 'Choose at least one role.' }).waitFor();
    await page.getByRole('checkbox', { name: 'Support' }).check();
    await assertAccessible({ ...window, troubles: [] }, 'inviting');
    await dialogOf(page).getByRole('button', { name: 'Create the invitation' }).click();
    await page.getByText('This email address belongs to a member of your company.').waitFor();
    await page.getByLabel('Email address').fill('grace@example.com');
    await page.keyboard.press('Enter');
    const link = page.getByLabel('Invitation link');
    const url = await link.inputValue();
    assert.match(url, new RegExp(`^${paylink.baseUrl}/dashboard/invitation#invite_\\w+$`));
    await assertAccessible({ ...window, troubles: [] }, 'the link of an invitation');
    // Escape, even repeated, does not close what is shown only once.
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Escape');
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    assert.equal((await page.content()).includes(url), false);
    const row = rowOf(page, 'grace@example.com');
    await row.getByText('Support').waitFor();
    await row.getByText(owner.email).waitFor();
    await row.getByRole('button', { name: 'Revoke: grace@example.com' }).click();
    await dialogOf(page).getByRole('button', { name: 'Revoke the invitation' }).click();
    await page.getByText('No open invitations.').waitFor();
    requireNoTrouble(window);
    await window.leave();
  });

  test('a member gets other roles and is removed, and the only owner stays owner', async () => {
    const company = await newCompany();
    const member = await join(paylink, company.credentials, ['viewer']);
    const window = await openTeam(company.owner);
    const { page } = window;
    const own = rowOf(page, company.owner.email);
    await own.getByText('Only owner').waitFor();
    assert.equal(await own.getByRole('button', { name: /^Remove/ }).count(), 0);
    await own.getByRole('button', { name: /^Change roles/ }).click();
    assert.ok(await page.getByRole('checkbox', { name: 'Owner' }).isDisabled());
    await page.keyboard.press('Escape');

    await rowOf(page, member.email)
      .getByRole('button', { name: /^Change roles/ })
      .click();
    await page.getByRole('checkbox', { name: 'Viewer' }).uncheck();
    await page.getByRole('checkbox', { name: 'Developer' }).check();
    await assertAccessible(window, 'changing roles');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await rowOf(page, member.email).getByText('Developer').waitFor();
    assert.deepEqual((await membersOf(company))[1]?.roles, ['developer']);

    await rowOf(page, member.email)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await dialogOf(page).getByRole('button', { name: 'Remove from the team' }).click();
    await rowOf(page, member.email).waitFor({ state: 'detached' });
    assert.equal((await membersOf(company)).length, 1);
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('an administrator is not offered to add, change or remove owners', async () => {
    const { owner, credentials } = await newCompany();
    const admin = await join(paylink, credentials, ['admin']);
    const window = await openTeam(admin);
    const { page } = window;
    assert.equal(await rowOf(page, owner.email).getByRole('button').count(), 0);
    assert.equal(await rowOf(page, admin.email).getByRole('button').count(), 2);
    await page.getByRole('button', { name: 'Invite a member' }).click();
    await page.getByRole('checkbox', { name: 'Administrator' }).waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 4);
    assert.equal(await page.getByRole('checkbox', { name: 'Owner' }).count(), 0);
    await window.leave();
  });

  test('roles without the right are not offered the team', async () => {
    const { credentials } = await newCompany();
    for (const role of ['developer', 'support', 'viewer'] as const) {
      const window = await openDashboard(paylink, browser, {
        merchant: await join(paylink, credentials, [role]),
      });
      await window.page.goto(`${paylink.baseUrl}/dashboard/team`);
      await window.page.getByText('Your role does not include this page').waitFor();
      assert.equal(await window.page.getByRole('link', { name: 'Team' }).count(), 0, role);
      assert.deepEqual(window.troubles, [], role);
      await window.leave();
    }
  });

  test('after giving up their own rights, a member is offered only what is left', async () => {
    const { credentials } = await newCompany();
    const admin = await join(paylink, credentials, ['admin', 'viewer']);
    const window = await openTeam(admin);
    const { page } = window;
    await rowOf(page, admin.email)
      .getByRole('button', { name: /^Change roles/ })
      .click();
    await page.getByText('These are your own roles.').waitFor();
    await page.getByRole('checkbox', { name: 'Administrator' }).uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your role does not include this page').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Team' }).count(), 0);
    await window.leave();
  });

  test('removing oneself requires a confirmation', async () => {
    const company = await newCompany();
    const admin = await join(paylink, company.credentials, ['admin']);
    const window = await openTeam(admin);
    const { page } = window;
    await rowOf(page, admin.email)
      .getByRole('button', { name: /^Remove/ })
      .click();
    const act = dialogOf(page).getByRole('button', { name: 'Remove myself' });
    assert.ok(await act.isDisabled());
    await assertAccessible(window, 'removing oneself');
    await page.getByRole('checkbox', { name: 'I understand' }).check();
    await act.click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await settle(window);
    assert.equal((await membersOf(company)).length, 1);
    await window.leave();
  });
});

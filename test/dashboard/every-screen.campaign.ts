// Every screen for each role on a desktop and on a phone, in light and dark, in English and German, and for owners in every
// language, also at 320 and 390 pixels; and the payment page. every-screen.long.ts is the short form. With PICTURES_DIR set to a folder, it writes the pictures of the docs there.

import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { auditPage, overflowOf } from '../harness/browser.ts';
import { cards } from '../harness/checkout-fixture.ts';
import { createLink } from '../harness/client.ts';
import { allRoles, type BusyStage, openBusyStage } from './stage.ts';
import { allLanguages, findTooWide, walk } from './visits.ts';

/** The README shows the page at half this size, so that it is sharp on every screen. */
const payPageWindow = { viewport: { width: 420, height: 800 }, deviceScaleFactor: 2, locale: 'en-US' };

/** Opens the payment page of a link in test mode, half filled in; with PICTURES_DIR set, also takes its picture. */
async function visitPayPage({ paylink, browser }: BusyStage): Promise<void> {
  const order = { customerOrderId: 'A-2041', description: 'Espresso beans, 1 kg' };
  const { link } = await createLink(paylink, { ...order, firstName: 'Ada', lastName: 'Lovelace' });
  const context = await browser.newContext(payPageWindow);
  const page = await context.newPage();
  await page.goto(link);
  await page.fill('#cc_number', cards.success.number);
  await page.fill('#cc_exp', '12/34');
  await page.locator('#cc_exp').blur();
  assert.deepEqual(await auditPage(page), []);
  assert.ok((await overflowOf(page)) <= 0);
  const folder = process.env.PICTURES_DIR;
  if (folder) await page.screenshot({ path: path.join(folder, 'pay-page.png'), fullPage: true });
  await context.close();
}

describe('every screen of the dashboard, in every combination', () => {
  let stage: BusyStage;
  before(
    async () => {
      stage = await openBusyStage(100_000);
    },
    { timeout: 240_000 },
  );
  after(async () => await stage.close());

  test('the payment page is accessible and fits the window', async () => await visitPayPage(stage));

  for (const role of allRoles)
    for (const size of ['phone', 'desktop'] as const)
      for (const language of role === 'owner' ? allLanguages : (['en', 'de'] as const))
        for (const look of ['light', 'dark'] as const)
          test(`is accessible and fits the window for ${role}: ${size}, ${language}, ${look}`, {
            timeout: 240_000,
          }, async () => {
            const options = { role, size, language, look, email: stage.emails[role] };
            await walk(stage.paylink, stage.browser, stage.screens, options);
          });

  for (const language of allLanguages)
    for (const size of ['narrowPhone', 'widePhone'] as const)
      test(`fits the window for owner: ${size}, ${language}`, { timeout: 240_000 }, async () => {
        const visit = { email: stage.emails.owner, size, language };
        assert.deepEqual(await findTooWide(stage.paylink, stage.browser, stage.screens, visit), []);
      });
});

// The languages of the dashboard: which is loaded, how another one is chosen, and that the longest fits a small phone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { languages } from '../../web/src/base/languages.ts';
import { type DashboardWindow, openDashboard, settle } from '../harness/dashboard-window.ts';
import { type BusyStage, openBusyStage } from './stage.ts';
import { allLanguages, findLongestLanguage, findTooWide, textsOf } from './visits.ts';

const textFile = new RegExp(`/assets/(${allLanguages.join('|')})-[\\w-]{8}\\.js$`);

/** The languages whose texts a window loads, in order. */
function watchLanguages({ page }: DashboardWindow): readonly string[] {
  const loaded: string[] = [];
  page.on('request', (request) => {
    const [, language] = textFile.exec(request.url()) ?? [];
    if (language) loaded.push(language);
  });
  return loaded;
}

describe('the languages of the dashboard', () => {
  let stage: BusyStage;
  before(async () => {
    stage = await openBusyStage(300);
  });
  after(async () => await stage.close());

  const open = async (options: Parameters<typeof openDashboard>[2]) =>
    await openDashboard(stage.paylink, stage.browser, options);
  const headingOf = async ({ page }: DashboardWindow) => await page.locator('h1').first().textContent();

  test('only the texts of the shown language are loaded, and a chosen language is kept', async () => {
    const window = await open({ merchant: { email: stage.emails.owner }, language: 'de' });
    const { page } = window;
    const loaded = watchLanguages(window);
    await window.open('/settings');
    assert.equal(await headingOf(window), textsOf('de').shared.screens.settings);
    assert.deepEqual(loaded, ['de']);
    for (const language of allLanguages.filter((tag) => tag !== 'de')) {
      await page.locator('.account-menu summary').click();
      await page.locator('.account-panel select').first().selectOption(languages[language].name);
      await page.locator(`html[lang=${language}]`).waitFor();
      assert.equal(await headingOf(window), textsOf(language).shared.screens.settings);
      assert.equal(loaded.at(-1), language);
      await page.keyboard.press('Escape');
    }
    assert.equal(loaded.length, allLanguages.length);
    await window.open('/keys');
    const last = allLanguages.at(-1) ?? 'en';
    assert.equal(await headingOf(window), textsOf(last).shared.screens.keys);
    // From the cache or not: no other one.
    assert.deepEqual(new Set(loaded.slice(allLanguages.length)), new Set([last]));
    assert.deepEqual(window.troubles, []);
    await window.leave();
  });

  test('a language that cannot be loaded leaves the page as it is and says so, and can be chosen again', async () => {
    const window = await open({ merchant: { email: stage.emails.owner }, language: 'en' });
    const { context, page } = window;
    await window.open('/');
    await context.setOffline(true);
    const choose = async () => {
      await page.locator('.account-menu summary').click();
      await page.getByLabel(textsOf('en').shell.language, { exact: true }).selectOption('Deutsch');
    };
    await choose();
    await page.locator('.toast', { hasText: textsOf('en').common.unreachable }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    await context.setOffline(false);
    await page.keyboard.press('Escape');
    await choose();
    await page.locator('html[lang=de]').waitFor();
    assert.equal(await headingOf(window), textsOf('de').shared.screens.overview);
    await window.leave();
  });

  test('a language whose texts are gone since an update leaves the page as it is, which says to reload it', async () => {
    const window = await open({ merchant: { email: stage.emails.owner }, language: 'en' });
    const { page } = window;
    await window.open('/');
    await page.route('**/assets/de-*.js', async (route) => await route.fulfill({ status: 404 }));
    await page.locator('.account-menu summary').click();
    await page.getByLabel(textsOf('en').shell.language, { exact: true }).selectOption('Deutsch');
    await page.locator('.toast', { hasText: textsOf('en').common.outdated }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    await window.leave();
  });

  test('each language can be chosen before the sign-in', async () => {
    const window = await open({ merchant: null, language: 'en' });
    const { page } = window;
    await window.open('/');
    for (const language of allLanguages) {
      await page.getByRole('button', { name: languages[language].name, exact: true }).click();
      await page.locator(`html[lang=${language}]`).waitFor();
      await settle(window);
      await page.getByLabel(textsOf(language).signIn.password, { exact: true }).waitFor();
    }
    await window.leave();
  });

  test('in the language with the longest texts, every screen fits a phone of 320 pixels', async () => {
    const visit = {
      email: stage.emails.owner,
      size: 'narrowPhone',
      language: findLongestLanguage(),
    } as const;
    assert.deepEqual(await findTooWide(stage.paylink, stage.browser, stage.screens, visit), []);
  });
});

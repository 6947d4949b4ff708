// Every screen of the dashboard in every language fits windows of 320 and 390 pixels. languages.test.ts has the language
// with the longest texts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type BusyStage, openBusyStage } from './stage.ts';
import { allLanguages, findTooWide } from './visits.ts';

describe('every screen in every language', () => {
  let stage: BusyStage;
  before(async () => {
    stage = await openBusyStage(300);
  });
  after(async () => await stage.close());

  for (const language of allLanguages)
    for (const size of ['narrowPhone', 'widePhone'] as const)
      test(`fits the window in ${language}: ${size}`, { timeout: 120_000 }, async () => {
        const visit = { email: stage.emails.owner, size, language };
        assert.deepEqual(await findTooWide(stage.paylink, stage.browser, stage.screens, visit), []);
      });
});

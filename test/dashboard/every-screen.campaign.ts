// Every screen for each role in both languages, window sizes and themes. every-screen.long.ts is the short form. With
// PICTURES_DIR set to a folder, it writes the pictures of the docs there.

import { after, before, describe, test } from 'node:test';
import { screenSizes } from '../harness/dashboard-window.ts';
import { allRoles, type BusyStage, openBusyStage } from './stage.ts';
import { walk } from './visits.ts';

describe('every screen of the dashboard, in every combination', () => {
  let stage: BusyStage;
  before(
    async () => {
      stage = await openBusyStage(100_000);
    },
    { timeout: 240_000 },
  );
  after(async () => await stage.close());

  for (const role of allRoles)
    for (const size of Object.keys(screenSizes) as (keyof typeof screenSizes)[])
      for (const language of ['en', 'de'] as const)
        for (const look of ['light', 'dark'] as const)
          test(`is accessible and fits the window for ${role}: ${size}, ${language}, ${look}`, {
            timeout: 240_000,
          }, async () => {
            const options = { role, size, language, look, email: stage.emails[role] };
            await walk(stage.paylink, stage.browser, stage.screens, options);
          });
});

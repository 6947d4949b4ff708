// Every screen of the dashboard with 100,000 payments: for each role, in both languages, at 360 and 1440 pixels, in
// light and dark. every-screen.campaign.ts has all combinations.

import { after, before, describe, test } from 'node:test';
import { type BusyStage, openBusyStage } from './stage.ts';
import { type Walk, walk } from './visits.ts';

/** Each role once, and owners, who have all screens, also with the opposite settings. */
const walks: readonly Omit<Walk, 'email'>[] = [
  { role: 'owner', size: 'desktop', language: 'en', look: 'light' },
  { role: 'owner', size: 'phone', language: 'de', look: 'dark' },
  { role: 'admin', size: 'phone', language: 'en', look: 'dark' },
  { role: 'developer', size: 'desktop', language: 'de', look: 'dark' },
  { role: 'support', size: 'phone', language: 'de', look: 'light' },
  { role: 'viewer', size: 'desktop', language: 'en', look: 'dark' },
];

describe('every screen of the dashboard', () => {
  let stage: BusyStage;
  before(
    async () => {
      stage = await openBusyStage(100_000);
    },
    { timeout: 240_000 },
  );
  after(async () => await stage.close());

  for (const one of walks)
    test(`is accessible and fits the window for ${one.role}: ${one.size}, ${one.language}, ${one.look}`, async () => {
      await walk(stage.paylink, stage.browser, stage.screens, { ...one, email: stage.emails[one.role] });
    });
});

// Every screen of the dashboard with 100,000 payments, for an owner and for a viewer: in two languages, at 360 and 1440
// pixels, in light and dark. The short form of every-screen.campaign.ts, which has all roles and combinations.

import { after, before, describe, test } from 'node:test';
import { type BusyStage, openBusyStage } from './stage.ts';
import { type Walk, walk } from './visits.ts';

/** Every value of each setting once; owners have all screens, viewers the fewest. */
const walks: readonly Omit<Walk, 'email'>[] = [
  { role: 'owner', size: 'desktop', language: 'en', look: 'light' },
  { role: 'viewer', size: 'phone', language: 'de', look: 'dark' },
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

// A statement of 20 MB is imported without being held in memory. The short form of large.campaign.ts.

import { test } from 'node:test';
import { importLarge } from './large-import.ts';

test('20 MB of lines are imported completely without being held in memory', async (t) =>
  await importLarge(t, { fileMb: 20, maxGrowthMb: 16, watchMs: 500 }));

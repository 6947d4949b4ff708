// A statement of the maximum size is imported without being held in memory. large.long.ts is the short form.

import { test } from 'node:test';
import { maxFileBytes } from '../../src/bank/spool.ts';
import { importLarge } from './large-import.ts';

test(
  '100 MB of lines are imported completely without being held in memory',
  {
    timeout: 900_000,
  },
  async (t) =>
    await importLarge(t, { fileMb: maxFileBytes / 1_000_000 - 1, maxGrowthMb: 80, watchMs: 2_000 }),
);

// All that a processor owes to payments, as a list that any processor can be held to: the sandbox, the live
// ones by their fakes, and one that somebody writes tomorrow.

import type { Guarantee } from './contract/bench.ts';
import { bookkeeping } from './contract/bookkeeping.ts';
import { ending } from './contract/ending.ts';
import { marks } from './contract/marks.ts';
import { notices } from './contract/notices.ts';
import { outages } from './contract/outages.ts';
import { paying } from './contract/paying.ts';
import { refunding } from './contract/refunding.ts';
import { settings } from './contract/settings.ts';
import { waiting } from './contract/waiting.ts';

/** Titles are unique. */
export const contract: readonly Guarantee[] = [
  ...settings,
  ...paying,
  ...waiting,
  ...marks,
  ...ending,
  ...refunding,
  ...bookkeeping,
  ...outages,
  ...notices,
];

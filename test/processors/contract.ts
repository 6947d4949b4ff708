// The guarantees that every processor must give, in groups. docs/processors.md explains how to test a new one.

import type { Guarantee } from './contract/bench.ts';
import { bookkeeping } from './contract/bookkeeping.ts';
import { ending } from './contract/ending.ts';
import { identifyingFields } from './contract/identity.ts';
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
  ...identifyingFields,
  ...ending,
  ...refunding,
  ...bookkeeping,
  ...outages,
  ...notices,
];

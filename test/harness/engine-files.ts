// The files of `npm test` that concern data, which also run on the embedded engine: embedded.campaign.ts runs all of
// them, embedded.long.ts a selection.

import { readFileSync } from 'node:fs';
import { listTestFiles } from '../../scripts/test-files.mjs';
import { root } from './process.ts';

/** The files with tests for each engine, relative to the project's folder. */
export const engineFiles: readonly string[] = listTestFiles().test.filter((file) =>
  /\bof engines\b/.test(readFileSync(root + file, 'utf8')),
);

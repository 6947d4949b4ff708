// The files of `npm test` that concern data, which also run on the embedded engine: embedded.campaign.ts runs all of
// them, embedded.long.ts a selection.

// It must not import the harness, which reads TEST_ENGINE once.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listTestFiles } from '../../scripts/test-files.mjs';
import { root } from '../../scripts/toolchain.mjs';

/** The files with tests for each engine, relative to the project's folder. */
export const engineFiles: readonly string[] = listTestFiles().test.filter((file) =>
  /\bof engines\b/.test(readFileSync(path.join(root, file), 'utf8')),
);

// Runs test files of `npm test` once more with another setting, for the long tests.

import path from 'node:path';
import { describe } from 'node:test';
import { root } from '../../scripts/toolchain.mjs';

/** Runs the files in this process with these settings, which must be set before any of them is imported. */
export function testAgain(title: string, files: readonly string[], settings: Record<string, string>): void {
  Object.assign(process.env, settings);
  describe(title, () => {
    for (const file of files) describe(file, async () => void (await import(path.join(root, file))));
  });
}

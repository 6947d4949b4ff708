// Runs test files of `npm test` once more with another setting, for the long tests.

import { describe } from 'node:test';
import { root } from './process.ts';

/** Runs the files in this process with these settings, which must be set before any of them is imported. */
export function testAgain(title: string, files: readonly string[], settings: Record<string, string>): void {
  Object.assign(process.env, settings);
  describe(title, () => {
    for (const file of files) describe(file, async () => void (await import(root + file)));
  });
}

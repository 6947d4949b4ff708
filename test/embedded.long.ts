// Runs the tests that concern data on the embedded engine; `npm test` runs them on the server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listTestFiles } from '../scripts/test-files.mjs';
import { root } from './harness/process.ts';
import { testAgain } from './harness/run-again.ts';

const files = listTestFiles().test.filter((file) => /\bof engines\b/.test(readFileSync(root + file, 'utf8')));

test('every test that concerns data is found', () => {
  assert.ok(files.length > 40, `${files.length} files`);
});

testAgain('on the embedded engine', files, { TEST_ENGINE: 'embedded' });

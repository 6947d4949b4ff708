// Each guarantee breaks when a fault is planted in the module that holds it: `npm test` has tested the guarantees.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listTestFiles } from '../../scripts/test-files.mjs';
import { root } from '../harness/process.ts';
import { testAgain } from '../harness/run-again.ts';

const files = listTestFiles().test.filter((file) =>
  /\bguarantee[(<]/.test(readFileSync(root + file, 'utf8')),
);

test('every file of guarantees is found', () => {
  assert.ok(files.length >= 15, `${files.length} files`);
});

testAgain('planted faults', files, { TEST_PLANTED_FAULTS: 'yes' });

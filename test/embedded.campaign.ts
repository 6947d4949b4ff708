// Runs all tests that concern data on the embedded engine; `npm test` runs them on the server. embedded.long.ts is the
// short form.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineFiles } from './harness/engine-files.ts';
import { testAgain } from './harness/run-again.ts';

testAgain('on the embedded engine', engineFiles, { TEST_ENGINE: 'embedded' });

test('the files run on the embedded engine', async () => {
  const { engines } = await import('./harness/paylink.ts');
  assert.deepEqual(engines, ['embedded']);
});

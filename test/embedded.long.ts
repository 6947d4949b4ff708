// The tests that concern data, on the embedded engine: `npm test` has run them on the server.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { listTestFiles } from '../scripts/test-files.mjs';
import { root } from './harness/process.ts';

const files = listTestFiles().test.filter((file) => /\bof engines\b/.test(readFileSync(root + file, 'utf8')));

/** Runs a file in its own process. Returns how many tests passed, and its output. */
async function runOnEmbedded(file: string): Promise<{ code: number; passed: number; output: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--liftoff-only', root + file], {
    cwd: root,
    env: { ...env, TEST_ENGINE: 'embedded' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code: Number(code), passed: Number(/^ℹ pass (\d+)$/m.exec(output)?.[1] ?? 0), output };
}

test('every test that concerns data is found', () => {
  assert.ok(files.length > 40, `${files.length} files`);
});

describe('on the embedded engine', { concurrency: 2 }, () => {
  for (const file of files)
    test(`${file} passes`, async (t) => {
      const { code, passed, output } = await runOnEmbedded(file);
      assert.equal(code, 0, output);
      assert.ok(passed > 0, output);
      t.diagnostic(`${passed} tests`);
    });
});

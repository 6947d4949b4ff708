// Runs files of `npm test` once more with another setting, for the long tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { root } from './process.ts';

/** Declares a test for each file: it passes in its own process with these settings. */
export function testAgain(title: string, files: readonly string[], settings: Record<string, string>): void {
  describe(title, { concurrency: 2 }, () => {
    for (const file of files)
      test(file, async (t) => {
        const { code, output } = await runFile(file, settings);
        assert.equal(code, 0, output);
        const passed = Number(/^ℹ pass (\d+)$/m.exec(output)?.[1] ?? 0);
        assert.ok(passed > 0, output);
        t.diagnostic(`${passed} tests`);
      });
  });
}

async function runFile(file: string, settings: Record<string, string>) {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--liftoff-only', root + file], {
    cwd: root,
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code: code as number | null, output };
}

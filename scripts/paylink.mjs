#!/usr/bin/env node
// `paylink …` (and `npm run paylink -- …`): runs src/cli/main.ts under a Node that can, whichever was called.
// It must never add to what the command prints, nor change its exit code.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, node24, root, runScript } from './toolchain.mjs';

await runScript(async () => {
  await ensureInstalled({ dev: false });
  const program = path.join(root, 'src', 'cli', 'main.ts');
  // Most of the time of a short command goes into reading its own source: kept, it is a third of that.
  const cache = process.env.NODE_COMPILE_CACHE ?? path.join(root, '.cache', 'compiled');
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const child = spawn(node24(), [program, ...process.argv.slice(2)], { stdio: 'inherit', env });
  // A Ctrl-C reaches the command by itself, and it may have a last word; other signals are passed on.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
});

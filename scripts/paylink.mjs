#!/usr/bin/env node
// `paylink …` (and `npm run paylink -- …`): runs src/cli/main.ts with a suitable Node. Must not: add to the
// command's output, or change its exit code.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, node24, root, runScript } from './toolchain.mjs';

await runScript(async () => {
  await ensureInstalled({ dev: false });
  const program = path.join(root, 'src', 'cli', 'main.ts');
  // A short command spends most of its time on compiling its source. The cache reduces this to a third.
  const cache = process.env.NODE_COMPILE_CACHE ?? path.join(root, '.cache', 'compiled');
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const child = spawn(node24(), [program, ...process.argv.slice(2)], { stdio: 'inherit', env });
  // A Ctrl-C reaches the command directly, which may still print; other signals are forwarded.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
});

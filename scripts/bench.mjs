// `npm run bench`: runs bench/main.ts with a suitable Node. Must not: add to the bench's output, or change
// its exit code.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, node24, root, runScript } from './toolchain.mjs';

await runScript(async () => {
  await ensureInstalled();
  const program = path.join(root, 'bench', 'main.ts');
  const child = spawn(node24(), [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A Ctrl-C reaches the bench directly, which must clean up; other signals are forwarded.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(/** @type {NodeJS.Signals} */ (signal)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
});

// `npm run bench`: runs bench/main.ts with a suitable Node. Must not: add to its output, or change its exit code.

import path from 'node:path';
import { ensureInstalled, root, runProgram, runScript } from './toolchain.mjs';

await runScript(async () => {
  await ensureInstalled();
  return runProgram(path.join(root, 'bench', 'main.ts'));
});

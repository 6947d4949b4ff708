#!/usr/bin/env node
// `paylink …` (and `npm run paylink -- …`): runs src/cli/main.ts with a suitable Node. Must not: add to the
// command's output, or change its exit code.

import path from 'node:path';
import { ensureInstalled, root, runProgram, runScript } from './toolchain.mjs';

await runScript(async () => {
  await ensureInstalled({ dev: false });
  // A short command spends most of its time on compiling its source. The cache reduces this to a third.
  const cache = process.env.NODE_COMPILE_CACHE ?? path.join(root, '.cache', 'compiled');
  return runProgram(path.join(root, 'src', 'cli', 'main.ts'), { ...process.env, NODE_COMPILE_CACHE: cache });
});

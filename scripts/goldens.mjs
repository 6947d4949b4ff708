// `npm run goldens`: writes the generated files and the checksums of new migrations; with --check it only compares. The
// order matters: the types of the SDKs are generated from openapi.json.

import path from 'node:path';
import { ensureInstalled, root, runProgram, runScript } from './toolchain.mjs';

const programs = [
  path.join(root, 'scripts', 'migration-checksums.mjs'),
  path.join(root, 'scripts', 'write-goldens.ts'),
  path.join(root, 'sdk', 'generate-types.ts'),
  path.join(root, 'sdk-python', 'generate-python.ts'),
  path.join(root, 'scripts', 'write-text-values.ts'),
];

await runScript(async () => {
  await ensureInstalled();
  let worst = 0;
  for (const program of programs) worst = Math.max(worst, await runProgram(program));
  return worst;
});

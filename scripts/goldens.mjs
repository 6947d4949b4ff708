// `npm run goldens`: writes the generated files (openapi.json, schema.sql, the SDK's types) and the checksums
// of new migrations; with --check it only compares them with the committed ones. Separate programs do the
// work, some of which need a newer Node. The order matters: the SDK's types are generated from openapi.json.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, node24, root, runScript } from './toolchain.mjs';

const programs = [
  path.join(root, 'scripts', 'migration-checksums.mjs'),
  path.join(root, 'scripts', 'write-goldens.ts'),
  path.join(root, 'sdk', 'generate-types.ts'),
];

/** @param {string} program @returns {Promise<number>} its exit code */
function run(program) {
  const child = spawn(node24(), [program, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

await runScript(async () => {
  await ensureInstalled();
  let worst = 0;
  for (const program of programs) worst = Math.max(worst, await run(program));
  return worst;
});

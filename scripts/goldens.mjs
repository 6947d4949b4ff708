// `npm run goldens`: writes the generated files (openapi.json, schema.sql); with --check it only says
// whether the committed ones are equal. The work is done by src/goldens.ts under a Node that runs it.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureInstalled, node24, root, runScript } from './toolchain.mjs';

await runScript(async () => {
  await ensureInstalled();
  const program = path.join(root, 'src', 'goldens.ts');
  const child = spawn(node24(), [program, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
});

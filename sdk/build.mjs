// Compiles src/ into the folder dist of this package, or of the folder named as the argument. It must never
// leave a file of an earlier build behind, or the package would carry it.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? here, 'dist');
const compiler = path.join(here, '..', 'node_modules', 'typescript', 'bin', 'tsc');

rmSync(out, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [compiler, '-p', here, '--outDir', out], { stdio: 'inherit' });
process.exitCode = status ?? 1;

// The compiler writes .js into the imports of programs only; compilers of users look for it in types, too.
for (const name of status === 0 ? readdirSync(out) : []) {
  if (!name.endsWith('.d.ts')) continue;
  const file = path.join(out, name);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
}

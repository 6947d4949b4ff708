// Compiles src/ into the folder dist of this package, or of the folder named as the argument: as ES modules, and in
// dist/cjs as CommonJS. It must never leave a file of an earlier build behind, or the package would carry it.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? here, 'dist');
const compiler = path.join(here, '..', 'node_modules', 'typescript', 'bin', 'tsc');

/** @param {string} folder @param {string[]} options */
function compile(folder, options) {
  const args = [compiler, '-p', here, '--outDir', folder, ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  // The compiler writes .js into the imports of programs only; compilers of users look for it in types, too.
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.d.ts')) continue;
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
}

rmSync(out, { recursive: true, force: true });
compile(out, []);
const cjs = path.join(out, 'cjs');
compile(cjs, ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false']);
// Node and compilers go by the nearest package.json.
writeFileSync(path.join(cjs, 'package.json'), '{ "type": "commonjs" }\n');

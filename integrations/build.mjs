// Compiles the integration in the working directory, with the parts of sdk/ and shared/ that it uses, into its folder
// dist, as CommonJS: both hosts load it with require. So the package needs no other package of Paylink.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const here = process.cwd();
const dist = path.join(here, 'dist');
const compiler = createRequire(path.join(here, 'package.json')).resolve('typescript/package.json');

rmSync(dist, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [path.join(path.dirname(compiler), 'bin', 'tsc'), '-p', here],
  {
    stdio: 'inherit',
  },
);
if (status !== 0) process.exit(status ?? 1);
// The compiler writes .js into the imports of programs only; compilers of users look for it in types, too.
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = path.join(dist, name);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(['"]\.{1,2}\/[\w./-]+)\.ts(['"])/g, '$1.js$2'));
}
// Node and compilers go by the nearest package.json.
writeFileSync(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');

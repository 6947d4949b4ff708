// The package of an integration as it is compiled, loaded by require, with stand-ins for the packages of the shop system.
// The types of the shop system are checked by the campaign, which installs it.

import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../harness/process.ts';

export type CompiledPackage = {
  /** What `require` of the package, or of a file in its folder `dist`, returns. */
  load(file?: string): unknown;
  /** The packages that its files require, sorted. */
  required: string[];
  remove(): Promise<void>;
};

/** `standIns` are the packages of the shop system, each as the text of a CommonJS module. */
export async function compilePackage(
  integration: 'medusa' | 'vendure',
  standIns: Readonly<Record<string, string>>,
): Promise<CompiledPackage> {
  const home = await mkdtemp(path.join(tmpdir(), `paylink-${integration}-package-`));
  const folder = path.join(home, 'integrations', integration);
  for (const name of ['integrations', 'sdk'])
    await cp(path.join(root, name), path.join(home, name), { recursive: true });
  for (const [name, text] of Object.entries(standIns)) {
    const file = path.join(home, 'node_modules', `${name}.js`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  // It reports the missing types of the shop system, and writes its output.
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  spawnSync(process.execPath, [compiler, '-p', folder, '--declaration', 'false']);
  const dist = path.join(folder, 'dist');
  await writeFile(path.join(dist, 'package.json'), '{ "type": "commonjs" }\n');
  const require = createRequire(path.join(folder, 'package.json'));
  return {
    load: (file) => require(file ? path.join(dist, file) : folder),
    required: await listRequired(dist),
    remove: async () => await rm(home, { recursive: true, force: true }),
  };
}

async function listRequired(dist: string): Promise<string[]> {
  const required = new Set<string>();
  for (const name of await readdir(dist, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(path.join(dist, name), 'utf8');
    for (const [, target = ''] of text.matchAll(/\brequire\("([^".][^"]*)"\)/g)) required.add(target);
  }
  return [...required].sort();
}

// The SDK as users get it: built, packed, and installed from the tarball into an empty project, without a network. Must
// not: use the checkout's sdk/dist, which may be outdated.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../harness/process.ts';

export type Ended = { code: number | null; output: string; errors: string };

export type Project = {
  folder: string;
  /** The files in the tarball, sorted. */
  packed: string[];
  /** Writes a file into the project. Returns its path. */
  write(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
};

/** Runs a program until it ends. */
export async function run(
  file: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  // npm and the compiler would store compiled code in the temporary folder.
  const own = { ...inherited, NODE_DISABLE_COMPILE_CACHE: '1', ...env };
  const child = spawn(file, args, { cwd, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended: Ended = { code: null, output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ended.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.errors += text;
  });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...ended, code }));
  });
}

/** Builds and packs the SDK, and installs the tarball into a new project. */
export async function installPacked(): Promise<Project> {
  const home = await mkdtemp(path.join(tmpdir(), 'paylink-sdk-'));
  const [source, folder] = [path.join(home, 'source'), path.join(home, 'project')];
  const offline = {
    npm_config_cache: path.join(home, 'cache'),
    npm_config_registry: 'http://127.0.0.1:1/',
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    await cp(path.join(root, 'sdk', name), path.join(source, name));
  const built = await run(process.execPath, [path.join(root, 'sdk', 'build.mjs'), source], root);
  assert.equal(built.code, 0, built.output + built.errors);
  const pack = await run('npm', ['pack', '--json', '--ignore-scripts'], source, offline);
  assert.equal(pack.code, 0, pack.errors);
  const [{ filename, files }] = JSON.parse(pack.output);
  await cp(path.join(source, filename), path.join(folder, filename));
  const write = async (name: string, text: string) => {
    await writeFile(path.join(folder, name), text);
    return path.join(folder, name);
  };
  await write('package.json', '{ "name": "shop", "private": true, "type": "module" }\n');
  const install = await run('npm', ['install', '--ignore-scripts', `./${filename}`], folder, offline);
  assert.equal(install.code, 0, install.errors);
  return {
    folder,
    packed: files.map(({ path: name }: { path: string }) => name).sort(),
    write,
    remove: async () => await rm(home, { recursive: true, force: true }),
  };
}

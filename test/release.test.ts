// What `npm run release` refuses, in a clone of this repository.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from './harness/process.ts';
import { run } from './sdk/packed.ts';

let home: string;
let clone: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'paylink-release-test-'));
  clone = join(home, 'clone');
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone]);
  // The scripts as they are, committed or not.
  for (const name of ['release', 'toolchain'])
    await writeFile(join(clone, `scripts/${name}.mjs`), await readFile(join(root, `scripts/${name}.mjs`)));
  for (const [name, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.com'],
  ])
    git('config', name ?? '', value ?? '');
  await setVersion('9.8.7');
});
after(async () => await rm(home, { recursive: true, force: true }));

const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' });

const commit = () => git('commit', '--quiet', '--all', '--allow-empty', '--message', 'a change');

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(join(clone, file), change(await readFile(join(clone, file), 'utf8')));
}

async function setVersion(version: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json', 'sdk/package.json'])
    await edit(file, (text) => text.replace(/"version": "[\d.]+"/, `"version": "${version}"`));
  await edit('sdk-python/pyproject.toml', (text) => text.replace(/^version = .*/m, `version = "${version}"`));
  commit();
}

/** Expects a refusal of one sentence, before anything is installed or built. */
async function refuse(says: RegExp, ...args: string[]): Promise<void> {
  const { code, output, errors } = await run(process.execPath, ['scripts/release.mjs', ...args], clone);
  assert.deepEqual([code, output], [1, '']);
  assert.match(errors, says);
  assert.equal(errors.trim().split('\n').length, 1, errors);
}

test('a release needs a tag, on this commit', async () => {
  await refuse(/^There is no tag v9\.8\.7: tag the commit as in docs\/releasing\.md, or give --snapshot\.$/m);
  git('tag', 'v9.8.7');
  commit();
  await refuse(/^The tag v9\.8\.7 is on [0-9a-f]{10}, not on this commit: git checkout v9\.8\.7$/m);
  git('tag', '--delete', 'v9.8.7');
});

test('a release needs a changelog of its version', async () => {
  git('tag', 'v9.8.7');
  await refuse(/^CHANGELOG\.md has no section "## \[9\.8\.7\] - …"/m);
  git('tag', '--delete', 'v9.8.7');
});

test('a release needs one version in all files', async () => {
  await edit('sdk/package.json', (text) => text.replace('9.8.7', '9.8.6'));
  await refuse(/^package\.json has the version 9\.8\.7, and sdk\/package\.json 9\.8\.6: set both to one\.$/m);
  git('checkout', '--quiet', 'sdk/package.json');
  const python = 'sdk-python/pyproject.toml';
  await edit(python, (text) => text.replace('9.8.7', '9.8.6'));
  await refuse(
    /^package\.json has the version 9\.8\.7, and sdk-python\/pyproject\.toml 9\.8\.6: set both to one\.$/m,
  );
  git('checkout', '--quiet', python);
});

test('a release needs a clean working tree: no changed file and no new one', async () => {
  git('tag', 'v9.8.7');
  await writeFile(join(clone, 'src/extra.ts'), '');
  await refuse(
    /^The working tree differs from its commit \(\?\? src\/extra\.ts\): commit, or remove the changes\.$/m,
  );
  await rm(join(clone, 'src/extra.ts'));
  git('tag', '--delete', 'v9.8.7');
});

test('an unknown option is refused', async () => {
  await refuse(/^Usage: npm run release -- \[--snapshot\] \[--out FOLDER\]$/m, '--snapshop');
});

// What holds for every package in integrations/: which files the project's own type check leaves out, and which names and
// versions the packages have.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { read } from '../harness/documents.ts';
import { root } from '../harness/process.ts';

const names = readdirSync(path.join(root, 'integrations'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .map(({ name }) => name);

const sourcesIn = (name: string) =>
  readdirSync(path.join(root, 'integrations', name, 'src')).map((file) => `integrations/${name}/src/${file}`);

/** The packages that a file imports. */
const packagesOf = (file: string) =>
  [...read(file).matchAll(/from '([^'.][^']*)'/g)]
    .map(([, from = '']) => from)
    .filter((from) => !/^node:/.test(from));

test('the type check of the project leaves out exactly the files that import a shop system', () => {
  assert.ok(names.length > 1);
  const { exclude } = JSON.parse(read('tsconfig.json')) as { exclude: string[] };
  const sources = names.flatMap(sourcesIn).filter((file) => !file.endsWith('.test.ts'));
  const direct = sources.filter((file) => packagesOf(file).length > 0);
  const imports = (file: string) =>
    [...read(file).matchAll(/from '\.\/([^']+)'/g)].map(([, name = '']) => name);
  // And what imports one of these.
  const left = new Set(direct);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const file of sources)
      if (imports(file).some((name) => left.has(path.posix.join(path.posix.dirname(file), name))))
        left.add(file);
  }
  assert.deepEqual(exclude.filter((file) => file.endsWith('.ts')).sort(), [...left].sort());
});

type PackageFile = {
  name: string;
  version: string;
  private: boolean;
  license: string;
  dependencies?: object;
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

test('every package is private and scoped, pins what it is built with, and depends on its shop system only', () => {
  for (const name of names) {
    const file = JSON.parse(read(`integrations/${name}/package.json`)) as PackageFile;
    assert.deepEqual([file.private, file.license, file.dependencies], [true, 'MIT', undefined], name);
    assert.match(file.name, /^@paylink\//);
    assert.equal(file.version, JSON.parse(read('sdk/package.json')).version);
    for (const version of Object.values(file.devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.equal(
      file.devDependencies.typescript,
      JSON.parse(read('package.json')).devDependencies.typescript,
    );
    const used = new Set(sourcesIn(name).flatMap(packagesOf).map(packageOf));
    const peers = Object.keys(file.peerDependencies);
    assert.deepEqual(
      [...used].filter((one) => !peers.includes(one)),
      [],
      name,
    );
    assert.ok(read(`integrations/${name}/README.md`).includes(`paylink-${name}-payment-*.tgz`));
    assert.equal(read(`integrations/${name}/LICENSE`), read('sdk/LICENSE'));
  }
});

/** `@medusajs/framework` of `@medusajs/framework/utils`. */
const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

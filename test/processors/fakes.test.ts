// Fakes are written from the processors' documentation. Code shared with the adapter would share its mistakes, so no
// fake may import code of the service.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** A file of ours and all files of ours that it imports. */
function madeOf(file: URL, known = new Set<string>()): Set<string> {
  if (known.has(file.href)) return known;
  known.add(file.href);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import) '(\.[^']+)'/g))
    madeOf(new URL(specifier, file), known);
  return known;
}

const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
);
const fakes = folders
  .map(({ name }) => new URL(`./${name}/fake.ts`, import.meta.url))
  .filter((file) => existsSync(file));

test('no fake imports code of the service', () => {
  assert.ok(fakes.length > 0, 'the fakes were found');
  for (const fake of fakes) {
    const files = [...madeOf(fake)];
    assert.ok(files.some((file) => file.endsWith('/kit/fake-server.ts')));
    assert.deepEqual(
      files.filter((file) => !file.includes('/test/processors/')),
      [],
      fake.pathname,
    );
  }
});

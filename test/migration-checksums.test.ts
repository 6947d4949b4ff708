// The committed checksums of the migrations, and the errors that their check reports.

import assert from 'node:assert/strict';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { appendChecksums, compareMigrations } from '../scripts/migration-checksums.mjs';
import { root } from './harness/process.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A copy of the migrations, for tests to change. */
function copyMigrations(): { folder: string; file(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-migrations-'));
  folders.push(folder);
  cpSync(join(root, 'migrations'), folder, { recursive: true });
  return { folder, file: (name) => join(folder, name) };
}

test('every migration matches its checksum', () => {
  assert.deepEqual(compareMigrations(join(root, 'migrations')), { faults: [], unlisted: [] });
});

test('a changed migration is refused with a remedy, even if only a space or a line was added', () => {
  const { folder, file } = copyMigrations();
  appendFileSync(file('0001_foundation.sql'), ' ');
  const { faults } = compareMigrations(folder);
  assert.deepEqual(faults, [
    'migrations/0001_foundation.sql was changed after it was committed: restore it, and put the change into a new migration.',
  ]);
});

test('Windows line endings are not a change', () => {
  const { folder, file } = copyMigrations();
  const text = readFileSync(file('0001_foundation.sql'), 'utf8');
  writeFileSync(file('0001_foundation.sql'), text.replaceAll('\n', '\r\n'));
  assert.deepEqual(compareMigrations(folder).faults, []);
});

test('a removed or renamed migration is refused', () => {
  const { folder, file } = copyMigrations();
  cpSync(file('0002_money_and_time.sql'), file('0002_renamed.sql'));
  rmSync(file('0002_money_and_time.sql'));
  const { faults, unlisted } = compareMigrations(folder);
  assert.deepEqual(faults, [
    'migrations/0002_money_and_time.sql is missing: restore it, because databases have applied it.',
  ]);
  assert.deepEqual(unlisted, ['0002_renamed.sql']);
});

test('a new migration adds its line at the end and leaves the other lines unchanged', () => {
  const { folder, file } = copyMigrations();
  const before = readFileSync(file('checksums.txt'), 'utf8');
  writeFileSync(file('9999_new.sql'), 'select 1;\n');
  const { unlisted } = compareMigrations(folder);
  assert.deepEqual(unlisted, ['9999_new.sql']);
  appendChecksums(folder, unlisted);
  const line = /^[0-9a-f]{64} {2}9999_new\.sql\n$/;
  const written = readFileSync(file('checksums.txt'), 'utf8');
  assert.ok(written.startsWith(before));
  assert.match(written.slice(before.length), line);
  assert.deepEqual(compareMigrations(folder), { faults: [], unlisted: [] });
});

test('a changed migration is refused even if a second line has its checksum', () => {
  const { folder, file } = copyMigrations();
  appendFileSync(file('0001_foundation.sql'), '-- more\n');
  appendChecksums(folder, ['0001_foundation.sql']);
  const { faults } = compareMigrations(folder);
  assert.equal(faults.length, 2);
  assert.match(faults.join('\n'), /lists 0001_foundation\.sql twice/);
});

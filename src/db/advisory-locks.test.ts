import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { migrationsDir } from './migrate.ts';

const calls = /pg_(?:try_)?advisory_\w*lock\w*\(/g;
/** A lock of a fixed number, as a constant of the file or as it is; or of the hash of a name. */
const knownCalls =
  /advisory_\w*lock\w*\((?:\$1\)', \[(?<name>\w+)\]|(?<number>[\d_]+)\)|hashtextextended\(|(?:public\.)?company_lock\()/g;

/** The numbers that a file takes locks of. */
function numbersOf(text: string): Set<string> {
  const numbers = [...text.matchAll(knownCalls)].map(
    ({ groups }) => groups?.number ?? new RegExp(`const ${groups?.name} = ([\\d_]+);`).exec(text)?.[1],
  );
  return new Set(numbers.filter((number) => number !== undefined).map((each) => each.replaceAll('_', '')));
}

const hasUnknown = (text: string) =>
  [...text.matchAll(calls)].length !== [...text.matchAll(knownCalls)].length;

/** The numbers that several files take locks of, with the files. */
function findShared(files: ReadonlyMap<string, string>): string[] {
  const takers = new Map<string, string[]>();
  for (const [file, text] of files)
    for (const number of numbersOf(text)) takers.set(number, [...(takers.get(number) ?? []), file]);
  return [...takers].filter(([, by]) => by.length > 1).map(([number, by]) => `${number}: ${by.join(', ')}`);
}

function readFiles(folder: string, ending: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')]);
}

const files = new Map([
  ...readFiles(fileURLToPath(new URL('..', import.meta.url)), '.ts'),
  ...readFiles(migrationsDir, '.sql'),
]);

test('each advisory lock has a number of its own, so that nobody waits for what has nothing to do with it', () => {
  assert.deepEqual(findShared(files), []);
});

test('every advisory lock is taken in a way that this file can read', () => {
  assert.deepEqual(
    [...files].filter(([, text]) => hasUnknown(text)).map(([file]) => file),
    [],
  );
  const withNumbers = [...files].filter(([, text]) => numbersOf(text).size > 0).map(([file]) => file);
  assert.deepEqual(withNumbers.sort(), [
    '0054_event_numbers.sql',
    'cells/protect-cell.ts',
    'db/key-check-store.ts',
    'db/migrate.ts',
  ]);
});

test('a number that two files use is found, however it is written', () => {
  const shared = new Map([
    ['one.ts', "const lockKey = 7_310;\nawait tx.query('select pg_advisory_xact_lock($1)', [lockKey]);"],
    ['two.sql', 'perform pg_advisory_xact_lock_shared(7310);'],
    [
      'three.ts',
      "const otherKey = 7_311;\nawait tx.query('select pg_try_advisory_xact_lock($1)', [otherKey]);",
    ],
  ]);
  assert.deepEqual(findShared(shared), ['7310: one.ts, two.sql']);
  assert.ok(hasUnknown("await tx.query('select pg_advisory_xact_lock($2)', [wanted, lockKey]);"));
});

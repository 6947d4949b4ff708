// Compares migrations/ with the committed migrations/checksums.txt, which `sha256sum -c` also reads: a migration runs
// once per database, so a later edit makes databases differ. `npm run goldens` appends the lines of new files. Must not:
// change an existing line.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './toolchain.mjs';

const fileName = 'checksums.txt';

/** The checksum of the text as src/db/migrate.ts reads it: a checkout on Windows may convert the line ends. */
function checksumOf(/** @type {string} */ file) {
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  return createHash('sha256').update(text).digest('hex');
}

/** @returns {{ listed: Map<string, string>; faults: string[] }} the checksum of each file, in the order of the lines */
function readListed(/** @type {string} */ file) {
  const listed = new Map();
  const faults = [];
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split(/\r?\n/) : [];
  for (const line of lines.filter((text) => text !== '')) {
    const [, checksum = '', name = ''] = /^([0-9a-f]{64}) {2}(\S+\.sql)$/.exec(line) ?? [];
    if (name === '') faults.push(`migrations/${fileName} has an invalid line: ${line}`);
    else if (listed.has(name))
      faults.push(`migrations/${fileName} lists ${name} twice: keep its first line.`);
    else listed.set(name, checksum);
  }
  return { listed, faults };
}

/** @param {string} folder @returns {{ faults: string[]; unlisted: string[] }} sentences; files without a line */
export function compareMigrations(folder) {
  const { listed, faults } = readListed(path.join(folder, fileName));
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  for (const [name, checksum] of listed) {
    if (!files.includes(name))
      faults.push(`migrations/${name} is missing: restore it, because databases have applied it.`);
    else if (checksumOf(path.join(folder, name)) !== checksum)
      faults.push(
        `migrations/${name} was changed after it was committed: restore it, and put the change into a new migration.`,
      );
  }
  return { faults, unlisted: files.filter((name) => !listed.has(name)) };
}

export function appendChecksums(/** @type {string} */ folder, /** @type {readonly string[]} */ names) {
  const lines = names.map((name) => `${checksumOf(path.join(folder, name))}  ${name}\n`);
  appendFileSync(path.join(folder, fileName), lines.join(''));
}

/** @returns {number} the exit code */
function main(/** @type {boolean} */ isCheck) {
  const folder = path.join(root, 'migrations');
  const { faults, unlisted } = compareMigrations(folder);
  if (isCheck)
    for (const name of unlisted)
      faults.push(
        `migrations/${name} has no checksum: run "npm run goldens" and commit migrations/${fileName}.`,
      );
  else appendChecksums(folder, unlisted);
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = main(process.argv.includes('--check'));

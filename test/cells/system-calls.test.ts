// The table of ARCHITECTURE.md says whose database each use of `inSystem`, `asOwner` and `withConnection` means, where there are
// several. A new use needs a decision, and so a row.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../harness/process.ts';

/** The files of src that call one of the three; their own definitions in src/db do not count. */
function filesWithCalls(): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(test|long)\.ts$/.test(file),
  );
  return files
    .map((file) => `src/${file}`)
    .filter((file) => file !== 'src/db/database.ts')
    .filter((file) => {
      const code = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      return /\.(inSystem|asOwner|withConnection)\b|\b(asOwner)\b[,:}) ]/.test(code);
    })
    .sort();
}

/** The files in the first column of the table; a name without a folder is beside the one before it. */
function filesInTable(): string[] {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const [, section = ''] = page.split('\n## Cells\n');
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| (`.*?) \|/gm)]
    .flatMap(([, cell = '']) => {
      let folder = '';
      return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
        const file = name.includes('/') ? name : `${folder}/${name}`;
        folder = dirname(file);
        return file;
      });
    })
    .sort();
}

test('every file that uses a database without a company is in the table of ARCHITECTURE.md, and no other', () => {
  assert.deepEqual(filesInTable(), filesWithCalls());
});

// Deletes the files of the production packages that a running service never reads: fonts that receipts do not use, source
// maps and type declarations. Images and releases run it. Must not: touch a folder with the packages of development, whose
// checks read the declarations.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PlainFault, root, runScript, say } from './toolchain.mjs';

const modules = path.join(root, 'node_modules');
const unread = /\.map$|\.d\.[cm]?ts$/;

/** Whether the service may read a file. The names of the fonts are in the source. */
function isRead(/** @type {string} */ name, /** @type {string} */ fontSource) {
  return name.endsWith('.ttf') ? fontSource.includes(`/${name}`) : !unread.test(name);
}

await runScript(async () => {
  if (existsSync(path.join(modules, 'typescript')))
    throw new PlainFault('Remove the packages of development first: npm prune --omit=dev');
  const fontSource = readFileSync(path.join(root, 'src', 'receipts', 'fonts.ts'), 'utf8');
  let count = 0;
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || isRead(entry.name, fontSource)) continue;
    rmSync(path.join(entry.parentPath, entry.name));
    count += 1;
  }
  say(`Deleted ${count} files that the service does not read.`);
  return 0;
});

// The tidy rule that one command runs each test: `npm test`, `npm run test:long` or `npm run campaign`. A test file
// that no command finds would never fail.

import path from 'node:path';
import { campaignName, stepOf, steps, testFolders } from '../scripts/test-files.mjs';
import type { Facts } from './tidy-source.ts';

const endings = Object.values(steps).map(({ ending }) => ending);

/** Faults of the names and places of test files. */
export function checkTestFiles(
  facts: readonly Facts[],
): { path: string; line: number; rule: string; message: string }[] {
  const paths = new Set(facts.map((file) => file.path));
  const imported = new Set(facts.flatMap(importedFiles));
  const names = new Map<string, string>();
  return facts.flatMap((file) => {
    const message = findFault(file, { paths, imported, names });
    return message === null ? [] : [{ path: file.path, line: 1, rule: 'test file', message }];
  });
}

function importedFiles({ path: from, imports }: Facts): string[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => path.posix.join(path.posix.dirname(from), specifier));
}

function findFault(
  { path: file, imports }: Facts,
  project: { paths: Set<string>; imported: Set<string>; names: Map<string, string> },
): string | null {
  const step = stepOf(file);
  if (step === undefined) {
    const declaresTests = imports.some(({ specifier }) => specifier === 'node:test');
    if (!declaresTests || !file.startsWith('test/') || project.imported.has(file)) return null;
    return `no command runs its tests: end its name with ${endings.join(', ')}`;
  }
  if (!testFolders.includes(file.split('/')[0] ?? ''))
    return `no command looks for tests here: move it to ${testFolders.join('/, ')}/`;
  if (step !== 'campaign') return null;
  const name = campaignName(file);
  const other = project.names.get(name);
  if (other !== undefined)
    return `${other} has the name "${name}" too: name one of the campaigns differently`;
  project.names.set(name, file);
  const short = file.replace(steps.campaign.ending, steps.long.ending);
  return project.paths.has(short) ? null : `add its short form of at most 2 minutes as ${short}`;
}

// Makes a release from the commit of this checkout, without a tag. Uncommitted changes are not in it.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../sdk/packed.ts';
import { root } from './process.ts';

/** The files of a release by name, and what the command reported. */
export type MadeRelease = { files: Map<string, Buffer>; report: string };

/** Makes a release into the new folder `out`, by the script itself or by `npm run release`. */
export async function makeRelease(out: string, way: 'script' | 'npm'): Promise<MadeRelease> {
  const options = ['--snapshot', '--out', out];
  const { code, output, errors } =
    way === 'npm'
      ? await run('npm', ['run', '--silent', 'release', '--', ...options], root)
      : await run(
          process.execPath,
          [path.join(root, 'scripts', 'release.mjs'), ...options],
          path.dirname(out),
        );
  assert.equal(code, 0, errors);
  assert.equal(output.trim(), out);
  const files = new Map(readdirSync(out).map((file) => [file, readFileSync(path.join(out, file))]));
  return { files, report: errors };
}

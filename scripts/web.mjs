// Checks whether the built dashboard matches its sources, and builds it if not. Uses only Node itself. Must
// not: take noticeable time when there is nothing to build.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRelease, node24, oneAtATime, PlainFault, root, say } from './toolchain.mjs';

/** Where the built dashboard is; the service serves it from there. */
export const webFolder = path.join(root, 'web', 'dist');
/** The file with the hash of a build's sources. */
export const stampName = '.sources';

const otherSources = [
  'package-lock.json',
  'scripts/build-web.mjs',
  'scripts/compile-texts.mjs',
  'sdk/src/api-routes.ts',
  'sdk/src/api-types.ts',
];

/** SHA-256 over the names and contents of all sources. */
export function hashSources() {
  const folder = path.join(root, 'web');
  const own = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !path.relative(folder, file).startsWith('dist') && !file.endsWith('.test.ts'));
  const hash = createHash('sha256');
  for (const file of [...own, ...otherSources.map((name) => path.join(root, name))].sort()) {
    const bytes = readFileSync(file);
    hash.update(`${path.relative(root, file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function isBuilt() {
  const stamp = path.join(webFolder, stampName);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === `${hashSources()}\n`;
}

/** @throws {PlainFault} if only the production packages are installed, which cannot build the dashboard. */
export function requireBuildPackages() {
  if (existsSync(path.join(root, 'node_modules', 'vite'))) return;
  throw new PlainFault(
    'The dashboard cannot be built: only the production packages are installed. ' +
      'Run `npm ci --include=dev`, then `npm run build`.',
  );
}

/** Builds the dashboard when its sources have changed. @throws {PlainFault} when they can't be built. */
export async function ensureWebBuilt() {
  try {
    await buildWhereChanged();
  } catch (error) {
    if (error instanceof PlainFault) throw error;
    throw new PlainFault(
      `The dashboard could not be built: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function buildWhereChanged() {
  if (isRelease || isBuilt()) return;
  requireBuildPackages();
  await oneAtATime(path.join(root, '.cache', 'web.lock'), async () => {
    if (isBuilt()) return;
    say('Building the dashboard (once)…');
    const script = path.join(root, 'scripts', 'build-web.mjs');
    // A server's setting must not change the build.
    const { NODE_ENV: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const child = spawn(node24(), [script], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new PlainFault('The dashboard could not be built. The error is above.');
  });
}

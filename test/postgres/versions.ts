// Runs test files on another version of PostgreSQL, in a run of their own.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { unprivileged } from '../../scripts/cluster.mjs';
import { root } from '../harness/process.ts';
import { run } from '../sdk/packed.ts';
import { fetchPostgres, numberOf, type Version } from './packages.ts';

async function runFiles(t: TestContext, version: Version, files: readonly string[]): Promise<void> {
  // Other accounts may lack access to root's temporary folder, but not to /tmp.
  const home = await mkdtemp(join(unprivileged() ? '/tmp' : tmpdir(), 'paylink-postgres-'));
  try {
    await chmod(home, 0o711);
    const bin = await fetchPostgres(version, home);
    const said = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
    assert.equal(said.trim(), `postgres (PostgreSQL) ${numberOf(version)}`);
    // The last of them shows that the tests before it ran on this version.
    const all = [...files, 'test/postgres/named.test.ts'];
    // One at a time: this run shares the machine with other long tests.
    const args = [join(root, 'scripts/test.mjs'), '--test-concurrency=1', ...all];
    const { code, output, errors } = await run(process.execPath, args, root, { POSTGRES_BIN: bin });
    const count = output.trim().split('\n').at(-1) ?? '';
    t.diagnostic(`PostgreSQL ${numberOf(version)}: ${count}`);
    const failures = output.split('\n✖ failing tests:\n')[1] ?? output.slice(-4_000);
    assert.equal(code, 0, `${failures}\n${errors}`);
    assert.match(count, /^\d+ passed, 0 failed$/);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Declares a test that these files pass on a version. */
export function testVersion(title: string, version: Version, files: readonly string[]): void {
  test(`${title} on PostgreSQL ${numberOf(version)}`, async (t) => {
    await runFiles(t, version, files);
  });
}

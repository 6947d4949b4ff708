// The commands that run tests install system packages only with the user's consent.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from './harness/process.ts';

// A machine without curl and Chromium, whose `apt-get`, `sudo` and `env` only record their calls.
let machine = '';
before(async () => {
  machine = await mkdtemp(join(tmpdir(), 'paylink-machine-'));
  for (const name of ['apt-get', 'sudo', 'env']) {
    const file = join(machine, name);
    await writeFile(file, `#!/bin/sh\necho "$@" >> '${machine}/calls'\n`);
    await chmod(file, 0o755);
  }
});
after(async () => await rm(machine, { recursive: true }));

async function runTests(options: readonly string[], settings: Record<string, string> = {}) {
  await writeFile(join(machine, 'calls'), '');
  const { CI: _, CHROMIUM_PATH: __, POSTGRES_BIN: ___, ...inherited } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [`${root}scripts/test.mjs`, ...options], {
    encoding: 'utf8',
    env: { ...inherited, PATH: machine, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  assert.equal(status, 1);
  const calls = await readFile(join(machine, 'calls'), 'utf8');
  return { stderr, installed: /apt-get .* install .*curl/.test(calls) };
}

test('without a terminal, `npm test` installs nothing and says what is missing and how to allow it', async () => {
  const { stderr, installed } = await runTests([]);
  assert.equal(installed, false);
  assert.match(
    stderr,
    /^The tests need .*curl and qpdf\. Install it with your package manager \(Debian: apt-get install /m,
  );
  assert.match(stderr, /add `-- --install` to the command\.$/m);
});

test('`--install` and the variable CI allow it to install', async () => {
  assert.equal((await runTests(['--install'])).installed, true);
  assert.equal((await runTests([], { CI: 'true' })).installed, true);
  assert.equal((await runTests([], { CI: 'false' })).installed, false);
});

test('a POSTGRES_BIN without a new enough PostgreSQL is refused in one sentence, and nothing is installed', async () => {
  const { stderr, installed } = await runTests(['--install'], { POSTGRES_BIN: machine });
  assert.equal(installed, false);
  assert.equal(
    stderr.trim(),
    `POSTGRES_BIN names ${machine}, which has no initdb and postgres of PostgreSQL 15 or newer: correct it or unset it.`,
  );
});

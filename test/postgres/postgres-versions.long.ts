// Runs the tests that depend most on the database on the newest version of PostgreSQL. The short form of
// postgres-versions.campaign.ts, which runs more tests on every version.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../harness/process.ts';
import { coreFiles, shortFiles } from './core-files.ts';
import { type Version, versions } from './packages.ts';
import { testVersion } from './versions.ts';

test('every core test exists', () => {
  assert.deepEqual(
    coreFiles.filter((file) => !existsSync(join(root, file))),
    [],
  );
});

testVersion('migrations, tenants, payments, work and search pass', versions.at(-1) as Version, shortFiles);

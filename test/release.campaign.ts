// Makes a release twice from the commit of this checkout: both are the same to the byte.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeRelease } from './harness/made-release.ts';

let home: string;
before(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'paylink-release-'));
});
after(async () => await rm(home, { recursive: true, force: true }));

test('two runs give the same bytes, also through npm', async () => {
  const { files } = await makeRelease(path.join(home, 'first'), 'script');
  const second = await makeRelease(path.join(home, 'second'), 'npm');
  assert.ok(files.size > 0);
  assert.deepEqual([...second.files.keys()], [...files.keys()]);
  for (const [name, bytes] of second.files)
    assert.ok(bytes.equals(files.get(name) ?? Buffer.alloc(0)), `${name} differs`);
});

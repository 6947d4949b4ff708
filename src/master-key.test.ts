import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { keyFilesOf, loadMasterKeys, readMasterKeys, replaceMasterKey } from './master-key.ts';

const settingsFor = async (t: TestContext) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paylink-key-'));
  t.after(async () => await rm(dataDir, { recursive: true, force: true }));
  return { masterKey: null, oldMasterKey: null, dataDir };
};

test('a key is created once, and settings override the files', async (t) => {
  const settings = await settingsFor(t);
  assert.equal(readMasterKeys(settings), null);
  const made = await loadMasterKeys(settings);
  assert.deepEqual([made.current.length, made.old], [32, null]);
  assert.deepEqual(await loadMasterKeys(settings), made);
  const given = { ...settings, masterKey: Buffer.alloc(32, 1), oldMasterKey: Buffer.alloc(32, 2) };
  assert.deepEqual(await loadMasterKeys(given), { current: given.masterKey, old: given.oldMasterKey });
});

test('a replaced key stays as the old key until its file is deleted, and only the owner can read both', async (t) => {
  const settings = await settingsFor(t);
  const { current: before } = await loadMasterKeys(settings);
  const replaced = await replaceMasterKey(settings, before);
  assert.deepEqual(replaced.old, before);
  assert.notDeepEqual(replaced.current, before);
  assert.deepEqual(await loadMasterKeys(settings), replaced);
  const files = keyFilesOf(settings);
  for (const file of Object.values(files)) assert.equal((await stat(file)).mode & 0o777, 0o600, file);
  await rm(files.old);
  assert.deepEqual(await loadMasterKeys(settings), { current: replaced.current, old: null });
});

test('a rotation interrupted before the new key was written starts over', async (t) => {
  const settings = await settingsFor(t);
  const { current: before } = await loadMasterKeys(settings);
  const files = keyFilesOf(settings);
  await writeFile(files.old, before.toString('base64'));
  assert.deepEqual(readMasterKeys(settings), { current: before, old: null });
  const replaced = await replaceMasterKey(settings, before);
  assert.deepEqual(readMasterKeys(settings), { current: replaced.current, old: before });
  assert.ok(!existsSync(`${files.old}.new`) && !existsSync(`${files.current}.new`));
});

test('an invalid file of the old key is rejected by name', async (t) => {
  const settings = await settingsFor(t);
  await loadMasterKeys(settings);
  const { old } = keyFilesOf(settings);
  await writeFile(old, 'not a key\n');
  await assert.rejects(loadMasterKeys(settings), { message: new RegExp(`^The file ${old} does not hold`) });
});

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

test('a key is made once, is read without being made, and settings win over the files', async (t) => {
  const settings = await settingsFor(t);
  assert.equal(readMasterKeys(settings), null);
  const made = await loadMasterKeys(settings);
  assert.deepEqual([made.current.length, made.old], [32, null]);
  assert.deepEqual(await loadMasterKeys(settings), made);
  const given = { ...settings, masterKey: Buffer.alloc(32, 1), oldMasterKey: Buffer.alloc(32, 2) };
  assert.deepEqual(await loadMasterKeys(given), { current: given.masterKey, old: given.oldMasterKey });
});

test('a key that is replaced stays as the old one, until its file is deleted; both are for their owner only', async (t) => {
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

test('a change that broke off before the new key was written counts as none, and begins anew', async (t) => {
  const settings = await settingsFor(t);
  const { current: before } = await loadMasterKeys(settings);
  const files = keyFilesOf(settings);
  await writeFile(files.old, before.toString('base64'));
  assert.deepEqual(readMasterKeys(settings), { current: before, old: null });
  const replaced = await replaceMasterKey(settings, before);
  assert.deepEqual(readMasterKeys(settings), { current: replaced.current, old: before });
  assert.ok(!existsSync(`${files.old}.new`) && !existsSync(`${files.current}.new`));
});

test('a file of the old key that holds no key is refused, and named', async (t) => {
  const settings = await settingsFor(t);
  await loadMasterKeys(settings);
  const { old } = keyFilesOf(settings);
  await writeFile(old, 'not a key\n');
  await assert.rejects(loadMasterKeys(settings), { message: new RegExp(`^The file ${old} does not hold`) });
});

// Where the master keys come from: the settings, or, on the embedded database, files in the data folder that
// only their owner may read: `master.key`, made once, and while it is being changed `master.key.old`. Losing
// the current one makes every API key and token void. Must never: write over a key that is kept nowhere else.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, decodeMasterKey } from './config.ts';

type KeySettings = Pick<Config, 'masterKey' | 'oldMasterKey' | 'dataDir'>;

/** 32 bytes each; `old` is null unless the master key is being changed. */
export type MasterKeys = { current: Buffer; old: Buffer | null };

/** The files of the data folder that hold them. */
export function keyFilesOf({ dataDir }: Pick<Config, 'dataDir'>): { current: string; old: string } {
  const current = join(dataDir, 'master.key');
  return { current, old: `${current}.old` };
}

/** Written beside, flushed and renamed: a crash leaves a whole key or none, never an empty file. */
async function writeKeyFile(file: string, key: Buffer): Promise<void> {
  const unfinished = `${file}.new`;
  // What a crash left here was never used.
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', 0o600);
  await handle.writeFile(`${key.toString('base64')}\n`);
  await handle.sync();
  await handle.close();
  await rename(unfinished, file);
  // Without this a power failure may take the name away. Windows can't flush a folder and has no need to.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  await folder.sync();
  await folder.close();
}

/** Null when there is no such file. Throws an Error of one sentence when it holds no key. */
function readKeyFile(file: string): Buffer | null {
  if (!existsSync(file)) return null;
  const key = decodeMasterKey(readFileSync(file, 'utf8').trim());
  if (key) return key;
  throw new Error(
    `The file ${file} does not hold a master key of 32 bytes in base64: restore it from a backup.`,
  );
}

/**
 * The master keys, without making any; null when there is none. Throws an Error of one sentence when a key
 * file holds no key.
 */
export function readMasterKeys(config: KeySettings): MasterKeys | null {
  const { masterKey, oldMasterKey } = config;
  if (masterKey) return { current: masterKey, old: oldMasterKey };
  const files = keyFilesOf(config);
  const current = readKeyFile(files.current);
  if (!current) return null;
  const old = oldMasterKey ?? readKeyFile(files.old);
  // A change that broke off before the new key was written has left two files of one key.
  return { current, old: old?.equals(current) ? null : old };
}

/**
 * The master keys; on the embedded database the current one is made where there is none. The caller holds the
 * lock of the data folder. Throws as `readMasterKeys` does.
 */
export async function loadMasterKeys(config: KeySettings): Promise<MasterKeys> {
  if (!config.masterKey) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const files = keyFilesOf(config);
    if (!existsSync(files.current)) await writeKeyFile(files.current, randomBytes(32));
    for (const file of Object.values(files)) if (existsSync(file)) await chmod(file, 0o600);
  }
  const keys = readMasterKeys(config);
  if (!keys) throw new Error('a master key was made and is not there');
  return keys;
}

/**
 * Makes a new master key in the data folder and keeps the one before as the old one. The caller holds the lock
 * of the folder, and has seen that there is a key and no change under way. Killed at any point, it leaves the
 * key before in one file or in both.
 */
export async function replaceMasterKey(config: KeySettings, current: Buffer): Promise<MasterKeys> {
  const files = keyFilesOf(config);
  await writeKeyFile(files.old, current);
  const made = randomBytes(32);
  await writeKeyFile(files.current, made);
  return { current: made, old: current };
}

// Reads the master keys: from the settings or, with the embedded database, from files in the data folder that
// only their owner may read: `master.key`, generated once, and `master.key.old` during a rotation. Without
// the current one every API key and token is invalid. Must not: overwrite a key that is stored nowhere else.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from './base/operator-error.ts';
import { type Config, decodeMasterKey } from './config.ts';

type KeySettings = Pick<Config, 'masterKey' | 'oldMasterKey' | 'dataDir'>;

/** 32 bytes each; `old` is null except during a rotation. */
export type MasterKeys = { current: Buffer; old: Buffer | null };

/** Their files in the data folder. */
export function keyFilesOf({ dataDir }: Pick<Config, 'dataDir'>): { current: string; old: string } {
  const current = join(dataDir, 'master.key');
  return { current, old: `${current}.old` };
}

/** Writes a temporary file, flushes and renames it: a crash leaves a complete key or none. */
async function writeKeyFile(file: string, key: Buffer): Promise<void> {
  const unfinished = `${file}.new`;
  // Left by a crash and never used.
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', 0o600);
  await handle.writeFile(`${key.toString('base64')}\n`);
  await handle.sync();
  await handle.close();
  await rename(unfinished, file);
  // Without this a power failure may lose the name. Windows cannot flush a folder and need not.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  await folder.sync();
  await folder.close();
}

/** Null when the file is missing. Throws an Error of one sentence when it contains no key. */
function readKeyFile(file: string): Buffer | null {
  if (!existsSync(file)) return null;
  const key = decodeMasterKey(readFileSync(file, 'utf8').trim());
  if (key) return key;
  throw new OperatorError(
    `The file ${file} does not hold a master key of 32 bytes in base64: restore it from a backup.`,
  );
}

/**
 * The master keys, without generating any; null when there is none. Throws an Error of one sentence when a
 * key file contains no key.
 */
export function readMasterKeys(config: KeySettings): MasterKeys | null {
  const { masterKey, oldMasterKey } = config;
  if (masterKey) return { current: masterKey, old: oldMasterKey };
  const files = keyFilesOf(config);
  const current = readKeyFile(files.current);
  if (!current) return null;
  const old = oldMasterKey ?? readKeyFile(files.old);
  // A rotation interrupted before the new key was written leaves two files with one key.
  return { current, old: old?.equals(current) ? null : old };
}

/**
 * The master keys; with the embedded database, generates a missing current one. The caller holds the lock of
 * the data folder. Throws like `readMasterKeys`.
 */
export async function loadMasterKeys(config: KeySettings): Promise<MasterKeys> {
  if (!config.masterKey) {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    const files = keyFilesOf(config);
    if (!existsSync(files.current)) await writeKeyFile(files.current, randomBytes(32));
    for (const file of Object.values(files)) if (existsSync(file)) await chmod(file, 0o600);
  }
  const keys = readMasterKeys(config);
  if (!keys) throw new Error('a created master key is missing');
  return keys;
}

/**
 * Generates a new master key in the data folder and keeps the previous one as the old one. The caller holds
 * the lock of the folder, and has checked that there is a key and no rotation under way. If it is interrupted
 * at any point, the previous key is in one file or in both.
 */
export async function replaceMasterKey(config: KeySettings, current: Buffer): Promise<MasterKeys> {
  const files = keyFilesOf(config);
  await writeKeyFile(files.old, current);
  const made = randomBytes(32);
  await writeKeyFile(files.current, made);
  return { current: made, old: current };
}

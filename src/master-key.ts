// Where the master key comes from: the settings, or, on the embedded database, a file in the data
// folder that is made once and readable by its owner only. Losing it makes every API key and token void.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, decodeMasterKey } from './config.ts';

/** Written beside, flushed and renamed: a crash leaves a whole key or none, never an empty file. */
async function createKeyFile(file: string): Promise<void> {
  const unfinished = `${file}.new`;
  // What a crash left here was never used.
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', 0o600);
  await handle.writeFile(`${randomBytes(32).toString('base64')}\n`);
  await handle.sync();
  await handle.close();
  await rename(unfinished, file);
  // Without this a power failure may take the name away. Windows can't flush a folder and has no need to.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), 'r');
  await folder.sync();
  await folder.close();
}

/**
 * The master key, 32 bytes. The caller holds the lock of the data folder. Throws an Error of one
 * sentence when the key file holds no key.
 */
export async function loadMasterKey(config: Pick<Config, 'masterKey' | 'dataDir'>): Promise<Buffer> {
  if (config.masterKey) return config.masterKey;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const file = join(config.dataDir, 'master.key');
  if (!existsSync(file)) await createKeyFile(file);
  await chmod(file, 0o600);
  const key = decodeMasterKey((await readFile(file, 'utf8')).trim());
  if (!key)
    throw new Error(
      `The file ${file} does not hold a master key of 32 bytes in base64: restore it from a backup.`,
    );
  return key;
}

// What the command line keeps between two calls: `$XDG_CONFIG_HOME/paylink`, readable by its owner only.
// It must never leave a file half written, nor one that others may read.

import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Environment, usageError } from './fault.ts';

/** Where the files are. */
export function configFolder(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'paylink');
}

/** The entries of a file, by name; none when there is no file. Throws a CommandError when it can't be read. */
export async function readEntries<T>(env: Environment, fileName: string): Promise<Record<string, T>> {
  const file = join(configFolder(env), fileName);
  if (!existsSync(file)) return {};
  try {
    const entries: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
      throw new Error('it is not an object');
    // What stands there was written by this program.
    return entries as Record<string, T>;
  } catch (error) {
    throw usageError(`The file ${file} cannot be read: ${messageOf(error)}. Remove it and log in again.`);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Writes the entries beside the file and renames: a reader finds the old ones or the new ones. Throws a
 * CommandError when they can't be written.
 */
export async function writeEntries(
  env: Environment,
  fileName: string,
  entries: Readonly<Record<string, unknown>>,
): Promise<void> {
  const folder = configFolder(env);
  const file = join(folder, fileName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await replaceFile(file, `${JSON.stringify(entries, null, 2)}\n`);
  } catch (error) {
    throw usageError(`The file ${file} cannot be written: ${messageOf(error)}.`);
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

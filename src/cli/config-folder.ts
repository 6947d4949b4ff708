// The files in `$XDG_CONFIG_HOME/paylink`. Must not: leave one incomplete, or readable for others.

import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Environment, usageError } from './command-error.ts';

function configFolder(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'paylink');
}

/** The entries of a file, by name; empty without a file. Throws a CommandError if it can't be read. */
export async function readEntries<T>(env: Environment, fileName: string): Promise<Record<string, T>> {
  const file = join(configFolder(env), fileName);
  if (!existsSync(file)) return {};
  try {
    const entries: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
      throw new Error('it is not an object');
    // This program wrote the entries.
    return entries as Record<string, T>;
  } catch (error) {
    throw usageError(`The file ${file} cannot be read: ${messageOf(error)}. Remove it and log in again.`);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Writes the entries to a new file and renames it, so that a reader never sees an incomplete one. */
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

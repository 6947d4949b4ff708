// The note of a move in the data folder of its source, `move.json`. From "moved" on the folder is only a backup, and its
// database is in `pg.moved`, because release 0.1.0 does not know the note. Must not: contain a password, be written without
// a flush, or let anything open a database that was moved.

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../base/operator-error.ts';
import { flush } from './data-folder.ts';

export type FolderMove = {
  /** The same as in the target. */
  moveId: string;
  /** `copying`: this folder counts. `moved`: the target counts. */
  state: 'copying' | 'moved';
  /** The target, without its password: `the database paylink at db.internal, port 5432`. */
  to: string;
  at: string;
};

const fileOf = (dataDir: string) => join(dataDir, 'move.json');

/** Null without a move. Throws an OperatorError when the file is damaged. */
export function readFolderMove(dataDir: string): FolderMove | null {
  const file = fileOf(dataDir);
  if (!existsSync(file)) return null;
  const damaged = new OperatorError(
    `The file ${file} is damaged: it says whether this database was moved to a server. Restore it from a backup.`,
  );
  let contents: unknown;
  try {
    contents = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw damaged;
  }
  if (typeof contents !== 'object' || contents === null) throw damaged;
  const { moveId, state, to, at } = contents as Record<string, unknown>;
  if (typeof moveId !== 'string' || typeof to !== 'string' || typeof at !== 'string') throw damaged;
  if (state !== 'copying' && state !== 'moved') throw damaged;
  return { moveId, state, to, at };
}

/** Writes a temporary file, flushes and renames it. The caller holds the lock of the folder. */
export function writeFolderMove(dataDir: string, move: FolderMove): void {
  const file = fileOf(dataDir);
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  const opened = openSync(unfinished, 'wx', 0o600);
  try {
    writeFileSync(opened, `${JSON.stringify(move)}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(unfinished, file);
  flush(dataDir, true);
}

/**
 * Renames `pg` to `pg.moved`, and leaves a text in its place: release 0.1.0, which does not read `move.json`, starts neither
 * on such a folder nor creates a new database there. Finishes what an interruption has left. The caller holds the lock of
 * the folder, and has closed the database.
 */
export function setMovedDatabaseAside(dataDir: string, { to, at }: FolderMove): void {
  const place = join(dataDir, 'pg');
  const aside = join(dataDir, 'pg.moved');
  const isDatabase = existsSync(join(place, 'PG_VERSION'));
  if (existsSync(aside) && isDatabase)
    throw new OperatorError(
      `Both ${aside} and ${place} hold a database: move away the one in pg, which is newer than the move.`,
    );
  if (!isDatabase && existsSync(place) && readdirSync(place).length > 0) return;
  // It is complete before the database is renamed, so that the place is empty for as short as possible.
  const unfinished = join(dataDir, 'pg.note');
  const text = join(unfinished, 'MOVED.txt');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(
    text,
    `This database was moved to ${to} (${at}).\nThe folder pg.moved is what it was then. Do not start Paylink on it.\n`,
    { mode: 0o600 },
  );
  flush(text, false);
  flush(unfinished, true);
  if (isDatabase) renameSync(place, aside);
  renameSync(unfinished, place);
  flush(dataDir, true);
}

/** Throws an OperatorError if the database of the folder was moved to a server. */
export function refuseMovedFolder(dataDir: string): void {
  const move = readFolderMove(dataDir);
  if (move?.state !== 'moved') return;
  throw new OperatorError(
    `The database in ${dataDir} was moved to ${move.to} (${move.at}): set DATABASE_URL to that database and ` +
      'PAYLINK_MASTER_KEY to the key of this folder, as docs/operations.md describes under "From the trial to a server".',
  );
}

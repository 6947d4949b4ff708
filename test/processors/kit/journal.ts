// The durable memory of a fake: one JSON line for each thing that happened, on disk before anybody is
// answered. Lines are only ever appended; a start replays them.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

/** The text of a journal up to its last whole line: what a crash cut short was never answered. */
function readWhole(file: string): string {
  if (!existsSync(file)) return '';
  const text = readFileSync(file, 'utf8');
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** All whole lines of a journal file; none when there is no file yet. */
export function readLines<Line>(file: string): Line[] {
  return readWhole(file)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

export type LineJournal<Line> = {
  /** All lines, the oldest first: those that stood in the file, and those appended since. */
  lines: readonly Line[];
  /** Returns when the line is on disk. */
  append(line: Line): void;
  close(): void;
};

/** Opens a journal for its one writer. A line that a crash cut short is removed, so that the next one is whole. */
export function openLines<Line>(file: string): LineJournal<Line> {
  const lines = readLines<Line>(file);
  if (existsSync(file)) truncateSync(file, Buffer.byteLength(readWhole(file)));
  const handle = openSync(file, 'a', 0o600);
  return {
    lines,
    append: (line) => {
      writeSync(handle, `${JSON.stringify(line)}\n`);
      fsyncSync(handle);
      lines.push(line);
    },
    close: () => closeSync(handle),
  };
}

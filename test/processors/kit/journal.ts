// The durable journal of a fake: one JSON line for each event, on disk before the response. A start replays it.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

/** The journal up to its last complete line. A truncated line was never confirmed. */
function readWhole(file: string): string {
  if (!existsSync(file)) return '';
  const text = readFileSync(file, 'utf8');
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** All complete lines of a journal file; none without a file. */
export function readLines<Line>(file: string): Line[] {
  return readWhole(file)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

export type LineJournal<Line> = {
  /** All lines, oldest first. */
  lines: readonly Line[];
  /** Returns when the line is on disk. */
  append(line: Line): void;
  close(): void;
};

/** Opens a journal for its only writer. Removes a truncated last line. */
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

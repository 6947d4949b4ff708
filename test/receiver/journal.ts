// What a receiver of webhooks remembers: one JSON line for each message, on disk before it is answered. Lines
// are only ever appended.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A message as it arrived. */
export type Received = {
  path: string;
  headers: Record<string, string>;
  body: string;
  atMs: number;
};

/** All lines of a journal file; a last line that a crash cut short was never answered and is left out. */
export function readReceived(file: string): Received[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Received);
}

/** Opens a journal for its one writer. `append` returns when the line is on disk. */
export function openReceived(file: string): { append(line: Received): void; close(): void } {
  const handle = openSync(file, 'a', 0o600);
  return {
    append: (line) => {
      writeSync(handle, `${JSON.stringify(line)}\n`);
      fsyncSync(handle);
    },
    close: () => closeSync(handle),
  };
}

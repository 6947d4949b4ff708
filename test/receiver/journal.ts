// The journal of a webhook receiver: one JSON line for each message, written to disk before the response.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A received message. */
export type Received = {
  path: string;
  headers: Record<string, string>;
  body: string;
  atMs: number;
};

/** All lines of a journal, without an incomplete last line, which got no response. */
export function readReceived(file: string): Received[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Received);
}

/** Opens a journal for one writer. `append` returns when the line is on disk. */
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

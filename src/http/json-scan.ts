// Finds what JSON.parse ignores: duplicate names, of which it keeps the last and others may keep the first, and more
// nesting or names than any request needs. It leaves all other errors to JSON.parse.

import { endOfString, isFollowedByColon } from '../base/json.ts';

export const maxDepth = 32;

/** Beyond some thousands of members, V8 reads each name more slowly. */
export const maxMembers = 1_000;

export type JsonStructureError =
  | { kind: 'duplicate'; name: string }
  | { kind: 'depth' }
  | { kind: 'members' };

const quote = 0x22;
const comma = 0x2c;

/** A name as JSON.parse reads it; null when it is not a JSON string. */
function readName(text: string, start: number, end: number): string | null {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return null;
  }
}

/** The first thing in a JSON text that JSON.parse would lose silently, or null. It takes one pass. */
export function scanJson(text: string): JsonStructureError | null {
  // For each open object or array: its names so far (none in an array), and its commas.
  const open: (Set<string> | null)[] = [];
  const commas: number[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && isFollowedByColon(text, end)) {
        const name = readName(text, at, end);
        if (name !== null && names.has(name)) return { kind: 'duplicate', name };
        if (name !== null) names.add(name);
      }
      at = end;
      continue;
    }
    if (code === 0x7b || code === 0x5b) {
      if (open.length === maxDepth) return { kind: 'depth' };
      open.push(code === 0x7b ? new Set() : null);
      commas.push(0);
    } else if (code === 0x7d || code === 0x5d) {
      open.pop();
      commas.pop();
    } else if (code === comma && commas.length > 0) {
      const count = (commas.pop() ?? 0) + 1;
      if (count >= maxMembers) return { kind: 'members' };
      commas.push(count);
    }
    at += 1;
  }
  return null;
}

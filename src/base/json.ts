// Parses JSON whose names may be anybody's. V8 13.6, that of Node.js 24, can read a name with an escape as one with a
// backslash that an object before had: after {"a\\":1}, {"a\n":1} comes back as {"a\\":1}. So no name with an escape
// reaches JSON.parse.

import { randomUUID } from 'node:crypto';

export type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

const parse = JSON.parse as (text: string, reviver?: Reviver) => unknown;

const quote = '"';
const backslash = 0x5c;

/** The position after the string that opens at `start`; the end of the text if it never closes. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Whether the string that ended before `end` is a name. */
export function isFollowedByColon(text: string, end: number): boolean {
  let at = end;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return text[at] === ':';
}

/** Replaces each name with an escape by another. Returns the text, and the names by what replaced them. */
function replaceNames(text: string): { replaced: string; names: ReadonlyMap<string, string> } {
  // Nobody can know it, so no name of the text begins like it.
  const prefix = `${randomUUID()}-`;
  const names = new Map<string, string>();
  const parts: string[] = [];
  let copied = 0;
  for (let at = text.indexOf(quote); at !== -1; ) {
    const end = endOfString(text, at);
    const string = text.slice(at, end);
    if (string.includes('\\') && isFollowedByColon(text, end)) {
      const replacement = `${prefix}${names.size}`;
      names.set(replacement, JSON.parse(string) as string);
      parts.push(text.slice(copied, at), quote, replacement, quote);
      copied = end;
    }
    at = text.indexOf(quote, end);
  }
  return { replaced: parts.join('') + text.slice(copied), names };
}

/** Gives the members of all objects their names back, in the same order. */
function restoreNames(value: unknown, names: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  const members = Object.entries(value);
  for (const [, member] of members) restoreNames(member, names);
  if (Array.isArray(value) || !members.some(([key]) => names.has(key))) return;
  for (const [key] of members) Reflect.deleteProperty(value, key);
  const options = { writable: true, enumerable: true, configurable: true };
  for (const [key, member] of members)
    Object.defineProperty(value, names.get(key) ?? key, { ...options, value: member });
}

/** As `JSON.parse`, with each name as it was written. Throws `SyntaxError` for invalid JSON. */
export function parseJson(text: string, reviver?: Reviver): unknown {
  if (!text.includes('\\')) return parse(text, reviver);
  try {
    const { replaced, names } = replaceNames(text);
    if (names.size === 0) return parse(text, reviver);
    const value = parse(replaced, reviver && withNames(reviver, names));
    restoreNames(value, names);
    return value;
  } catch (error) {
    // Throws again, with the position in the text as it was written.
    if (error instanceof SyntaxError) parse(text);
    throw error;
  }
}

function withNames(reviver: Reviver, names: ReadonlyMap<string, string>): Reviver {
  return function (key, value, context) {
    return reviver.call(this, names.get(key) ?? key, value, context);
  };
}

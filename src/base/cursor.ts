// Cursors of lists: where a page ended, as a text without meaning for its reader. A cursor belongs to one
// question (which list, whose, with which filters and order) and is refused for any other. It holds a
// place and no right: it must never widen what its bearer may see, so it needs no signature.

import { createHash } from 'node:crypto';
import { decodeBase64url } from './base64url.ts';
import { type ApiError, errors } from './errors.ts';

/** What a list was asked for, all but the size of the page: two questions are one if this prints alike. */
export type CursorScope = readonly unknown[];

const version = 1;
const longestCursor = 4_000;

function digestOf(scope: CursorScope): string {
  return createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 16);
}

/** The refusal of a text that is no cursor of the question. */
export function invalidCursor(field = 'cursor'): ApiError {
  const detail = 'This must be a cursor that the same list gave, with the same filters, unchanged.';
  return errors.invalidFields({ errors: [{ field, code: 'invalid_cursor', detail }] });
}

/** The cursor of a place, which is one or more texts. */
export function encodeCursor(scope: CursorScope, position: readonly string[]): string {
  return Buffer.from(JSON.stringify([version, digestOf(scope), ...position])).toString('base64url');
}

function parse(cursor: string): unknown {
  const bytes = decodeBase64url(cursor);
  try {
    return bytes && JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

/** The place of `length` texts that a cursor names. Throws `invalid_fields` when it is not one of the question. */
export function decodeCursor(scope: CursorScope, cursor: string, length: number): string[] {
  const parts = cursor.length <= longestCursor ? parse(cursor) : null;
  if (!Array.isArray(parts) || parts.length !== length + 2) throw invalidCursor();
  const [itsVersion, digest, ...position]: unknown[] = parts;
  if (itsVersion !== version || digest !== digestOf(scope)) throw invalidCursor();
  return position.map((text) => {
    // Text that the database could not take can't have come from it.
    if (typeof text !== 'string' || !text.isWellFormed() || text.includes('\0')) throw invalidCursor();
    return text;
  });
}

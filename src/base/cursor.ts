// Cursors of lists, as opaque texts, each valid for one query. A cursor holds a position and no right, so it needs no
// signature. Must not: widen what its bearer may see.

import { createHash } from 'node:crypto';
import { decodeBase64url } from './base64url.ts';
import { type ApiError, invalidField } from './errors.ts';

/** The parameters of a query except its page size. Two queries are equal if their scopes serialise alike. */
export type CursorScope = readonly unknown[];

const version = 1;
const longestCursor = 4_000;

function digestOf(scope: CursorScope): string {
  return createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 16);
}

export function invalidCursor(field = 'cursor'): ApiError {
  const detail = 'This must be a cursor that the same list gave, with the same filters, unchanged.';
  return invalidField(field, 'invalid_cursor', detail);
}

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

/** Throws `invalid_fields` when the cursor does not belong to the query. */
export function decodeCursor(scope: CursorScope, cursor: string, length: number): string[] {
  const parts = cursor.length <= longestCursor ? parse(cursor) : null;
  if (!Array.isArray(parts) || parts.length !== length + 2) throw invalidCursor();
  const [itsVersion, digest, ...position]: unknown[] = parts;
  if (itsVersion !== version || digest !== digestOf(scope)) throw invalidCursor();
  return position.map((text) => {
    // The database cannot store such a text, so it did not return it.
    if (typeof text !== 'string' || !text.isWellFormed() || text.includes('\0')) throw invalidCursor();
    return text;
  });
}

// Parses a JSON body without losing anything silently: bytes that are not UTF-8, duplicate names, inexact numbers, text
// that PostgreSQL cannot store, and `__proto__` are refused.

import { ApiError, errors, type FieldError, maxFieldErrors } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { isSameDecimal } from '../base/money.ts';
import { maxDepth, maxMembers, scanJson } from './json-scan.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

type ValueError = Omit<FieldError, 'field'>;
/** A fault and its place: the object or array, and the name or index in it. */
type LocatedError = { holder: unknown; key: string; fault: ValueError };

function valueErrorOf(key: string, value: unknown, source: string | undefined): ValueError | null {
  if (key === '__proto__') return { code: 'unknown_field', detail: 'This field is unknown.' };
  if (!isStorable(key))
    return { code: 'not_text', detail: 'A field name has invalid characters. Remove them.' };
  if (typeof value === 'number' && source !== undefined && source !== String(value)) {
    if (!isSameDecimal(source, String(value)))
      return {
        code: 'not_exact',
        detail: 'The number has too many digits to be read exactly. Send fewer digits.',
      };
  }
  if (typeof value === 'string' && !isStorable(value))
    return {
      code: 'not_text',
      detail: 'The text has a NUL character or half of a surrogate pair. Remove it.',
    };
  return null;
}

function pathsIn(value: unknown, path: readonly string[], paths: Map<unknown, readonly string[]>): void {
  if (typeof value !== 'object' || value === null) return;
  paths.set(value, path);
  for (const [name, member] of Object.entries(value)) pathsIn(member, [...path, name], paths);
}

/** With the paths of their fields, such as `metadata.amount`. */
function locate(found: readonly LocatedError[], value: unknown): FieldError[] {
  const paths = new Map<unknown, readonly string[]>();
  if (found.length > 0) pathsIn(value, [], paths);
  return found.map(({ holder, key, fault }) => {
    const path = [...(paths.get(holder) ?? []), ...(isStorable(key) ? [key] : [])];
    return { field: path.join('.').slice(0, 200) || 'body', ...fault };
  });
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

// Unicode escapes, a name with a special meaning in JavaScript, and long numbers or ones with an exponent.
const needsCare = /\\u|__proto__|[\d.+-]{16}|\d[eE]/;

/** Numbers of at most 15 digits (exact in IEEE 754), and well-formed text: most bodies. Faster than a scan. */
function isExactText(text: string): boolean {
  return text.isWellFormed() && !needsCare.test(text);
}

/**
 * Parses the bytes of a JSON body (RFC 8259). Throws `malformed_json` for invalid JSON. Values that would
 * change when stored are faults. They go to `onErrors`, for a response that also lists the faults of the
 * schema; without it, `invalid_fields` is thrown. A number returned without a fault prints (`String(n)`) as
 * the same decimal that was sent.
 */
export function parseJsonBody(bytes: Buffer, onErrors?: (faults: FieldError[]) => void): unknown {
  const found: LocatedError[] = [];
  let value: unknown;
  try {
    const text = utf8.decode(bytes);
    rejectLoss(text);
    if (isExactText(text)) return parseJson(text);
    value = parseJson(text, function (key, member, context) {
      const fault = valueErrorOf(key, member, context?.source);
      if (fault) found.push({ holder: this, key, fault });
      return key === '__proto__' ? undefined : member;
    });
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw errors.malformedJson({ detail: describeSyntax(bytes, cause), cause });
  }
  const faults = locate(found, value);
  if (faults.length === 0) return value;
  if (!onErrors) throw errors.invalidFields({ errors: faults.slice(0, maxFieldErrors) });
  onErrors(faults);
  return value;
}

function rejectLoss(text: string): void {
  const fault = scanJson(text);
  if (fault?.kind === 'depth')
    throw errors.malformedJson({ detail: `Objects and arrays may be nested at most ${maxDepth} deep.` });
  if (fault?.kind === 'members')
    throw errors.malformedJson({ detail: `An object or an array may have at most ${maxMembers} members.` });
  if (fault?.kind === 'duplicate')
    throw errors.malformedJson({
      detail: 'An object contains the same name twice. Send each name once.',
      errors: [
        {
          field: fault.name.toWellFormed().slice(0, 200) || 'body',
          code: 'duplicate',
          detail: 'This name occurs twice in one object.',
        },
      ],
    });
}

function describeSyntax(bytes: Buffer, cause: unknown): string {
  if (bytes.length === 0) return 'The body is empty. Send one JSON object, encoded in UTF-8.';
  const position = cause instanceof SyntaxError ? /at position (\d+)/.exec(cause.message)?.[1] : undefined;
  const where = position === undefined ? '' : ` Reading stopped at character ${position}.`;
  return `Send one JSON object, encoded in UTF-8.${where}`;
}

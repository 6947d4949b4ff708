// Reads JSON that a person wrote. Must not: change a number silently, as JSON.parse does with one of many digits.

import { parseJson } from '../base/json.ts';
import { isSameDecimal } from '../base/money.ts';
import { usageError } from './command-error.ts';
import { stripControlCharacters } from './terminal.ts';

/** Throws a usage error for invalid JSON, and for a number that cannot be held exactly. */
export function parseExactJson(text: string, where: string): unknown {
  let inexact: string | undefined;
  let value: unknown;
  try {
    value = parseJson(text, (_key, member, { source }) => {
      if (typeof member === 'number' && source !== undefined && !isSameDecimal(source, String(member)))
        inexact ??= source;
      return member;
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageError(`${where} is not valid JSON: ${stripControlCharacters(error.message)}.`);
  }
  if (inexact !== undefined)
    throw usageError(`${where} has the number ${inexact}, which has too many digits to be sent exactly.`);
  return value;
}

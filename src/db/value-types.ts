// How values are read from the database. Differences to pg's default: bigint becomes a number, because all amounts and
// counts are safe integers, and strings would be concatenated instead of added; and JSON keeps its names (base/json.ts).
// Must not: round, or turn a value into null. A bigint beyond the safe integers is an error; numeric stays a string.

import pg from 'pg';
import { parseJson } from '../base/json.ts';

const int8 = 20;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError('the database returned an integer beyond the safe integers');
  return value;
}

/**
 * pg parses times in ISO form only, and returns null for others. A value from a session with another
 * DateStyle must not look like a missing one.
 */
function createTimeParser(oid: number): (text: string) => unknown {
  const parse = pg.types.getTypeParser(oid, 'text');
  return (text) => {
    const value: unknown = parse(text);
    if (value === null) throw new RangeError('the database returned a time that is not in ISO format');
    return value;
  };
}

const [date, timestamp, timestamptz] = [1082, 1114, 1184];
const [json, jsonb] = [114, 3802];
const parsers = new Map<number, (text: string) => unknown>([
  [int8, parseInt8],
  [json, (text) => parseJson(text)],
  [jsonb, (text) => parseJson(text)],
  ...[date, timestamp, timestamptz].map((oid) => [oid, createTimeParser(oid)] as const),
]);

/** Type parsers for the `types` option of pg's clients. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, format);
    return parsers.get(oid) ?? pg.types.getTypeParser(oid, 'text');
  }) as typeof pg.types.getTypeParser,
};

// How values come out of the database. Differs from pg's habit in one point: bigint becomes a number,
// because all our amounts and counts are safe integers, and a string would be added up as text.
// Must never: round, or make null of what is a value. A bigint beyond the safe integers is an error, numeric stays a
// string.

import pg from 'pg';

const int8 = 20;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('the database gave an integer beyond the safe ones');
  return value;
}

/**
 * pg reads times in ISO form alone, and makes null of any other: a value of a session with another DateStyle must not
 * pass for a missing one.
 */
function createTimeParser(oid: number): (text: string) => unknown {
  const parse = pg.types.getTypeParser(oid, 'text');
  return (text) => {
    const value: unknown = parse(text);
    if (value === null) throw new RangeError('the database gave a time that is not in ISO form');
    return value;
  };
}

const [date, timestamp, timestamptz] = [1082, 1114, 1184];
const timeParsers = new Map([date, timestamp, timestamptz].map((oid) => [oid, createTimeParser(oid)]));

/** Type parsers for the `types` option of pg's clients. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === int8 && format !== 'binary') return parseInt8;
    if (format === 'binary') return pg.types.getTypeParser(oid, format);
    return timeParsers.get(oid) ?? pg.types.getTypeParser(oid, 'text');
  }) as typeof pg.types.getTypeParser,
};

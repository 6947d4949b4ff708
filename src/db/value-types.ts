// How values come out of the database. Differs from pg's habit in one point: bigint becomes a number,
// because all our amounts and counts are safe integers, and a string would be added up as text.
// Must never: round. A bigint beyond the safe integers is an error, numeric stays a string.

import pg from 'pg';

const int8 = 20;

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('the database gave an integer beyond the safe ones');
  return value;
}

/** Type parsers for the `types` option of pg's clients. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === int8 && format !== 'binary') return parseInt8;
    return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid, 'text');
  }) as typeof pg.types.getTypeParser,
};

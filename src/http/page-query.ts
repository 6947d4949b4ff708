// The query of a list: how many entries, and from where on. A query arrives as text and is read strictly;
// a parameter that is not known is refused by the schema, as a field of a body is.

import { type Static, type TProperties, Type } from 'typebox';

const maxLimit = 100;
const defaultLimit = 25;

const pageParameters = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|100)$',
      'x-hint': `This must be a whole number from 1 to ${maxLimit}.`,
      description: `How many entries at most, 1 to ${maxLimit}; ${defaultLimit} without it`,
      examples: ['50'],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_]{1,64}$',
      'x-hint': 'This must be the nextCursor of the page before.',
      description: 'nextCursor of the page before',
    }),
  ),
};

/** The schema of a list's query that has nothing but its page. */
export const PageQuery = Type.Object(pageParameters, { additionalProperties: false });

/** Where a page starts (null: at the first entry), and how many entries it has at most. */
export function readPage(query: Static<typeof PageQuery>): { cursor: string | null; limit: number } {
  return {
    cursor: query.cursor ?? null,
    limit: query.limit === undefined ? defaultLimit : Number(query.limit),
  };
}

/**
 * The answer of a list. `rows` are one more than `limit` where more follow; `cursorOf` names an entry, so
 * that the next page starts behind it.
 */
export function presentPage<Row, Shown>(
  rows: readonly Row[],
  page: { limit: number; cursorOf: (row: Row) => string; present: (row: Row) => Shown },
): { data: Shown[]; nextCursor: string | null } {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > page.limit && last !== undefined ? page.cursorOf(last) : null;
  return { data: shown.map(page.present), nextCursor };
}

/** The schema of a list's answer. */
export function listOf<Properties extends TProperties>(fields: Properties, description: string) {
  return Type.Object(
    {
      data: Type.Array(Type.Object(fields)),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Where the next page starts; null on the last',
      }),
    },
    { description },
  );
}

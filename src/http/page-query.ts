// Lists in pages, the same way everywhere: the parameters that choose a page, what they ask for, and the
// answer with the cursor of the next page. A query arrives as text and is read strictly; a parameter that is
// not known is refused by the schema, as a field of a body is.

import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { type CursorScope, decodeCursor, encodeCursor } from '../base/cursor.ts';

const maxLimit = 100;
const defaultLimit = 25;

/** Parameters that choose a page: how many entries, and from where. */
export const pageParameters = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|100)$',
      'x-hint': `This must be a whole number from 1 to ${maxLimit}.`,
      description: `Entries on a page, 1 to ${maxLimit}; without it, ${defaultLimit}`,
      examples: ['50'],
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4000, description: 'The nextCursor of the page before' }),
  ),
};

/** The schema of a query of these parameters and no others. */
export const querySchema = <Properties extends TProperties>(parameters: Properties) =>
  Type.Object(parameters, { additionalProperties: false });

/** The schema of a list's query that has nothing but its page. */
export const PageQuery = querySchema(pageParameters);
export type PageQuery = Static<typeof PageQuery>;

function titleOf(schema: TSchema): string {
  const { title } = schema as { title?: string };
  if (title === undefined) throw new Error('the entry of a list needs a title');
  return title;
}

/** The schema of a list's answer. It is named after its entries, which have a title. */
export const listSchema = <Entry extends TSchema>(
  entry: Entry,
  options: { description: string; examples?: unknown[] },
) =>
  Type.Object(
    {
      data: Type.Array(entry),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Where the next page starts; null on the last',
      }),
    },
    { title: `${titleOf(entry)}List`, ...options },
  );

/** The number of entries that a page may have. */
export function parseLimit(limit: string | undefined): number {
  return limit === undefined ? defaultLimit : Number(limit);
}

/** A page that is asked for: of which list, behind which place (null: from its start), and how long at most. */
export type PageRequest = { question: CursorScope; place: string[] | null; limit: number };

/** Reads the page of a question; a place in its order is `parts` texts. Throws `invalid_fields` for a foreign cursor. */
export function parsePage(query: PageQuery, scope: CursorScope, parts = 1): PageRequest {
  const after = query.cursor === undefined ? null : decodeCursor(scope, query.cursor, parts);
  return { question: scope, place: after, limit: parseLimit(query.limit) };
}

/**
 * Cuts rows to a page. They are one more than its limit where more follow; `placeOf` gives the place of a row
 * in the order of the list, so that the next page starts behind it.
 */
export function paginate<Row>(
  rows: readonly Row[],
  page: PageRequest,
  positionOf: (row: Row) => readonly string[],
): { shown: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > page.limit && last !== undefined;
  return { shown, nextCursor: hasMore ? encodeCursor(page.question, positionOf(last)) : null };
}

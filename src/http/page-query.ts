// Paginated lists: their query parameters, and the response with the cursor of the next page. The query is parsed
// strictly: unknown parameters are refused, like unknown fields of a body.

import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { type CursorScope, decodeCursor, encodeCursor } from '../base/cursor.ts';
import { invalidField } from '../base/errors.ts';
import type { CreatedRange } from '../base/id-bound.ts';

const maxLimit = 100;
const defaultLimit = 25;

export const pageParameters = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|100)$',
      'x-hint': `This must be a whole number from 1 to ${maxLimit}.`,
      description: `Entries per page, 1 to ${maxLimit}; default ${defaultLimit}`,
      examples: ['50'],
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4000, description: 'The nextCursor of the previous page' }),
  ),
};

export const querySchema = <Properties extends TProperties>(parameters: Properties) =>
  Type.Object(parameters, { additionalProperties: false });

/** The schema of a list query with only page parameters. */
export const PageQuery = querySchema(pageParameters);
export type PageQuery = Static<typeof PageQuery>;

function titleOf(schema: TSchema): string {
  const { title } = schema as { title?: string };
  if (title === undefined) throw new Error('the entry of a list needs a title');
  return title;
}

/** The schema of a list response, named after the title of its entries. */
export const listSchema = <Entry extends TSchema>(
  entry: Entry,
  options: { description: string; examples?: unknown[] },
) =>
  Type.Object(
    {
      data: Type.Array(entry),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'The cursor of the next page; null on the last',
      }),
    },
    { title: `${titleOf(entry)}List`, ...options },
  );

export function parseLimit(limit: string | undefined): number {
  return limit === undefined ? defaultLimit : Number(limit);
}

/** A parameter under its name or its former one. Throws `invalid_fields` if both were sent. */
export function eitherOf<Query extends object, Name extends keyof Query, Former extends keyof Query>(
  query: Query,
  name: Name & string,
  former: Former & string,
): Query[Name] | Query[Former] {
  if (query[name] !== undefined && query[former] !== undefined)
    throw invalidField(former, 'not_allowed', `${former} is the former name of ${name}: leave it out.`);
  return query[name] ?? query[former];
}

/** A period, under its names or its former ones. Throws `invalid_fields` if both were sent. */
export function createdRangeOf(query: {
  createdFrom?: string;
  createdTo?: string;
  from?: string;
  to?: string;
}): CreatedRange {
  const given = (name: 'createdFrom' | 'createdTo', former: 'from' | 'to') => {
    const value = eitherOf(query, name, former);
    return value === undefined ? undefined : { field: query[name] === undefined ? former : name, value };
  };
  return { createdFrom: given('createdFrom', 'from'), createdTo: given('createdTo', 'to') };
}

/** A requested page: the list, the position to start after (null: from the start), and the page size. */
export type PageRequest = { question: CursorScope; place: string[] | null; limit: number };

/** Parses the page of a query. A position has `parts` texts. Throws `invalid_fields` for a foreign cursor. */
export function parsePage(query: PageQuery, scope: CursorScope, parts = 1): PageRequest {
  const after = query.cursor === undefined ? null : decodeCursor(scope, query.cursor, parts);
  return { question: scope, place: after, limit: parseLimit(query.limit) };
}

/** If more rows follow, the input has one more than the limit. `placeOf` returns where the next page starts. */
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

// Lists as parameters. A plan for lists of any length assumes ten members. With a small table it then reads
// the whole table instead of using the index, and the plan outlives the small table. A bound of unknown value
// makes the planner assume one member, so it uses the index. Only for lists of keys.

import { type Columns, type Fragment, outputNames, raw, sql } from './statements.ts';

/**
 * The distinct members of a list of texts, as `wanted`, for `from`: `${unnestDistinct('$2')} join payments on
 * code = wanted`.
 */
export const unnestDistinct = (list: `$${number}`): Fragment =>
  sql`(select distinct wanted from unnest(${raw(list)}::text[]) as wanted limit cardinality(${raw(list)}::text[])) as list`;

/**
 * The rows of lists of equal length, for `from` of an update: `unnestRows('$2::text[], $3::integer[]', 'id,
 * tries')`.
 */
export const unnestRows = (lists: string, columns: string): Fragment => {
  const [first] = lists.split(',');
  // safe: callers write both texts out.
  return raw(
    `(select ${columns} from unnest(${lists}) as given (${columns}) limit cardinality(${first})) as given`,
  );
};

/**
 * The rows of a JSON array as `given`, with the columns' names in TypeScript, in quotes: `given."paymentId"`. `longest` is
 * a parameter of at least its length: each use as a limit makes the planner expect fewer rows.
 */
export const jsonRows = (columns: Columns, list: `$${number}`, longest: `$${number}`): Fragment => {
  const names = outputNames(columns);
  const typed = Object.entries(columns).map(([name, { postgres }]) => `"${name}" ${postgres}`);
  const given = `json_to_recordset(${list}::json) as given (${typed.join(', ')}) limit ${longest}`;
  // safe: the names are those of declared columns.
  return raw(`(select ${names} from (select ${names} from ${given}) as given limit ${longest}) as given`);
};

// Lists as parameters. A plan that is made once for lists of any length reckons with ten members: then reading the whole
// of a table that is still small seems cheaper than looking each one up, and the plan outlives the small table. A bound
// whose value is not known lets the planner reckon with one, so it goes along the index. Only for lists of keys.

/** The distinct members of a list of texts, as `wanted`, for `from`: `${unnestDistinct('$2')} join payments on code = wanted`. */
export const unnestDistinct = (list: string): string =>
  `(select distinct wanted from unnest(${list}::text[]) as wanted limit cardinality(${list}::text[])) as list`;

/** The rows of lists of one length, for `from` of an update: `unnestRows('$2::text[], $3::integer[]', 'id, tries')`. */
export const unnestRows = (lists: string, columns: string): string => {
  const [first] = lists.split(',');
  return `(select ${columns} from unnest(${lists}) as given (${columns}) limit cardinality(${first})) as given`;
};

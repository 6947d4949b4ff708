// The filters of a list: their form in the URL. Invalid ones are ignored. Must not throw.

type Checks<Name extends string> = Readonly<Record<Name, (text: string) => boolean>>;

/** The filters of a list, each with a check of its value. An empty text is no filter. */
export function defineFilters<Name extends string>(checks: Checks<Name>) {
  const names = Object.keys(checks) as Name[];
  const readFilters = (values: Readonly<Record<string, string>>) => {
    const read = names.map((name) => [name, checks[name](values[name] ?? '') ? (values[name] ?? '') : '']);
    return Object.fromEntries(read) as Readonly<Record<Name, string>>;
  };
  return {
    readFilters,
    /** No filter; also the change of the URL that removes all filters. */
    noFilters: readFilters({}),
  };
}

export function withoutEmpty<Query>(query: Readonly<Record<string, string>>): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')) as Query;
}

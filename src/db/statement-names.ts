// Which statements the database keeps prepared, and how they are called there. Planning a statement behind
// row-level security costs the database more than running most of ours, and a prepared one is planned once for
// each connection. Must never: give two texts one name.

/** More than the statements of this code: what a server's connection remembers is bounded, whatever is asked. */
const mostNames = 1_000;

/** Gives the name under which a text is prepared; undefined leaves it unprepared. */
export type NameStatement = (text: string) => string | undefined;

/** The names of one process. The same text has the same name for all connections. */
export function createStatementNames(): NameStatement {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostNames) return known;
    const name = `paylink_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

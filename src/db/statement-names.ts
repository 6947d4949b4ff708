// Which statements the database keeps prepared. Planning a statement behind row-level security costs it more
// than running most of ours, and a prepared one is planned once for each connection. A text earns its name by
// coming again, so that one that is put together for a single question does not fill the server's memory.

/** For all statements that this code has; each connection keeps its own plans of them. */
const mostNames = 1_000;
/** Texts that came once; forgotten all together when there are too many. */
const mostRemembered = 5_000;

/** Gives the name under which a text is prepared, from its second use on; undefined leaves it unprepared. */
export type NameStatement = (text: string) => string | undefined;

/** The names of one process. The same text has the same name for all connections. */
export function createStatementNames(): NameStatement {
  const names = new Map<string, string>();
  let seen = new Set<string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (!seen.has(text)) {
      if (seen.size >= mostRemembered) seen = new Set();
      seen.add(text);
      return undefined;
    }
    if (names.size >= mostNames) return undefined;
    seen.delete(text);
    const made = `paylink_${names.size + 1}`;
    names.set(text, made);
    return made;
  };
}

// Chooses which statements stay prepared, and their names. Planning a statement under row-level security
// usually costs more than running it. A prepared one is planned once per connection. Must not: give two texts
// one name, in this process or across processes, which share the server's sessions behind a pooler.

import { createHash } from 'node:crypto';

/** More than the code has statements. It bounds what a connection of the server remembers. */
const mostNames = 1_000;

/**
 * 144 bits of the text's hash. With its prefix it is well below PostgreSQL's limit of 63 bytes for a name.
 */
const hashLength = 24;

/** Returns the name under which to prepare a text; undefined leaves it unprepared. */
export type StatementNamer = (text: string) => string | undefined;

/** The names of one process. A text has the same name on all connections and in all processes. */
export function createStatementNames(): StatementNamer {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostNames) return known;
    const name = `paylink_${createHash('sha256').update(text).digest('base64url').slice(0, hashLength)}`;
    names.set(text, name);
    return name;
  };
}

/** For a pooler that cannot keep prepared statements. */
export const noStatementNames: StatementNamer = () => undefined;

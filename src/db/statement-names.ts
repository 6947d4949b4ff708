// Which statements the database keeps prepared, and how they are called there. Planning a statement behind
// row-level security costs the database more than running most of ours, and a prepared one is planned once for
// each connection. Must never: give two texts one name, in this process or in any two: behind a pooler they share
// the sessions of the server.

import { createHash } from 'node:crypto';

/** More than the statements of this code: what a server's connection remembers is bounded, whatever is asked. */
const mostNames = 1_000;

/** 144 bits of the text's hash; with what is before them well below the 63 bytes that PostgreSQL keeps of a name. */
const hashLength = 24;

/** Gives the name under which a text is prepared; undefined leaves it unprepared. */
export type StatementNamer = (text: string) => string | undefined;

/** The names of one process. The same text has the same name for all connections and all processes. */
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

/** For a pooler that can't keep statements prepared. */
export const noStatementNames: StatementNamer = () => undefined;

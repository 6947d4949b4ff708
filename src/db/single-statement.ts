// A transaction of one statement in one round trip, without begin and commit: the settings and the statement are sent
// before one Sync, and PostgreSQL commits there ("implicit transaction", PostgreSQL's protocol, section Pipelining). If the
// settings fail, the server skips the statement. Must not: send the statement before its settings.

import pg from 'pg';

export type PreparedText = { text: string; values: readonly unknown[]; name: string | undefined };

/** What the query calls of pg's connection. pg declares it with the parameters of its former version. */
type Wire = {
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  execute(message: { portal: string }): void;
  close(message: { type: 'S'; name: string }): void;
};
/** What pg's Query calls on itself, and its types omit. */
type QueryInternals = {
  prepare(connection: Wire): void;
  hasBeenParsed(connection: Wire): boolean;
  query_timeout?: number;
  callback?: (error: Error | null, result: unknown) => void;
};

/**
 * The names that are surely prepared, by connection. pg keeps its own account of the names that it prepared, which this would
 * confuse, so a text has another name here.
 */
const preparedOn = new WeakMap<Wire, Set<string>>();

const ownName = (name: string | undefined) => (name ? `${name}_s` : '');

function parse(connection: Wire, { text, name }: PreparedText): void {
  const own = ownName(name);
  if (own && preparedOn.get(connection)?.has(own)) return;
  // After an error it is unknown whether the statement was parsed. To close one that does not exist is no error.
  if (own) connection.close({ type: 'S', name: own });
  connection.parse({ name: own, text });
}

/**
 * Runs `statement` after `opening`, both in one transaction. `opening` returns no rows, so the result has only those of the
 * statement. Resolves after the commit.
 */
export async function runSingleStatement(
  client: pg.PoolClient,
  { opening, statement, timeoutMs }: { opening: PreparedText; statement: PreparedText; timeoutMs?: number },
): Promise<unknown> {
  const names = [ownName(opening.name), ownName(statement.name)].filter(Boolean);
  const query = new pg.Query({
    text: statement.text,
    values: [...statement.values],
    ...(statement.name && { name: ownName(statement.name) }),
    ...{ queryMode: 'extended' },
  });
  const internals = query as unknown as QueryInternals;
  const prepareStatement = internals.prepare.bind(query);
  let used: Wire | undefined;
  // Parsed below, before pg binds it.
  internals.hasBeenParsed = () => true;
  internals.prepare = (connection) => {
    used = connection;
    parse(connection, opening);
    connection.bind({ statement: ownName(opening.name), values: opening.values });
    connection.execute({ portal: '' });
    parse(connection, statement);
    prepareStatement(connection);
  };
  if (timeoutMs) internals.query_timeout = timeoutMs;
  try {
    const result = await new Promise((resolve, reject) => {
      internals.callback = (error, outcome) => (error ? reject(error) : resolve(outcome));
      client.query(query);
    });
    if (used) preparedOn.set(used, new Set([...(preparedOn.get(used) ?? []), ...names]));
    return result;
  } catch (error) {
    for (const name of names) if (used) preparedOn.get(used)?.delete(name);
    throw error;
  }
}

// A connection borrowed from the pool, and what must hold when it goes back: it is idle, outside of any
// transaction, and nobody's error event is left without a listener (that would end the process).
// Must never: return a connection to the pool that may still be in a transaction or under a role.

import pg from 'pg';

export type Limits = {
  /**
   * After this time without an answer the connection is taken for dead (the network is gone; a server
   * that lives ends a statement earlier by itself). Unset: wait as long as it takes.
   */
  queryTimeoutMs?: number;
  /** Close the connection after its use, so that settings and locks of the session end with it. */
  isForOneUse?: boolean;
};

export type Outcome = { rows: Record<string, unknown>[]; command: string };

export type RunOptions = { isSingle?: boolean; name?: string | undefined };

export type Connection = {
  /**
   * Runs a text. Without values it may hold several statements, which give the rows of all of them and
   * the command of the last one; `isSingle` refuses that. With a `name` it is kept prepared under it.
   */
  run(text: string, values?: readonly unknown[], options?: RunOptions): Promise<Outcome>;
  /** I(dle), T(ransaction) or E(rror inside a transaction), as of the last complete answer. */
  status(): string | null;
  /** Is it of no more use? */
  isLost(): boolean;
  /** Has it closed instead of going back to the pool; the server then rolls back what is open. */
  discard(): void;
};

/** Did the database refuse the statement (true), or is the connection itself in trouble (false)? */
export function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** Data that a row may not have: SQLSTATE classes 22 and 23. */
const faultOfRow = /^2[23]/;

/** Whether a statement was refused for what one of its rows holds, so that it may do for the others. */
export function isFaultOfRow(error: unknown): boolean {
  return isStatementError(error) && faultOfRow.test(error.code ?? '');
}

/** The rows of an outcome, in the shape that the caller says they have. */
export function rowsOf<T extends Record<string, unknown>>(outcome: Outcome): T[] {
  return outcome.rows as T[];
}

/**
 * Gives `note` the errors of connections that nobody uses. A connection may also fail in the moment in
 * which it has been handed to its user, who does not listen yet: the user's first statement tells of it.
 */
export function listenForErrors(pool: pg.Pool, note: (error: Error) => void): void {
  pool.on('error', note);
  pool.on('connect', (client) => client.on('error', () => undefined));
}

/** Borrows a connection for `work`. It goes back to the pool only if it is whole and in no transaction. */
export async function withConnectionOf<T>(
  pool: pg.Pool,
  limits: Limits,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isLost = false;
  const lose = () => {
    isLost = true;
  };
  client.on('error', lose);
  const connection: Connection = {
    run: async (text, values, { isSingle = false, name } = {}) => {
      if (isLost) throw new Error('the database connection is lost');
      const query = {
        text,
        ...(name && { name }),
        ...(values && { values: [...values] }),
        ...(isSingle && { queryMode: 'extended' }),
        ...(limits.queryTimeoutMs && { query_timeout: limits.queryTimeoutMs }),
      };
      try {
        return outcomeOf(await client.query(query));
      } catch (error) {
        // pg's own timeout leaves the query running: nothing can follow it on this connection.
        if (!isStatementError(error) && String(error).includes('Query read timeout')) lose();
        throw error;
      }
    },
    status: () => client.getTransactionStatus(),
    isLost: () => isLost,
    discard: lose,
  };
  try {
    return await work(connection);
  } finally {
    client.off('error', lose);
    client.release(isLost || limits.isForOneUse === true || client.getTransactionStatus() !== 'I');
  }
}

// pg gives an array of results for a text of several statements, which its types don't know.
function outcomeOf(result: unknown): Outcome {
  const outcomes = (Array.isArray(result) ? result : [result]) as Outcome[];
  return { rows: outcomes.flatMap(({ rows }) => rows), command: outcomes.at(-1)?.command ?? '' };
}

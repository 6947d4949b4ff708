// A connection borrowed from the pool, and what must hold when it goes back: it is idle, outside of any
// transaction, and nobody's error event is left without a listener (that would end the process).
// Must never: return a connection to the pool that may still be in a transaction or under a role.

import pg from 'pg';
import { remainingBudgetMs, trackWait, waitWithinBudget } from '../base/time-budget.ts';

/** One use of a connection: it fails once, however many of its statements do. */
export type ConnectionUse = { since: number; hasFailed: boolean };

/** What hears how the uses of connections go. */
export type PoolObserver = {
  answered(): void;
  failed(error: unknown, use: ConnectionUse): void;
};

/** What connections are borrowed from. */
export type ConnectionPool = {
  connect(): Promise<pg.PoolClient>;
  watch?: PoolObserver;
  /** Says that a connection found its database read-only: those as old as it may lead there, too. */
  distrust?(client: pg.PoolClient): void;
};

export type ConnectionLimits = {
  /**
   * After this time without an answer the connection is taken for dead (the network is gone; a server
   * that lives ends a statement earlier by itself). Unset: wait as long as it takes.
   */
  queryTimeoutMs?: number;
  /** The work may only read: that a write of it is refused is its own fault, and says nothing of the database. */
  isReading?: boolean;
  /** Close the connection after its use, so that settings and locks of the session end with it. */
  isForOneUse?: boolean;
};

export type StatementResult = { rows: Record<string, unknown>[]; command: string };

export type StatementOptions = { isSingle?: boolean; name?: string | undefined };

export type DatabaseConnection = {
  /**
   * Runs a text. Without values it may hold several statements, which give the rows of all of them and
   * the command of the last one; `isSingle` refuses that. With a `name` it is kept prepared under it.
   */
  run(text: string, values?: readonly unknown[], options?: StatementOptions): Promise<StatementResult>;
  /** I(dle), T(ransaction) or E(rror inside a transaction), as of the last complete answer. */
  status(): string | null;
  /** Is it of no more use? */
  isLost(): boolean;
  /** Has it closed instead of going back to the pool; the server then rolls back what is open. */
  discard(): void;
  /** Notes an error that says that the connection leads to a database which is of no use. */
  fail(error: Error): void;
};

/** Did the database refuse the statement (true), or is the connection itself in trouble (false)? */
export function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** Whether a statement was refused because the database takes no writes: it is a standby, or set to read only. */
export function isReadOnlyError(error: Error): boolean {
  return 'code' in error && error.code === '25006';
}

/** SQLSTATEs after which a connection leads nowhere: connection exception, shutdown or crash of the server. */
const endOfConnection = /^(08|57P0)/;

/** Whether the server has ended the connection, or is about to. */
function endsConnection(error: unknown): boolean {
  if (!isStatementError(error)) return false;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || endOfConnection.test(error.code ?? '');
}

/** Data that a row may not have: SQLSTATE classes 22 and 23. */
const rowErrorCode = /^2[23]/;

/** Whether a statement was refused for what one of its rows holds, so that it may do for the others. */
export function isRowError(error: unknown): boolean {
  return isStatementError(error) && rowErrorCode.test(error.code ?? '');
}

/** The rows of an outcome, in the shape that the caller says they have. */
export function rowsOf<T extends Record<string, unknown>>(outcome: StatementResult): T[] {
  return outcome.rows as T[];
}

/**
 * Gives `note` the errors of connections that nobody uses. A connection may also fail in the moment in
 * which it has been handed to its user, who does not listen yet: the user's first statement tells of it.
 */
export function onIdleConnectionError(pool: pg.Pool, note: (error: Error) => void): void {
  pool.on('error', note);
  pool.on('connect', (client) => client.on('error', () => undefined));
}

/** Takes a connection from the pool, within the time that the caller has for it. */
async function acquireConnection(pool: ConnectionPool, use: ConnectionUse): Promise<pg.PoolClient> {
  let taking: Promise<pg.PoolClient> | undefined;
  const acquire = () => {
    taking = pool.connect();
    return taking;
  };
  // One that comes too late for its caller is for the next.
  const releaseLate = () =>
    void taking?.then(
      (client) => client.release(),
      () => undefined,
    );
  try {
    return await waitWithinBudget(acquire, releaseLate);
  } catch (error) {
    pool.watch?.failed(error, use);
    throw error;
  }
}

/** How long a statement may be silent: by the limits of its kind of work, and by what the request has left. */
function queryTimeoutOf({ queryTimeoutMs }: ConnectionLimits): number | undefined {
  const leftMs = remainingBudgetMs();
  if (leftMs === null) return queryTimeoutMs;
  return Math.max(1, Math.ceil(Math.min(leftMs, queryTimeoutMs ?? leftMs)));
}

/** Borrows a connection for `work`. It goes back to the pool only if it is whole and in no transaction. */
export async function withPooledConnection<T>(
  pool: ConnectionPool,
  limits: ConnectionLimits,
  work: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const use: ConnectionUse = { since: performance.now(), hasFailed: false };
  const client = await acquireConnection(pool, use);
  let isLost = false;
  const lose = () => {
    isLost = true;
  };
  client.on('error', lose);
  const fail = (error: unknown) => {
    // pg's own timeout leaves the query running: nothing can follow it on this connection.
    const hasTimedOut =
      !isStatementError(error) && /Query read timeout|gave no answer within/.test(String(error));
    const isReadOnly = error instanceof Error && isReadOnlyError(error);
    if (isReadOnly && limits.isReading) return;
    if (hasTimedOut || isReadOnly || endsConnection(error)) lose();
    if (isReadOnly) pool.distrust?.(client);
    pool.watch?.failed(error, use);
  };
  const connection: DatabaseConnection = {
    run: async (text, values, { isSingle = false, name } = {}) => {
      try {
        if (isLost) throw new Error('the database connection is lost');
        const timeoutMs = queryTimeoutOf(limits);
        const query = {
          text,
          ...(name && { name }),
          ...(values && { values: [...values] }),
          ...(isSingle && { queryMode: 'extended' }),
          ...(timeoutMs && { query_timeout: timeoutMs }),
        };
        const outcome = outcomeOf(await trackWait(client.query(query)));
        pool.watch?.answered();
        return outcome;
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    status: () => client.getTransactionStatus(),
    isLost: () => isLost,
    discard: lose,
    fail,
  };
  try {
    return await work(connection);
  } finally {
    client.off('error', lose);
    client.release(isLost || limits.isForOneUse === true || client.getTransactionStatus() !== 'I');
  }
}

// pg gives an array of results for a text of several statements, which its types don't know.
function outcomeOf(result: unknown): StatementResult {
  const outcomes = (Array.isArray(result) ? result : [result]) as StatementResult[];
  return { rows: outcomes.flatMap(({ rows }) => rows), command: outcomes.at(-1)?.command ?? '' };
}

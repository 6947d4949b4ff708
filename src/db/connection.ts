// Borrows a connection from the pool and checks it before its return: it is idle, in no transaction, and has
// a listener for its error event (without one, an error would end the process). Must not: return a connection
// to the pool that may still be in a transaction or under a role.

import pg from 'pg';
import { faultOf } from '../base/spans.ts';
import { remainingBudgetMs, trackWait, waitWithinBudget } from '../base/time-budget.ts';
import { type PreparedText, runSingleStatement } from './single-statement.ts';
import { reportRows, type Statement } from './statements.ts';
import { traceStatement, traceWait } from './trace-statements.ts';

/** One use of a connection. It fails at most once, however many of its statements fail. */
export type ConnectionUse = { since: number; hasFailed: boolean };

/** Gets the results of uses of connections. */
export type PoolObserver = {
  answered(): void;
  failed(error: unknown, use: ConnectionUse): void;
};

/** The source of connections. */
export type ConnectionPool = {
  connect(): Promise<pg.PoolClient>;
  watch?: PoolObserver;
  /**
   * Reports that a connection leads to a read-only database. Connections of the same age may lead there too.
   */
  retireConnections?(client: pg.PoolClient): void;
};

export type ConnectionLimits = {
  /**
   * After this time without a response the connection counts as dead: the network is gone, since a live
   * server ends a statement earlier. Unset: no limit.
   */
  queryTimeoutMs?: number;
  /** The work only reads. A refused write is then a fault of the work and says nothing about the database. */
  isReading?: boolean;
  /** Close the connection after its use, which ends the session's settings and locks. */
  closeAfterUse?: boolean;
};

export type StatementResult = { rows: Record<string, unknown>[]; command: string };

export type StatementOptions = { isSingle?: boolean; name?: string | undefined };

export type DatabaseConnection = {
  /**
   * Runs a text. Without values it may contain several statements; the result has the rows of all and the
   * command of the last. `isSingle` refuses several. With a `name`, the statement stays prepared under it.
   */
  run(text: string, values?: readonly unknown[], options?: StatementOptions): Promise<StatementResult>;
  /** Runs one statement as a transaction, after the statement that opens it. Resolves after the commit. */
  runSingle(opening: PreparedText, statement: PreparedText): Promise<StatementResult>;
  /** I(dle), T(ransaction) or E(rror inside a transaction), as of the last complete response. */
  status(): string | null;
  isLost(): boolean;
  /** Closes it instead of returning it to the pool. The server then rolls back an open transaction. */
  discard(): void;
  /** Records an error that shows that the connection leads to an unusable database. */
  fail(error: Error): void;
};

/** Whether the database refused the statement (true), or the connection itself failed (false). */
export function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** Whether a statement failed because the database takes no writes: it is a standby or read-only. */
export function isReadOnlyError(error: Error): boolean {
  return 'code' in error && error.code === '25006';
}

/** SQLSTATEs that make a connection unusable: connection exception, shutdown or crash of the server. */
const endOfConnection = /^(08|57P0)/;

/** Whether the server has ended the connection, or is about to. */
function endsConnection(error: unknown): boolean {
  if (!isStatementError(error)) return false;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || endOfConnection.test(error.code ?? '');
}

/** Invalid data in a row: SQLSTATE classes 22 and 23. */
const rowErrorCode = /^2[23]/;

/** Whether a statement failed because of the data of one row, so that it may succeed for the others. */
export function isRowError(error: unknown): boolean {
  return isStatementError(error) && rowErrorCode.test(error.code ?? '');
}

/** The rows of a result, in the type of its statement. */
export function rowsOf<T extends Record<string, unknown>>(
  text: string | Statement<T>,
  { rows }: StatementResult,
): T[] {
  reportRows(text, rows);
  return rows as T[];
}

/**
 * Passes the errors of idle connections to `note`. A connection may also fail when it is handed out but its
 * user does not listen yet: then the user's first statement fails.
 */
export function onIdleConnectionError(pool: pg.Pool, note: (error: Error) => void): void {
  pool.on('error', note);
  pool.on('connect', (client) => client.on('error', () => undefined));
}

/** The connections of a pool at a moment; `waiting`: who waits for one. `size` is their configured maximum. */
export type PoolState = { idle: number; busy: number; waiting: number; size: number };

/** How the connections of a pool are used. Connections that are being opened count as busy. */
export function readPoolState(pool: pg.Pool): PoolState {
  const { totalCount, idleCount: idle, waitingCount: waiting, options } = pool;
  return { idle, busy: totalCount - idle, waiting, size: options.max };
}

const refusals = new WeakSet<Error>();

/**
 * Whether the server has refused the connection: the user, the database, or any connection for now. The same SQLSTATEs mean
 * something else if a statement fails with them.
 */
export function isRefusedConnection(error: Error): boolean {
  return refusals.has(error);
}

/** Takes a connection from the pool, within the caller's time. */
async function acquireConnection(pool: ConnectionPool, use: ConnectionUse): Promise<pg.PoolClient> {
  let taking: Promise<pg.PoolClient> | undefined;
  const acquire = () => {
    taking = pool.connect();
    return taking;
  };
  // A connection that comes too late for its caller goes to the next one.
  const releaseLate = () =>
    void taking?.then(
      (client) => client.release(),
      () => undefined,
    );
  try {
    return await waitWithinBudget(acquire, releaseLate);
  } catch (error) {
    if (isStatementError(error)) refusals.add(error);
    pool.watch?.failed(error, use);
    throw error;
  }
}

/**
 * How long a statement may wait for a response: the limit of its kind of work, and the rest of the request's
 * budget.
 */
function queryTimeoutOf({ queryTimeoutMs }: ConnectionLimits): number | undefined {
  const leftMs = remainingBudgetMs();
  if (leftMs === null) return queryTimeoutMs;
  return Math.max(1, Math.ceil(Math.min(leftMs, queryTimeoutMs ?? leftMs)));
}

/** Borrows a connection for `work`. It returns to the pool only if it is intact and in no transaction. */
export async function withPooledConnection<T>(
  pool: ConnectionPool,
  limits: ConnectionLimits,
  work: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const use: ConnectionUse = { since: performance.now(), hasFailed: false };
  const client = await acquireConnection(pool, use);
  traceWait(use.since);
  let isLost = false;
  const lose = () => {
    isLost = true;
  };
  client.on('error', lose);
  const fail = (error: unknown) => {
    // pg's own timeout leaves the query running, so the connection cannot be used again.
    const hasTimedOut =
      !isStatementError(error) && /Query read timeout|gave no answer within/.test(String(error));
    const isReadOnly = error instanceof Error && isReadOnlyError(error);
    if (isReadOnly && limits.isReading) return;
    if (hasTimedOut || isReadOnly || endsConnection(error)) lose();
    if (isReadOnly) pool.retireConnections?.(client);
    pool.watch?.failed(error, use);
  };
  const send = async (text: string, query: (timeoutMs: number | undefined) => Promise<unknown>) => {
    const span = traceStatement(text);
    try {
      if (isLost) throw new Error('the database connection is lost');
      const outcome = outcomeOf(await trackWait(query(queryTimeoutOf(limits))));
      pool.watch?.answered();
      return outcome;
    } catch (error) {
      span?.fail(faultOf(error));
      fail(error);
      throw error;
    } finally {
      span?.end();
    }
  };
  const connection: DatabaseConnection = {
    run: async (text, values, { isSingle = false, name } = {}) =>
      await send(
        text,
        async (timeoutMs) =>
          await client.query({
            text,
            ...(name && { name }),
            ...(values && { values: [...values] }),
            ...(isSingle && { queryMode: 'extended' }),
            ...(timeoutMs && { query_timeout: timeoutMs }),
          }),
      ),
    runSingle: async (opening, statement) =>
      await send(statement.text, async (timeoutMs) =>
        runSingleStatement(client, { opening, statement, ...(timeoutMs && { timeoutMs }) }),
      ),
    status: () => client.getTransactionStatus(),
    isLost: () => isLost,
    discard: lose,
    fail,
  };
  try {
    return await work(connection);
  } finally {
    client.off('error', lose);
    client.release(isLost || limits.closeAfterUse === true || client.getTransactionStatus() !== 'I');
  }
}

// pg returns an array of results for a text of several statements. Its types omit this.
function outcomeOf(result: unknown): StatementResult {
  const outcomes = (Array.isArray(result) ? result : [result]) as StatementResult[];
  return { rows: outcomes.flatMap(({ rows }) => rows), command: outcomes.at(-1)?.command ?? '' };
}

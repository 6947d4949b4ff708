// What an engine, embedded or a server, provides to build a Database on.

import type { ConnectionLimits, ConnectionPool, PoolState } from './connection.ts';
import type { Settings } from './session-settings.ts';
import type { Statement } from './statements.ts';

/**
 * `isPrepared` keeps a statement prepared on its connection. It is planned once for all values, so use it
 * only if the best plan does not depend on them. Default: true in a batch, false elsewhere.
 */
export type QueryOptions = { isPrepared?: boolean };

/**
 * Runs a statement with parameters $1, $2 … and returns its rows: bigint as a number, timestamptz as a Date,
 * numeric as a string. A declared statement gives its rows their type. Errors of the database are pg's DatabaseError, with its `code`.
 */
export type Sql = {
  query<T extends Record<string, unknown>>(
    text: string | Statement<T>,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>;
};

/** What an engine provides to build a Database on. */
export type Engine = {
  kind: 'embedded' | 'server';
  pool: ConnectionPool;
  /** Connects past a pooler. */
  directPool?: ConnectionPool;
  limits: ConnectionLimits;
  /** What every transaction sets first; nothing by default. */
  settings?: Settings;
  /** Whether statements may stay prepared; true by default. */
  preparesStatements?: boolean;
  durability: string;
  poolState(): PoolState;
  close(): Promise<void>;
};

// What a database engine, embedded or a server, gives to build a Database on.

import type { ConnectionLimits, ConnectionPool } from './connection.ts';

/**
 * `isPrepared` keeps a statement prepared on its connection: it is planned once for all values, so only for one whose
 * best plan does not depend on them. Default: in a batch, yes; elsewhere no.
 */
export type QueryOptions = { isPrepared?: boolean };

/**
 * Sends a statement, parameters as $1, $2 …, and gives its rows: bigint as a number, timestamptz as a
 * Date, numeric as a string. Errors of the database are pg's DatabaseError, with its `code`.
 */
export type Sql = {
  query<T extends Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>;
};

/** What an engine gives to build a Database on. */
export type Engine = {
  kind: 'embedded' | 'server';
  pool: ConnectionPool;
  /** Leads past a pooler. */
  directPool?: ConnectionPool;
  limits: ConnectionLimits;
  /** Statements that every transaction begins with, each `set local`; none by default. */
  settings?: string;
  /** Whether statements may be kept prepared; by default they are. */
  preparesStatements?: boolean;
  durability: string;
  close(): Promise<void>;
};

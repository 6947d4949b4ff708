// One transaction from begin to commit. A commit that the database turned into a rollback throws, and so does
// work that did not await a statement. Must not: run a statement under another role or company than the
// transaction's.

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConnectionLimits,
  type ConnectionPool,
  type DatabaseConnection,
  isStatementError,
  rowsOf,
  type StatementOptions,
  withPooledConnection,
} from './connection.ts';
import type { Sql } from './engine.ts';
import type { PreparedText } from './single-statement.ts';
import type { StatementNamer } from './statement-names.ts';

const maxRetries = 3;
const serializationFailure = '40001';
const deadlockDetected = '40P01';

/** The SQLSTATE of an error, or of the one that caused it. */
function codeOf(error: unknown): string | undefined {
  if (isStatementError(error)) return error.code;
  return error instanceof Error && isStatementError(error.cause) ? error.cause.code : undefined;
}

/** Runs `once`, and again up to 3 times after a deadlock or a conflict. */
export async function retryOnConflict<T>(once: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await once();
    } catch (error) {
      const code = codeOf(error);
      const isConflict = code === serializationFailure || code === deadlockDetected;
      if (!isConflict || retries === maxRetries) throw error;
      // A random pause: two conflicting transactions must not restart together.
      await pause(randomInt(5, 30) * (retries + 1));
    }
  }
}

export type TransactionOptions = {
  limits: ConnectionLimits;
  opening: string;
  nameOf: StatementNamer;
  /** Whether its statements are prepared by default. */
  prepares: boolean;
  /**
   * Whether all tables that work uses have row-level security. Then the first statement is sent together with
   * the opening. If the opening fails, the database refuses the statement too: the transaction has failed or,
   * without `begin`, the tables hide every row from the connecting role.
   */
  hasRowSecurity: boolean;
};

type SingleOptions = Pick<TransactionOptions, 'limits' | 'nameOf' | 'prepares'> & {
  opening: Pick<PreparedText, 'text' | 'values'>;
};

/**
 * Sends `opening` (begin and the scope), runs work, commits. Rolls back and throws when work throws, when the
 * commit does not commit, or when a statement still runs as work ends.
 */
export async function runTransaction<T>(
  pool: ConnectionPool,
  { limits, opening, nameOf, prepares, hasRowSecurity }: TransactionOptions,
  work: (tx: Sql) => Promise<T>,
): Promise<T> {
  return withPooledConnection(pool, limits, async (connection) => {
    const statements = queueStatements();
    const opened = connection.run(opening);
    opened.catch(() => undefined);
    try {
      if (!hasRowSecurity) await opened;
      const result = await work(openTransaction({ connection, statements, nameOf, prepares, opened }));
      await opened;
      await commit(connection, statements);
      return result;
    } catch (error) {
      await statements.end();
      if (!connection.isLost()) await connection.run('rollback').catch(connection.discard);
      throw error;
    }
  });
}

/**
 * A transaction of one statement in one round trip. It has committed when the statement resolves, also if `work` then
 * throws. Throws when work takes a second statement, or ends while its statement runs.
 */
export async function runSingleTransaction<T>(
  pool: ConnectionPool,
  { limits, opening, nameOf, prepares }: SingleOptions,
  work: (tx: Sql) => Promise<T>,
): Promise<T> {
  return withPooledConnection(pool, limits, async (connection) => {
    let running: Promise<unknown> | null = null;
    let isRunning = false;
    let hasFailed = false;
    const query: Sql['query'] = async (text, values = [], { isPrepared = prepares } = {}) => {
      if (running) throw new Error('this transaction takes one statement');
      isRunning = true;
      const name = isPrepared ? nameOf(text) : undefined;
      const result = connection.runSingle({ ...opening, name: nameOf(opening.text) }, { text, values, name });
      running = result;
      result.catch(() => {
        hasFailed = true;
      });
      try {
        return rowsOf(text, await result);
      } finally {
        isRunning = false;
      }
    };
    try {
      const result = await work({ query });
      if (isRunning) throw new Error(stillRunning);
      if (hasFailed) throw new Error(`nothing was committed: ${ignored}`);
      return result;
    } finally {
      await Promise.allSettled([running]);
    }
  });
}

const stillRunning = 'the transaction ended while a statement was still running: await every query';
const ignored = 'a statement of the transaction had failed and its error was ignored';

async function commit(connection: DatabaseConnection, statements: StatementQueue): Promise<void> {
  const left = await statements.end();
  if (left > 0) {
    throw new Error(stillRunning);
  }
  if (statements.isAborted()) throw new Error(`nothing was committed: ${ignored}`);
  const { command } = await connection.run('commit');
  if (command !== 'COMMIT') {
    throw new Error(`nothing was committed: ${ignored}`);
  }
}

type StatementQueue = {
  /** Runs a job after all previous ones. Rejects once the queue has ended. */
  add<T>(job: () => Promise<T>): Promise<T>;
  /** Refuses new jobs and waits for the running one. Returns how many jobs were left. */
  end(): Promise<number>;
  /** Refuses all jobs from now on. The transaction can only be rolled back. */
  markAborted(): void;
  isAborted(): boolean;
};

function queueStatements(): StatementQueue {
  let tail: Promise<unknown> = Promise.resolve();
  let left = 0;
  let isOver = false;
  let isAborted = false;
  const check = () => {
    if (isOver) throw new Error('transaction used after its end');
  };
  return {
    add: async (job) => {
      check();
      left++;
      const turn = tail.then(async () => {
        try {
          check();
          return await job();
        } finally {
          left--;
        }
      });
      tail = turn.catch(() => undefined);
      return turn;
    },
    end: async () => {
      isOver = true;
      const leftAtEnd = left;
      await tail;
      return leftAtEnd;
    },
    markAborted: () => {
      isOver = true;
      isAborted = true;
    },
    isAborted: () => isAborted,
  };
}

type TransactionStart = {
  connection: DatabaseConnection;
  statements: StatementQueue;
  nameOf: StatementNamer;
  prepares: boolean;
  opened: Promise<unknown>;
};

function openTransaction({ connection, statements, nameOf, prepares, opened }: TransactionStart): Sql {
  // Without values a text may contain several statements, which cannot be prepared as one.
  const nameFor = (text: string, values: readonly unknown[] | undefined) =>
    values && values.length > 0 ? nameOf(text) : undefined;

  const run = async (text: string, values: readonly unknown[] | undefined, options: StatementOptions) => {
    const [, outcome] = await Promise.all([opened, connection.run(text, values, options)]);
    // A commit or rollback among the statements would drop the role for the following ones.
    if (connection.status() === 'I') {
      statements.markAborted();
      connection.discard();
      throw new Error('a statement ended the transaction that it ran in');
    }
    return outcome;
  };

  return {
    query: async (text, values, { isPrepared = prepares } = {}) => {
      // One statement each, so that nothing can be appended to a query. The roles do not protect against
      // injected SQL (set_config could take another role), so pass values as parameters.
      const options = { isSingle: true, name: isPrepared ? nameFor(text, values) : undefined };
      return statements.add(async () => rowsOf(text, await run(text, values, options)));
    },
  };
}

// Checks that a database responds in time and takes writes.

import { type ConnectionPool, rowsOf, withPooledConnection } from './connection.ts';
import { statement, t } from './statements.ts';

const pingLimitMs = 2_000;

/** The SQLSTATE for a write in a read-only transaction. */
export const readOnlySqlState = '25006';

/** A hot standby also reports its transactions as read-only. */
export const readOnlyQuery = statement({
  isReadOnly: t.bool,
})`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

export function readOnlyError(): Error {
  return Object.assign(new Error('the database is read-only'), { code: readOnlySqlState });
}

/** Resolves when the database responds and takes writes; rejects after 2 s. */
export async function ping(pool: ConnectionPool): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const use = { since: performance.now(), hasFailed: false };
  const limit = new Promise<never>((_, reject) => {
    const late = () => {
      const error = new Error(`the database gave no answer within ${pingLimitMs} ms`);
      pool.watch?.failed(error, use);
      reject(error);
    };
    timer = setTimeout(late, pingLimitMs);
  });
  const query = withPooledConnection(pool, { queryTimeoutMs: pingLimitMs }, async (connection) => {
    const [row] = rowsOf(readOnlyQuery, await connection.run(readOnlyQuery));
    if (!row?.isReadOnly) return;
    const fault = readOnlyError();
    connection.fail(fault);
    throw fault;
  });
  try {
    await Promise.race([query, limit]);
  } finally {
    clearTimeout(timer);
    // The loser of the race may still fail. Ignore it.
    query.catch(() => undefined);
  }
}

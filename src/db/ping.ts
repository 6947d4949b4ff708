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

/** How a database refuses a process that knows of no cells, if it is one; see refuse_entry() in migrations/0055_cells.sql. */
const cellError = () =>
  Object.assign(
    new Error(
      'this database is a cell of an installation with several: set DATABASE_URLS instead of DATABASE_URL',
    ),
    { code: '57P03' },
  );

// Looks at the function, which a database without migrations does not have.
const pingQuery = statement({ isReadOnly: t.bool, wantsEntry: t.bool })`
  select current_setting('transaction_read_only') = 'on' as "isReadOnly",
    exists (select from pg_proc where proname = 'current_company' and pronamespace = to_regnamespace('public')
            and position('paylink.entered' in pg_get_functiondef(oid)) > 0) as "wantsEntry"`;

export function readOnlyError(): Error {
  return Object.assign(new Error('the database is read-only'), { code: readOnlySqlState });
}

/**
 * Resolves when the database responds and takes writes; rejects after 2 s. `entersCompanies`: whether the process respects
 * cells; otherwise it also rejects for a database that is one.
 */
export async function ping(
  pool: ConnectionPool,
  { entersCompanies }: { entersCompanies: boolean },
): Promise<void> {
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
    const [row] = rowsOf(pingQuery, await connection.run(pingQuery));
    const isRefused = row?.wantsEntry === true && !entersCompanies;
    if (!row?.isReadOnly && !isRefused) return;
    const fault = row?.isReadOnly ? readOnlyError() : cellError();
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

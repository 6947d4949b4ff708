// PostgreSQL on a server, reached by DATABASE_URL: the engine for production. Must not: put the address with
// its password, or pg's error objects that quote it, into a message; change pg's type parsers for the whole
// process.

import { OperatorError } from '../base/operator-error.ts';
import { type ConnectionPool, isStatementError, rowsOf, withPooledConnection } from './connection.ts';
import { InvalidDatabaseAddressError, parseDatabaseAddress } from './database-address.ts';
import type { Engine } from './engine.ts';
import { monitorOutages, type OutageEvent } from './outage.ts';
import { ping } from './ping.ts';
import { openServerPool, reasonOf, type ServerPool } from './server-pool.ts';
import { serverSettings, statementLimitMs } from './session-settings.ts';
import { statement, t } from './statements.ts';
import { valueTypes } from './value-types.ts';

const oldestVersion = 150_000;
const connectLimitMs = 5_000;
const keepAliveAfterMs = 10_000;
/** Longer than the server's own limit: it fires only when the server does not respond at all. */
const queryTimeoutMs = statementLimitMs + 5_000;

/**
 * Connects to the server and checks its version. `directUrl` bypasses a pooler, for work that needs its own
 * connection. Set `preparesStatements` to false for poolers that cannot keep prepared statements. Throws an
 * Error of one sentence when the server is unreachable or older than PostgreSQL 15.
 */
export async function openServer(options: {
  databaseUrl: string;
  directUrl?: string;
  /** How many connections past the pooler are open at once. */
  directConnections: number;
  preparesStatements?: boolean;
  poolSize: number;
  /** Whether the database is used as a cell. */
  entersCompanies: boolean;
  log: (message: string) => void;
  onOutage?: (news: OutageEvent) => void;
}): Promise<Engine> {
  const { databaseUrl, directUrl, directConnections, preparesStatements = true, poolSize, log } = options;
  const { entersCompanies } = options;
  const pool = openPool(databaseUrl, poolSize);
  // It connects on first use.
  const directPool = directUrl ? openPool(directUrl, directConnections) : null;
  const { connect, retireConnections } = pool;
  const watch = monitorOutages({
    // A failed probe does not count as a failure of a request.
    probe: async () => await ping({ connect, retireConnections }, { entersCompanies }),
    onEvent: options.onOutage ?? ((news) => log(describeOutage(news))),
  });
  pool.onIdleConnectionLost(watch.onIdleConnectionLost);
  directPool?.onIdleConnectionLost(watch.onIdleConnectionLost);
  const close = async () => {
    watch.stop();
    await Promise.all([pool.end(), directPool?.end()]);
  };
  try {
    return {
      kind: 'server',
      pool: { connect, retireConnections, watch },
      ...(directPool && { directPool }),
      limits: { queryTimeoutMs },
      settings: serverSettings,
      preparesStatements,
      durability: await inspect(pool),
      poolState: pool.state,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openPool(databaseUrl: string, max: number): ServerPool {
  return openServerPool(readAddress(databaseUrl), {
    // No time limits and no `options` here: a pooler refuses them; see session-settings.ts.
    application_name: 'paylink',
    connectionTimeoutMillis: connectLimitMs,
    keepAlive: true,
    // A migration may wait silently for any time. Only keep-alive detects that its server is gone.
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    // A statement may be sent before the response to the previous one; see runTransaction.
    pipeline: true,
    types: valueTypes,
    max,
  });
}

function readAddress(databaseUrl: string) {
  try {
    return parseDatabaseAddress(databaseUrl);
  } catch (error) {
    if (!(error instanceof InvalidDatabaseAddressError)) throw error;
    throw new OperatorError(`The database of DATABASE_URL cannot be reached: its address ${error.message}.`);
  }
}

function describeOutage(news: OutageEvent): string {
  const { kind } = news;
  if (kind === 'began') return `the database is unavailable: ${news.error.message}`;
  if (kind === 'ended') return `the database is back after ${news.tookMs} ms; ${news.failures} uses failed`;
  return `idle database connections were lost: ${news.count}, ${news.error.message}`;
}

const settingsOfServer = statement({
  version: t.int4,
  versionText: t.text,
  fsync: t.text,
  synchronousCommit: t.text,
})`
  select current_setting('server_version_num')::int as version,
         current_setting('server_version') as "versionText",
         current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as "synchronousCommit"`;

async function inspect(pool: ConnectionPool): Promise<string> {
  const settings = await readSettings(pool);
  if (settings.version < oldestVersion) {
    throw new OperatorError(
      `The database server is PostgreSQL ${settings.versionText}, and Paylink needs PostgreSQL 15 or newer.`,
    );
  }
  if (settings.fsync === 'off' || settings.synchronousCommit === 'off') {
    const setting = settings.fsync === 'off' ? 'fsync' : 'synchronous_commit';
    return `commits may be lost at a power failure: the server runs with ${setting} = off`;
  }
  return `every commit is flushed to disk by the server (fsync, synchronous_commit = ${settings.synchronousCommit})`;
}

/** Whether the server refuses the user, or does not have the database. */
export const isWrongAddress = (error: unknown): boolean =>
  isStatementError(error) && /^(28[0-9A-Z]{3}|3D000)$/.test(error.code ?? '');

async function readSettings(pool: ConnectionPool) {
  try {
    const outcome = await withPooledConnection(pool, { queryTimeoutMs: connectLimitMs }, (connection) =>
      connection.run(settingsOfServer),
    );
    const [settings] = rowsOf(settingsOfServer, outcome);
    if (!settings) throw new Error('the server gave no settings');
    return settings;
  } catch (error) {
    const fault = isWrongAddress(error) ? 'refuses the connection' : 'cannot be reached';
    throw new OperatorError(`The database of DATABASE_URL ${fault}: ${reasonOf(error)}.`, { cause: error });
  }
}

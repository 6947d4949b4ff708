// Connections to a server with one or several hosts. A new connection goes to the last host that served. When
// that fails, the others are tried in order, each for a bounded time. A connection known to lead to a
// read-only database is never handed out again. Must not: put an address with its password into a message.

import pg from 'pg';
import { type ConnectionPool, onIdleConnectionError, type PoolCounts } from './connection.ts';
import {
  type DatabaseAddress,
  type DatabaseHost,
  formatHost,
  type TargetSession,
} from './database-address.ts';
import { readOnlyError, readOnlyQuery } from './ping.ts';

export type ServerPool = ConnectionPool & {
  counts(): PoolCounts;
  retireConnections(client: pg.PoolClient): void;
  onIdleConnectionLost(note: (error: Error) => void): void;
  end(): Promise<void>;
};

export type PoolSettings = pg.PoolConfig & { connectionTimeoutMillis: number };

/** With several hosts, a silent host gets less time than a single one. */
const limitOfOneMs = 2_000;

/** The query on a new connection, and the responses that it refuses. */
const checks: Record<Exclude<TargetSession, 'any'>, { text: string; fault: () => Error }> = {
  'read-write': { text: readOnlyQuery, fault: readOnlyError },
  primary: {
    text: 'select pg_is_in_recovery() as "isReadOnly"',
    fault: () => Object.assign(readOnlyError(), { message: 'the database is a standby' }),
  },
};

async function checkTarget(client: pg.ClientBase, target: TargetSession, limitMs: number): Promise<void> {
  if (target === 'any') return;
  const { text, fault } = checks[target];
  const { rows } = await client.query<{ isReadOnly: boolean }>({
    text,
    query_timeout: limitMs,
  } as pg.QueryConfig);
  if (rows[0]?.isReadOnly !== false) throw fault();
}

/** Whether a call failed because the pool was full, not because a host failed. */
const isFull = (error: unknown) => String(error).includes('timeout exceeded when trying to connect');

/** SQLSTATE: the client is unable to establish the connection. */
const cannotConnect = '08001';

function noHostError(hosts: readonly DatabaseHost[], faults: readonly unknown[]): Error {
  const reasons = faults.map((fault, index) => {
    const host = hosts[index];
    return `${host ? formatHost(host) : 'a host'}: ${reasonOf(fault)}`;
  });
  return Object.assign(new Error(`no host takes connections (${reasons.join('; ')})`), {
    code: cannotConnect,
  });
}

/** The cause without the address: the error for an invalid address quotes it in full. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ERR_INVALID_URL')
    return 'it is not an address of the form postgresql://user:password@host:5432/name';
  // A host name with several addresses gives one error for each and no message of its own.
  if (error instanceof AggregateError) return error.errors.map((one) => reasonOf(one)).join(', ');
  return error.message || code;
}

/** The indexes of the hosts in the order of trying: from the one after `current` round to it. */
function placesAfter(current: number, count: number): number[] {
  return Array.from({ length: count }, (_, step) => (current + 1 + step) % count);
}

/** Searches for a host that serves, once for all who wait. Returns its index; throws when there is none. */
function createSearch({ hosts, target }: DatabaseAddress, settings: PoolSettings) {
  const limitMs = settings.connectionTimeoutMillis;
  const tryHost = async ({ url }: DatabaseHost): Promise<void> => {
    const client = new pg.Client({ ...settings, connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await checkTarget(client, target, limitMs);
    } finally {
      void client.end().catch(() => undefined);
    }
  };
  const search = async (current: number): Promise<number> => {
    const faults: unknown[] = [];
    for (const hostIndex of placesAfter(current, hosts.length)) {
      try {
        await tryHost(hosts[hostIndex] ?? hosts[0]);
        return hostIndex;
      } catch (error) {
        faults[hostIndex] = error;
      }
    }
    throw noHostError(hosts, faults);
  };
  let running: Promise<number> | null = null;
  return (current: number): Promise<number> => {
    running ??= search(current).finally(() => {
      running = null;
    });
    return running;
  };
}

/** Tracks which connections must not be handed out any more. */
function createGenerations() {
  let generation = 0;
  const bornIn = new WeakMap<object, number>();
  return {
    /** Records when a client was created, which is when its host was chosen. */
    keep: (client: pg.Client) => {
      bornIn.set(client, generation);
      return client;
    },
    isTrusted: (client: pg.PoolClient) => bornIn.get(client) === generation,
    renew: () => void generation++,
    retireConnections: (client: pg.PoolClient) => {
      if (bornIn.get(client) === generation) generation++;
    },
  };
}

export function openServerPool(address: DatabaseAddress, settings: PoolSettings): ServerPool {
  const { hosts, target } = address;
  // The pool uses the same limit for a caller that waits for a free connection.
  const { connectionTimeoutMillis: limitMs } = settings;
  const connectionTimeoutMillis = hosts.length === 1 ? limitMs : Math.min(limitOfOneMs, limitMs);
  const clientSettings = { ...settings, connectionTimeoutMillis };
  const generations = createGenerations();
  let hostIndex = 0;
  /** The pool's client class: pg has no other way to choose a host per client. */
  function Client() {
    return generations.keep(
      new pg.Client({ ...clientSettings, connectionString: (hosts[hostIndex] ?? hosts[0]).url }),
    );
  }
  const pool = new pg.Pool({
    ...settings,
    Client: Client as unknown as new () => pg.ClientBase,
    onConnect: async (client) => await checkTarget(client, target, connectionTimeoutMillis),
  });
  const search = createSearch(address, clientSettings);

  const moveTo = (found: number) => {
    // Distrust all connections to the failed host: it may return as a standby.
    if (found !== hostIndex) generations.renew();
    hostIndex = found;
  };
  const connectAnywhere = async (): Promise<pg.PoolClient> => {
    const tried = hostIndex;
    try {
      return await pool.connect();
    } catch (error) {
      if (hosts.length === 1 || isFull(error)) throw error;
      // Another call may have found a host in between.
      if (hostIndex === tried) moveTo(await search(tried));
      return await pool.connect();
    }
  };
  const connect = async (): Promise<pg.PoolClient> => {
    for (let left = settings.max ?? 10; ; left--) {
      const client = await connectAnywhere();
      if (generations.isTrusted(client) || left <= 0) return client;
      client.release(true);
    }
  };
  return {
    connect,
    counts: () => ({
      ...{ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
      max: settings.max ?? 10,
    }),
    retireConnections: generations.retireConnections,
    onIdleConnectionLost: (note) => onIdleConnectionError(pool, note),
    end: async () => await pool.end(),
  };
}

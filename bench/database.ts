// The temporary PostgreSQL for the bench: a database as docs/operations.md describes it, and its counters.
// Must not: change a measured setting.

import pg from 'pg';
import { afterFilledIds } from './filled-ids.ts';

export type BenchDatabase = {
  admin: pg.Client;
  url: string;
  postmasterPid: number;
};

const databaseName = 'paylink_bench';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Creates the database on a cluster with this superuser's address. */
export async function createBenchDatabase(clusterUrl: string): Promise<BenchDatabase> {
  const first = await connect(clusterUrl);
  for (const statement of [
    'create role paylink login',
    // safe: the name is ours.
    `create database ${databaseName} owner paylink`,
    'create role paylink_tenant nologin role paylink',
    'create role paylink_system nologin role paylink',
  ])
    await first.query(statement);
  await first.end();
  const url = new URL(clusterUrl);
  url.pathname = `/${databaseName}`;
  const admin = await connect(url.href);
  const { rows } = await admin.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`);
  url.username = 'paylink';
  return { admin, url: url.href, postmasterPid: Number(rows[0]?.file.split('\n')[0]) };
}

export async function queryOne<T extends pg.QueryResultRow>(
  { admin }: BenchDatabase,
  text: string,
  values: readonly unknown[] = [],
): Promise<T> {
  const { rows } = await admin.query<T>(text, [...values]);
  if (rows.length !== 1 || !rows[0]) throw new Error(`${rows.length} rows instead of one: ${text}`);
  return rows[0];
}

/** The rows that a run wrote, to verify its acknowledgements. */
export type RowsWritten = { links: number; paid: number; sessions: number };

export async function countRowsWritten(bench: BenchDatabase, run: string): Promise<RowsWritten> {
  return await queryOne<RowsWritten>(
    bench,
    `select (select count(*)::integer from payments where search_order >= $1 and search_order < $1 || '~') as links,
            (select count(*)::integer from attempts where state = 'succeeded') as paid,
            (select count(*)::integer from sessions) as sessions`,
    [run],
  );
}

/** Tables with filled rows; the service's own IDs in them sort after those. */
const filledTables: readonly string[] = ['public.events', 'public.event_seals'];

/** The service's rows in all tables except the largest, and the position in the write-ahead log. */
export async function readCounters(
  bench: BenchDatabase,
  companyId: string,
): Promise<{ rows: number; walBytes: number }> {
  const { rows: tables } = await bench.admin.query<{ name: string }>(
    `select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
     where relkind = 'r' and relnamespace::regnamespace::text = 'public'
       and relname not in ('payments', 'rate_limits') and relname not like 'yardstick%'`,
  );
  // Counting millions of filled rows each time would warm or empty the disk cache for the next measurement.
  const own = (name: string) =>
    filledTables.includes(name) ? 'where company_id = $1 and event_id > $2' : '';
  // safe: names come from the catalogue, quoted by format().
  const counts = tables.map(({ name }) => `(select count(*) from ${name} ${own(name)})`).join(' + ');
  const counted = await queryOne<{ rows: string; wal: string }>(
    bench,
    `select (${counts})::text as rows, (pg_current_wal_insert_lsn() - '0/0')::text as wal`,
    [companyId, afterFilledIds('evt')],
  );
  return { rows: Number(counted.rows), walBytes: Number(counted.wal) };
}

/**
 * Updates the planner's statistics, as autovacuum does within a minute. Skips tables without rows, as
 * autovacuum does.
 */
export async function analyzeTables({ admin }: BenchDatabase): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables where n_live_tup > 0`,
  );
  // safe: names come from the catalogue, quoted by format().
  if (rows.length > 0) await admin.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
}

// Programs that `npm test` provides: PostgreSQL, the browser, Python.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openClient } from './run-sql.ts';

// All of these throw if the test was not started by `npm test`.
export const testDatabaseUrl = () => provided('TEST_DATABASE_URL', 'a PostgreSQL to throw away');
export const postgresBin = () => provided('TEST_POSTGRES_BIN', "PostgreSQL's programs");
export const pgbouncerPath = () => provided('TEST_PGBOUNCER', 'a PgBouncer');
export const promtoolPath = () => provided('TEST_PROMTOOL', 'promtool');
export const chromiumPath = () => provided('CHROMIUM_PATH', 'a browser');
/** A headless browser without a bfcache, if one is installed. */
export const lightChromiumPath = () => provided('TEST_LIGHT_CHROMIUM', 'a browser');
export const pythonPath = () => provided('TEST_PYTHON', 'a Python with PyJWT and cryptography');
export const proxyPath = (name: 'caddy' | 'haproxy' | 'nginx') =>
  provided(`TEST_${name.toUpperCase()}`, name);
export const phpPath = () => provided('TEST_PHP', 'PHP');
export const goPath = () => provided('TEST_GO', 'Go');
export const etcdPath = () => provided('TEST_ETCD', 'etcd');
export const patroniPath = () => provided('TEST_PATRONI', 'Patroni');
export const systemdAnalyzePath = () => provided('TEST_SYSTEMD_ANALYZE', 'systemd-analyze');

function provided(name: string, what: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    `This test needs ${what}: run it by \`npm test <file>\`, which provides it (${name} is not set).`,
  );
}

export type TestDatabase = {
  url: string;
  /** Renames it. Throws if the name exists. */
  rename(to: string): Promise<void>;
  /** Drops it, even with open connections. */
  drop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The collations to test. */
const localeClauses = {
  C: `encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
  'C.UTF-8': `encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`,
  'tr-TR by ICU': `encoding 'UTF8' lc_collate 'C' lc_ctype 'C' locale_provider icu icu_locale 'tr-TR'`,
} as const;

export type DatabaseLocale = keyof typeof localeClauses;

/** Creates a database on the cluster, or on that of `clusterUrl`; with `template` a copy of an unused database. */
export async function createDatabase(
  options: { template?: string; clusterUrl?: string; locale?: DatabaseLocale } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const { template = 'template0', clusterUrl = testDatabaseUrl(), locale } = options;
  const run = async (text: string) => {
    await asSuperuser(clusterUrl, async (client) => await client.query(text));
  };
  // Copying the files of a cluster that does not flush takes half the time of writing them to the WAL.
  // safe: an identifier cannot be a parameter; one name is ours, the other is quoted.
  await run(
    `create database ${name} template ${pg.escapeIdentifier(template)} strategy file_copy
     ${locale ? localeClauses[locale] : ''}`,
  );
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  // safe: the name is ours.
  const drop = async () => await run(`drop database if exists ${name} with (force)`);
  return {
    url: url.href,
    // safe: one name is ours, the other is quoted.
    rename: async (to) => await run(`alter database ${name} rename to ${pg.escapeIdentifier(to)}`),
    drop,
    [Symbol.asyncDispose]: drop,
  };
}

export async function hasDatabase(name: string, clusterUrl: string): Promise<boolean> {
  return await asSuperuser(clusterUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    return rowCount === 1;
  });
}

async function asSuperuser<T>(clusterUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = openClient(clusterUrl);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
